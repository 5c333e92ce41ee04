/// A type whose instances are kept in a table: what `@Table` declares of a class or a struct.
///
/// Instances are used on one isolation at a time, like any other class or struct, and need not be `Sendable`.
public protocol TableObject: SendableMetatype {
    /// How the type is kept in its table.
    static var tableMapping: TableMapping<Self> { get }
}

extension TableObject where Self: AnyObject {
    /// Whether the instance is new, or has properties that were set since it was last saved or fetched.
    ///
    /// Always true of a class whose mapping does not track changes.
    public var isDirty: Bool {
        var isDirty = true
        Self.tableMapping.changes?(self) { isDirty = $0.state != .persisted || !$0.dirty.isEmpty }
        return isDirty
    }

    /// Marks every property but the key as changed, so that the next save writes all of them.
    public func makeDirty() {
        let description = Self.tableMapping.description
        let mask = description.fullMask.subtracting(description.keyMask)
        Self.tableMapping.changes?(self) { $0.dirty.formUnion(mask) }
    }
}
