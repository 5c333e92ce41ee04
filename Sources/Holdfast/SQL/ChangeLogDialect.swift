/// The SQL of a change log: the triggers that write it, and the statements that read and trim it.
///
/// A log is read from one *position* to another, each of which is a text that the engine makes. Whatever is committed
/// before a position is taken is before it, and what is committed later is after it, so a reader passes nothing that is
/// still to be committed.
@_spi(Driver) public protocol ChangeLogDialect: Sendable {
    /// The statements after which changes are logged.
    var events: [LogTrigger.Event] { get }

    /// The statements that create the indexes of the log's table, if they are not there.
    var indexes: [String] { get }

    /// Returns the statements that create a trigger.
    ///
    /// It inserts into ``LogTrigger/table`` the columns `at` (the time), `table_name` (``LogTrigger/loggedTable``),
    /// `kind` (1 for an insertion, 2 for an update, 3 for a deletion, 4 for all rows), `row_key` (a JSON array of the
    /// key's parts as texts), `columns` (a JSON array of the names of changed columns, empty but for updates),
    /// `old_values` (a JSON object of texts, or NULL), and `transaction_id`, which is the engine's own.
    ///
    /// - An update that changes nothing is not logged. One that changes the key is a deletion and an insertion.
    /// - For the table of an array it logs an update of ``LogTrigger/array``, unless the owner's row is gone.
    func createTrigger(_ trigger: LogTrigger) -> [String]

    /// Whether a text can be a position.
    func isPosition(_ text: String) -> Bool

    /// Returns the query for a page of the log: of the entries after `position`, and before `end` unless that is nil,
    /// those whose number is greater than `number`, in the order of the numbers.
    ///
    /// It returns one row at least. Each has first the position that is reached when all are read (`end`, or that of
    /// now), the identity of the log, and whether entries after `position` may be missing; and then `id`, `at` in
    /// microseconds, `table_name`, `kind`, `row_key`, `columns` and `old_values`, which are NULL where there is no
    /// entry.
    func page(after position: String, number: Int64, end: String?, tables: [String], limit: Int) -> String

    /// The query for the position of now and the identity of the log.
    var position: String { get }

    /// Returns the statements that remove entries, and note in the log's state up to where.
    ///
    /// An entry is removed if one of the conditions holds, and if no transaction is open that began before its own.
    ///
    /// - Parameters:
    ///   - cutoff: A time in microseconds, before which it was made.
    ///   - positions: The positions of consumers: it is before all of them.
    ///   - count: The number of entries that are kept: it is older than so many others.
    func trim(before cutoff: Int64?, positions: [String], keeping count: Int?) -> [String]

    /// The query for an entry that this database can't have made, as after it was restored on another server: it
    /// returns a row if there is one.
    var foreignEntries: String { get }

    /// The statements that empty the log and its state.
    var reset: [String] { get }

    /// The channel on which the engine tells of new entries; nil if it tells nobody.
    var channel: String? { get }
}

@_spi(Driver) extension ChangeLogDialect {
    public var reset: [String] { ["DELETE FROM holdfast_log", "DELETE FROM holdfast_log_state"] }
}
