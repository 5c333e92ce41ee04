/// The SQL of a change log: the triggers that write it, and the statements that read and trim it.
///
/// A log is read from one *position* to another, each of which is a text that the engine makes. Whatever is committed
/// before a position is taken is before it, and what is committed later is after it, so a reader passes nothing that is
/// still to be committed.
@_spi(Driver) public protocol ChangeLogDialect: Sendable {
    /// The statements after which changes are logged.
    var events: [LogTrigger.Event] { get }

    /// The statements that complete the log's tables where that is to be done: their indexes, and who may write them.
    var completion: [String] { get }

    /// Returns the statements that create a trigger.
    ///
    /// It inserts into ``LogTrigger/table`` the columns `at` (the time), `table_name` (``LogTrigger/loggedTable``),
    /// `kind` (1 for an insertion, 2 for an update, 3 for a deletion, 4 for all rows), `row_key` (a JSON array of the
    /// key's parts as texts), `columns` (a JSON array of the names of changed columns, empty but for updates),
    /// `old_values` (a JSON object of texts and nulls, or NULL), and `transaction_id`, which is the engine's own.
    ///
    /// - Texts are exact, whatever the settings of who writes: a Double is the same when it is read from one.
    /// - An update that changes nothing is not logged. One that changes the key is a deletion and an insertion.
    /// - For the table of an array it logs an update of ``LogTrigger/array``, unless the owner's row is gone.
    func createTrigger(_ trigger: LogTrigger) -> [String]

    /// Returns the statement that adds an entry of the kind 5: changes of a table may be missing before it.
    func gap(in table: String) -> String

    /// Returns the statement after which the entries of a table have a new name for one of its columns.
    func renameColumn(_ column: String, of table: String, to name: String) -> String

    /// Whether a text can be a position.
    func isPosition(_ text: String) -> Bool

    /// Returns the query for a page of the log: of the entries of a stretch, those of some tables, or of all where none
    /// are named, in the order of the numbers.
    ///
    /// It returns one row at least. Each has first the columns of ``head(_:at:mark:obstacles:)``, and then `id`, `at`
    /// in microseconds, `table_name`, `kind`, `row_key`, `columns` and `old_values`, which are NULL where there is no
    /// entry.
    func page(_ stretch: ChangeLogStretch, tables: [String], limit: Int) -> String

    /// The query for the position of now: the columns of ``head(_:at:mark:obstacles:)``.
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

    /// The name of the server as SQL: numbers in a log that was written under another name mean nothing here.
    var server: String { get }

    /// The condition that the log is another server's, as after a dump of it was restored here, where `t` is the row of
    /// the log's state.
    var isForeign: String { get }

    /// The channel on which the engine tells of new entries; nil if it tells nobody.
    var channel: String? { get }
}

@_spi(Driver) extension ChangeLogDialect {
    /// Returns the query for what is known of the log: one row with the position that is reached, the identity of the
    /// log, number and time of the latest entry that was made before, and the first obstacle that is there, or NULL.
    ///
    /// - Parameters:
    ///   - reached: The position, as SQL.
    ///   - microseconds: The time of an entry in microseconds, as SQL.
    ///   - mark: The latest entry before `reached`; nil if that is the position of now.
    ///   - obstacles: The conditions of obstacles, where `t` is the row of the log's state.
    public func head(
        _ reached: String, at microseconds: String, mark: ChangeLogMark?,
        obstacles: [(condition: String, obstacle: ChangeLogObstacle)]
    ) -> String {
        func latest(_ column: String, _ trimmed: String, _ given: Int64?) -> String {
            given.map { "\($0)" } ?? "CASE WHEN l.id > t.last_number THEN l.\(column) ELSE t.\(trimmed) END"
        }
        let cases = obstacles.map { "WHEN \($0.condition) THEN \($0.obstacle.rawValue)" }
        // The limits keep engines from computing this anew for each entry, and from expecting more than one state.
        return """
            SELECT \(reached) AS reached, t.identity, \(latest("id", "last_number", mark?.number)) AS last_number,
                \(latest("at", "last_at", mark?.at)) AS last_at,
                CASE \(cases.joined(separator: " ")) END AS obstacle
            FROM (SELECT * FROM holdfast_log_state LIMIT 1) t
                LEFT JOIN (SELECT id, \(microseconds) AS at FROM holdfast_log ORDER BY id DESC LIMIT 1) l ON 1 = 1
            LIMIT 1
            """
    }

    /// Returns the condition that the log has, or had, an entry: otherwise it is of an older state than whoever saw
    /// that.
    ///
    /// - Parameters:
    ///   - mark: The entry, by its number and its time.
    ///   - microseconds: The time of an entry in microseconds, as SQL.
    public func hasHad(_ mark: ChangeLogMark, at microseconds: String) -> String {
        """
        coalesce((SELECT \(microseconds) = \(mark.at) FROM holdfast_log WHERE id = \(mark.number)),
            \(mark.number) < t.last_number OR \(mark.number) = t.last_number AND \(mark.at) = t.last_at)
        """
    }
}
