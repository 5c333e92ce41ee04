public import Foundation

/// One row that was changed, as the change log has it.
public struct LoggedChange: Sendable {
    /// What happened to a row.
    public enum Kind: Int16, Hashable, Sendable {
        /// The row was inserted.
        case inserted = 1
        /// Values of the row were replaced, or elements of one of its arrays.
        case updated = 2
        /// The row was deleted.
        case deleted = 3
        /// All rows were removed by TRUNCATE, which PostgreSQL has. There is no key.
        case truncated = 4
        /// Changes of the table may be missing before this one: its triggers were made anew, since it was made again
        /// under its name, or they had been dropped or switched off. Load what you keep of it anew. There is no key.
        case gap = 5
    }

    /// The number of the entry, which rises with time for the changes of one row, but not in general.
    public let number: Int64
    /// When the change was made, by the clock of the database; on SQLite to the millisecond.
    public let at: Date
    /// The name of the table.
    public let table: String
    /// What happened.
    public let kind: Kind
    /// The parts of the row's key, as texts; ``key(of:)`` makes a ``Key`` of them.
    public let keyTexts: [String?]
    /// The columns whose values an update replaced, and the properties of arrays whose elements changed; otherwise
    /// empty.
    public let columns: [String]
    /// The values that were replaced, or those of the deleted row, as texts by column.
    ///
    /// Nil unless the table is logged with ``TableLog/oldValues``. `oldValue(_:)` reads one as the property has it.
    /// Bytes that are no UTF-8, which SQLite stores as a text as well, are shown as U+FFFD.
    public let oldTexts: [String: String?]?
    /// The columns of ``oldTexts`` that had other bytes than the text shows.
    let repairedColumns: Set<String>
}

/// Changes that were read together, in the order in which those of one row were made.
public struct ChangeBatch: Sendable {
    /// The changes; none if for a minute there were only changes of other tables, so that there is a later token to
    /// keep.
    public let changes: [LoggedChange]
    /// The place behind them, from which to go on.
    public let token: ChangeToken
}
