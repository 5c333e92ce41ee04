/// A lock that a step of a ``SchemaPlan`` takes, and keeps until the transaction of the migration ends.
///
/// ```swift
/// for step in plan.steps where step.locks.contains(where: \.mode.blocksReads) { print("Nobody reads:", step.sql) }
/// ```
public struct TableLock: Hashable, Sendable {
    /// The level of a lock, from the weakest to the strongest.
    ///
    /// The names are those of PostgreSQL's manual, *Explicit Locking*.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// Rows of the table are changed; others can't change the same rows meanwhile.
        case rowExclusive = "ROW EXCLUSIVE"
        /// Others read and write, but change neither the table nor its indexes.
        case shareUpdateExclusive = "SHARE UPDATE EXCLUSIVE"
        /// Others read, and wait before they write.
        case share = "SHARE"
        /// Others read, and wait before they write; one transaction at a time has it.
        case shareRowExclusive = "SHARE ROW EXCLUSIVE"
        /// Others wait before they read or write.
        case accessExclusive = "ACCESS EXCLUSIVE"
        /// Others read the database, and wait before they write to any of its tables: the write lock of SQLite.
        case databaseWrite = "DATABASE WRITE"
        /// The level is not known: the statement is one of a ``Migration``, or the driver does not tell.
        case unknown = "UNKNOWN"

        /// Whether others wait before they read the table.
        public var blocksReads: Bool { self == .accessExclusive || self == .unknown }

        /// Whether others wait before they write to the table.
        public var blocksWrites: Bool { self != .rowExclusive && self != .shareUpdateExclusive }
    }

    /// The level of the lock.
    public var mode: Mode
    /// The table, by its name before the step; nil for the whole database, or where it is not known.
    public var table: String?

    /// Creates a lock of a level on a table, or on the whole database.
    ///
    /// ```swift
    /// print(TableLock(.share, on: "note"))    // SHARE on "note"
    /// ```
    public init(_ mode: Mode, on table: String?) { (self.mode, self.table) = (mode, table) }
}

extension TableLock: CustomStringConvertible {
    public var description: String {
        switch mode {
        case .databaseWrite: "the write lock of the database"
        case .unknown: table.map { "unknown locks, also on \"\($0)\"" } ?? "unknown locks"
        default: mode.rawValue + (table.map { " on \"\($0)\"" } ?? "")
        }
    }
}
