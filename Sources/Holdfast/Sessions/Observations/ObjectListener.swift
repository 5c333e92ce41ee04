/// A change to an object, whatever its type.
struct ObjectChange: Sendable {
    var kind: ObjectEventKind
    /// The key as its columns hold it; nil where no object is known.
    var key: Key?
    /// The instance that it was done to; nil for structs, and where only the key was known.
    var instance: ObjectIdentifier?
    /// The properties that an update wrote.
    var properties: [String] = []
    /// What the row holds after it of the properties that somebody compares (``ObservedRows``), as far as it is known.
    var values: [(property: String, value: ComparedValue)] = []

    static let reload = ObjectChange(kind: .reload, key: nil)
    static let overflowed = ObjectChange(kind: .overflowed, key: nil)
}

/// Whoever listens to the objects of a table, or to one of them.
final class ObjectListener: Sendable {
    let rows: ListenedRows
    /// Whether it hears of objects that are fetched, too.
    let hearsFetches: Bool
    let consumer: BufferedConsumer<ObjectChange>

    init(rows: ListenedRows, hearsFetches: Bool, limit: Int) {
        (self.rows, self.hearsFetches) = (rows, hearsFetches)
        consumer = BufferedConsumer(limit: limit, gap: .overflowed)
    }

    func receive(_ change: ObjectChange) {
        if rows.include(change) { consumer.receive(change) }
    }
}

/// The rows that somebody listens to: those of one table, or one of them.
struct ListenedRows: Sendable {
    let table: String
    /// The tables that its rows, or their links, refer to: where rows are deleted there, foreign keys let go of them.
    let targets: Set<String>
    /// The key of the one object, as its columns hold it; nil for all.
    let key: Key?

    /// - Parameter key: The key of one object, as its mapping tells it.
    init(of description: TableDescription, key: Key? = nil) {
        table = description.table
        targets = description.tablesReferredTo
        self.key = key
    }

    func include(_ change: ObjectChange) -> Bool { key == nil || change.key == nil || key == change.key }

    /// The changes to them in a transaction, in their order.
    func changes(in transaction: SessionChanges) -> [ObjectChange] {
        let told = transaction.ofObjects.lazy.filter { $0.table == table }.flatMap(\.changes).filter(include)
        return told + (transaction.touched.hasUntoldChanges(of: table, referringTo: targets) ? [.reload] : [])
    }
}

extension TableDescription {
    /// The identity of an object of the type; nil for a struct.
    func instance<Model>(_ object: Model) -> ObjectIdentifier? {
        // As `as AnyObject` it would be boxed if it were a struct; the description knows that it is none.
        isClass ? unsafeBitCast(object, to: ObjectIdentifier.self) : nil
    }

    /// The tables of the types that its relations lead to, and on from there; its own only if they lead back.
    var tablesLedTo: Set<String> {
        Set(columns.relations.flatMap { $0.target.description.reachable }.flatMap(\.tableNames))
    }

    /// The tables that its references and its links refer to.
    fileprivate var tablesReferredTo: Set<String> {
        Set(
            columns.relations.filter { relation in
                switch relation.storage {
                case .reference, .joinTable: true
                case .inverseReference, .inverseJoinTable: false
                }
            }.flatMap { $0.target.description.tableNames })
    }

    /// The tables that hold its objects: its own, and those of arrays and links.
    fileprivate var tableNames: [String] {
        definitions.map { TableName(schema: $0.schema, $0.name).description }
    }
}
