/// What one statement of a migration does, as a ``Dialect`` is asked about its effects.
///
/// ```swift
/// SchemaStatement(.dropTable("note"), targets: ["person"])    // DROP TABLE "note", which refers to "person"
/// ```
@_spi(Driver) public struct SchemaStatement: Hashable, Sendable {
    /// What it does.
    ///
    /// Several statements make a ``SchemaChange/alterColumn(_:table:)``, a ``SchemaChange/wrapColumn(_:table:array:)``
    /// and a ``SchemaChange/unwrapArray(_:column:table:)``, so that these are never what one does.
    public var change: SchemaChange
    /// The place of the statement among those that the dialect gives for the change, as for
    /// ``Dialect/createDeleteRule(_:on:)``.
    public var index: Int
    /// The tables to which foreign keys lead that are dropped.
    public var targets: [String]
    /// Whether others write meanwhile into the table whose index it builds or drops.
    public var isConcurrent: Bool

    /// Creates a description of a statement.
    public init(_ change: SchemaChange, index: Int = 0, targets: [String] = [], isConcurrent: Bool = false) {
        (self.change, self.index, self.targets, self.isConcurrent) = (change, index, targets, isConcurrent)
    }
}
