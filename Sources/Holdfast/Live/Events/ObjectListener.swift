/// A committed change to an object, whatever its type.
struct ObjectChange: Sendable {
    var kind: ObjectEventKind
    /// The key as its columns hold it; nil for ``ObjectEventKind/reload``.
    var key: Key?
    var properties: [String] = []

    static let reload = ObjectChange(kind: .reload, key: nil)
}

/// Whoever listens to the objects of a table, or to one of them.
final class ObjectListener: Sendable {
    let table: String
    /// The key of the one object; nil for all.
    let key: Key?
    let consumer: BufferedConsumer<ObjectChange>

    init(table: String, key: Key?, limit: Int) {
        (self.table, self.key) = (table, key)
        consumer = BufferedConsumer(limit: limit, gap: .reload)
    }

    func receive(_ change: ObjectChange) {
        if let key, let changed = change.key, key != changed { return }
        consumer.receive(change)
    }
}
