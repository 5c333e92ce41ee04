/// How an engine that can't alter columns has a table made anew: a new one is filled, and takes the name of the old.
///
/// It follows "Making Other Kinds Of Table Schema Changes" in SQLite's *ALTER TABLE*.
@_spi(Driver) public struct TableRebuild: Sendable {
    /// The statement that is run before the transaction, so that dropping the old table deletes nothing elsewhere.
    public var before: String
    /// The statement that is run after the transaction, whatever has become of it.
    public var after: String
    /// The statement before the new table gets the name of the old one, so that others go on to refer to that name.
    public var beforeRename: String
    /// The statement after it has got the name.
    public var afterRename: String
    /// The query for references that lead nowhere, which returns no row if all is well; the first column is a table.
    public var violations: String

    /// Creates a description.
    public init(before: String, after: String, beforeRename: String, afterRename: String, violations: String) {
        (self.before, self.after, self.beforeRename) = (before, after, beforeRename)
        (self.afterRename, self.violations) = (afterRename, violations)
    }
}
