internal import CPostgres
import Foundation

/// How a statement is going to be run on a connection.
struct StatementPlan {
    var statement: PreparedStatement
    /// The commands to send first in the same round trip, such as those that prepare the statement.
    var leading: [Command] = []
    /// The commands to send last in the same round trip, for the sake of ``ColumnGuard``.
    var trailing: [Command] { statement.comparison.map { [$0] } ?? [] }
    /// Whether the server was asked for the types of columns just now.
    var isFresh = false

    init(statement: PreparedStatement, leading: [Command] = [], isFresh: Bool = false) {
        self.statement = statement
        self.leading = leading + (statement.guardName.map { [.runPrepared(name: $0)] } ?? [])
        self.isFresh = isFresh
    }

    var key: PreparedStatements.Key { statement.key }
    var name: String { statement.name }
    var oids: [UInt32] { statement.oids }
    var types: [WireType] { statement.types }

    /// Whether the statement is made known to the session on the way.
    var prepares: Bool { leading.contains { if case .prepare = $0 { true } else { false } } }

    /// A command that is no run of the statement.
    enum Command {
        case prepare(name: String, sql: String, types: [UInt32])
        case describe(name: String)
        case run(String)
        /// Runs SQL with texts for its parameters.
        case query(String, [String])
        /// Runs a prepared statement that has no parameters.
        case runPrepared(name: String)
        /// Runs SQL with NULL for parameters of these types.
        case compare(String, [UInt32])
        /// Takes a prepared statement from the server; does nothing if there is none of that name. Only where
        /// ``canClose`` is true.
        case close(name: String)

        // Unchecked: a function, found once.
        private nonisolated(unsafe) static let closing = holdfast_find_close_prepared()

        /// Whether libpq can close prepared statements: else it takes SQL, which fails if there is none of that name.
        static var canClose: Bool { closing != nil }

        func send(_ session: OpaquePointer) -> Int32 {
            switch self {
            case .prepare(let name, let sql, let types):
                PQsendPrepare(session, name, sql, Int32(truncatingIfNeeded: types.count), types)
            case .describe(let name): PQsendDescribePrepared(session, name)
            case .close(let name): holdfast_send_close_prepared(Self.closing, session, name)
            case .run(let sql): PQsendQueryParams(session, sql, 0, nil, nil, nil, nil, 1)
            case .query(let sql, let texts): Self.send(sql, texts, session)
            case .runPrepared(let name): PQsendQueryPrepared(session, name, 0, nil, nil, nil, 1)
            case .compare(let sql, let types):
                PQsendQueryParams(session, sql, Int32(truncatingIfNeeded: types.count), types, nil, nil, nil, 1)
            }
        }

        private static func send(_ sql: String, _ texts: [String], _ session: OpaquePointer) -> Int32 {
            let copies = texts.map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            let pointers = copies.map { $0.map { UnsafePointer($0) } }
            return PQsendQueryParams(session, sql, Int32(texts.count), nil, pointers, nil, nil, 1)
        }

        /// The command's SQL, if it has any.
        var sql: String? {
            switch self {
            case .prepare(_, let sql, _), .run(let sql), .query(let sql, _), .compare(let sql, _): sql
            case .describe, .close, .runPrepared: nil
            }
        }

        /// Whether it is there for ``ColumnGuard``, and has failed since columns have changed: by the server's code.
        ///
        /// Any other code says that it can't be run, however often it is tried.
        func tellsOfChange(_ state: String?) -> Bool {
            switch self {
            // The results would have other types; a table, a column or the right to read it is gone.
            case .runPrepared: ["0A000", "42P01", "3F000", "42703", "42501"].contains(state)
            // It is parsed each time. Records whose columns have different types are refused.
            case .compare: ["42804", "42P01", "3F000", "42703"].contains(state)
            default: false
            }
        }

        /// Whether it is a comparison of ``ColumnGuard`` that the server can't run: it lacks the operator, or does not
        /// let the user have it.
        func isRefusedComparison(_ state: String?) -> Bool {
            guard case .compare = self, let state else { return false }
            return (state.hasPrefix("42") || state.hasPrefix("0A")) && !tellsOfChange(state)
        }
    }
}
