@_spi(Driver) import Holdfast
import Synchronization

/// The statements that a database was sent, in their order.
///
/// ```swift
/// let recording = StatementRecording()
/// let db = try await Database.open(.sqlite(.inMemory).recording(recording))
/// try await db.migrate(Project.self)
/// recording.clear()
/// _ = try await db.fetch(Project.self)
/// #expect(recording.count(.select) == 1)
/// print(recording.sql)    // ["SELECT \"id\", \"name\" FROM \"project\" ORDER BY \"id\""]
/// ```
///
/// The database of a test has one already: ``TestDatabase/statements``.
///
/// A statement counts once however many rows of parameters it has, as it is one for the engine. What the library asks
/// the engine for itself, such as the columns of tables or whether a connection lives, is not recorded.
public final class StatementRecording: Sendable {
    private let recorded = Mutex<[RecordedStatement]>([])

    /// Creates a recording without statements.
    public init() {}

    /// All statements, also those that begin and end transactions.
    public var statements: [RecordedStatement] { recorded.withLock { $0 } }

    /// The texts, with placeholders, but for those of statements that begin and end transactions.
    public var sql: [String] { statements.filter { $0.kind != .transaction }.map(\.sql) }

    /// Returns the number of statements.
    ///
    /// - Parameters:
    ///   - kind: What they do; nil for all but those that begin and end transactions.
    ///   - table: The table that they are about; nil for any.
    public func count(_ kind: RecordedStatement.Kind? = nil, table: String? = nil) -> Int {
        recorded.withLock { recorded in
            recorded.count { statement in
                (kind.map { statement.kind == $0 } ?? (statement.kind != .transaction))
                    && (table == nil || statement.table == table)
            }
        }
    }

    /// Forgets what was recorded so far.
    public func clear() { recorded.withLock { $0 = [] } }

    func append(_ statement: RecordedStatement) { recorded.withLock { $0.append(statement) } }
}
