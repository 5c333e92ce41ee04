internal import CPostgres
import Holdfast
import Synchronization

/// A cursor of the server, from which rows are fetched by the hundred.
///
/// The server keeps the rows as they were when it was declared (its cursors are insensitive).
final class PostgresCursor: RowCursor {
    private let connection: PostgresConnection
    private let name: String
    private let sql: String
    /// How many rows are fetched before it is known how large they are.
    private static let firstCount = 64
    private static let lastNumber = Atomic<Int>(0)

    private struct State {
        /// How many rows have come the last time, and how much memory they took.
        var fetched = (rows: 0, bytes: 0)
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Declares a cursor.
    init(
        _ connection: PostgresConnection, _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws {
        self.connection = connection
        sql = statement.sql
        name = "holdfast_cursor_\(Self.lastNumber.add(1, ordering: .relaxed).newValue)"
        let declaration = Statement("DECLARE \(name) NO SCROLL CURSOR FOR \(statement.sql)", isCached: false)
        do throws(DatabaseError) {
            _ = try await connection.results(of: declaration, parameters, timeout: timeout)
        } catch {
            var error = error
            error.sql = statement.sql
            throw error
        }
    }

    /// The results of two commands would come by one channel.
    var queuesReads: Bool { false }

    func read(upTo count: Int, bytes: Int, timeout: Duration?) async throws -> sending RowPortion {
        let wanted = state.withLock { state in
            guard state.fetched.rows > 0 else { return min(count, Self.firstCount) }
            // Not many more than the last time: the next rows may be larger.
            let fitting = max(bytes * state.fetched.rows / max(state.fetched.bytes, 1), 1)
            return min(count, fitting, 4 * state.fetched.rows)
        }
        let fetch = Statement("FETCH FORWARD \(wanted) FROM \(name)", isCached: false)
        let rows: ResultReader
        do throws(DatabaseError) {
            rows = try await connection.results(of: fetch, .none, timeout: timeout)
        } catch {
            var error = error
            error.sql = sql
            throw error
        }
        let (rowCount, byteCount) = (rows.rowCount, rows.byteCount)
        state.withLock { $0.fetched = (rowCount, byteCount) }
        return RowPortion(rows, isLast: rowCount < wanted)
    }

    func abandon() {}  // the server keeps no rows for it

    func close() async {
        let isOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        // In a transaction that failed, the server refuses all but its end, which closes the cursor too.
        guard isOpen, connection.transactionStatus == .open else { return }
        let close = Statement("CLOSE \(name)", isCached: false, ignoresCancellation: true)
        _ = await attempt { () async throws(DatabaseError) in
            try await connection.results(of: close, .none, timeout: nil)
        }
    }
}
