/// The writing side of a key path that can be sent: a conditional cast alone loses that it can.
struct WritableProperty<Model, Value>: @unchecked Sendable {  // the very object that came in as Sendable
    private let keyPath: WritableKeyPath<Model, Value>

    /// The writable form of `keyPath`, or nil if it can only be read.
    init?(_ keyPath: any KeyPath<Model, Value> & Sendable) {
        guard let writable = keyPath as? WritableKeyPath<Model, Value> else { return nil }
        self.keyPath = writable
    }

    func set(_ value: Value, in model: inout Model) { model[keyPath: keyPath] = value }
}
