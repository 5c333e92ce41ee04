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
