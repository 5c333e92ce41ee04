/// The instances that stand for rows, by type and key (``IdentityMap``).
final class KnownObjects {
    private var objects: [ObjectIdentifier: [Key: AnyObject]] = [:]

    func object<Model: TableObject>(of type: Model.Type, withKey key: Key) -> Model? {
        objects[ObjectIdentifier(type)]?[key] as? Model
    }

    /// Lets an object stand for its row, in place of one that did.
    func add(_ object: AnyObject, of type: any TableObject.Type, withKey key: Key) {
        objects[ObjectIdentifier(type), default: [:]][key] = object
    }
}

extension LoadGraph {
    /// Lets known objects stand for their rows, before others are made.
    func useKnownObjects() {
        guard let known else { return }
        for maker in makers { maker.use(known) }
    }

    /// Gives known objects what they lack and the rows have, and makes the others known.
    func completeKnownObjects() throws {
        guard let known else { return }
        for maker in makers { try maker.complete(known) }
    }
}
