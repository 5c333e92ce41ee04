/// The type at the other end of a relation.
///
/// It is a type, not its mapping: two mappings can lead to each other, and neither could be made before the other.
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
