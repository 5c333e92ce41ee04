/// The target type of a relation.
///
/// It is a type and not a mapping, since two mappings that refer to each other could not be created one after the
/// other.
public struct RelationTarget: Sendable {
    /// The type of the related objects.
    public let type: any TableObject.Type
    /// Whether only keys are held, by ``Reference``.
    public let isLazy: Bool

    init(_ type: any TableObject.Type, isLazy: Bool = false) {
        self.type = type
        self.isLazy = isLazy
    }

    /// The description from the type's mapping; available only once mappings exist.
    var description: TableDescription { type.ownDescription }
}

extension RelationTarget: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.type == right.type && left.isLazy == right.isLazy
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(isLazy)
    }
}
