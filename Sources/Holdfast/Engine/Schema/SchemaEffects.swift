/// The effects of a statement that changes a schema, on those who use the database at the same time.
///
/// A ``Dialect`` tells them: see ``Dialect/effects(of:)``.
///
/// ```swift
/// SchemaEffects(locks: [TableLock(.accessExclusive, on: "note")], scansTable: true)    // SET NOT NULL on PostgreSQL
/// ```
@_spi(Driver) public struct SchemaEffects: Hashable, Sendable {
    /// The locks on tables, of each table the strongest.
    ///
    /// Locks on the new table itself, on an index alone and on a sequence alone are left out.
    public var locks: [TableLock]
    /// Whether the engine writes all rows of a table anew.
    public var rewritesTable: Bool
    /// Whether the engine reads all rows of a table.
    public var scansTable: Bool
    /// Whether the statement can run in a transaction with others.
    public var isTransactional: Bool

    /// Creates a description of effects.
    public init(
        locks: [TableLock] = [], rewritesTable: Bool = false, scansTable: Bool = false, isTransactional: Bool = true
    ) {
        (self.locks, self.rewritesTable, self.scansTable) = (locks, rewritesTable, scansTable)
        self.isTransactional = isTransactional
    }

    /// The effects of a statement of which nothing is known: the worst.
    ///
    /// - Parameter table: The table that it concerns, if any.
    public static func unknown(_ table: String?) -> SchemaEffects {
        SchemaEffects(locks: [TableLock(.unknown, on: table)], rewritesTable: true, scansTable: true)
    }
}
