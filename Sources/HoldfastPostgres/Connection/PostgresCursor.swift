internal import CPostgres
@_spi(Driver) import Holdfast
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
        /// Whether the server is to make the next rows while those before are taken.
        var prefetches = false
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
        // Only by itself can the first one ask for types that are not known yet.
        let prefetches = state.withLock { $0.prefetches && $0.fetched.rows > 0 }
        let rows: ResultReader
        let isLast: Bool
        do throws(DatabaseError) {
            if prefetches {
                (rows, isLast) = try await fetch(wanted, timeout: timeout)
            } else {
                let fetch = Statement(command(wanted), isCached: false)
                rows = try await connection.results(of: fetch, .none, timeout: timeout)
                isLast = rows.rowCount < wanted
            }
        } catch {
            var error = error
            error.sql = sql
            throw error
        }
        let (rowCount, byteCount) = (rows.rowCount, rows.byteCount)
        state.withLock { $0.fetched = (rowCount, byteCount) }
        return RowPortion(rows, isLast: isLast)
    }

    private func command(_ count: Int) -> String { "FETCH FORWARD \(count) FROM \(name)" }

    func prefetch() { state.withLock { $0.prefetches = true } }

    func abandon() {
        // The server keeps no rows for it, but may be making some.
        connection.prefetched.withLock { if $0 != nil { connection.channel.cancelUnlessAnswered() } }
    }

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

// MARK: - Reading ahead

extension PostgresCursor {
    /// A FETCH that was sent.
    struct Fetch: Sendable {
        private var pipeline: Pipeline
        /// How many rows it asks for.
        let count: Int

        /// Sends it, and other commands before it.
        init(
            _ command: String, after others: [String] = [], count: Int, on connection: PostgresConnection
        ) throws(DatabaseError) {
            let commands = others + [command]
            self.count = count
            pipeline = Pipeline(
                connection.channel, count: commands.count, showsValues: connection.configuration.telemetry.showsValues)
            try pipeline.send { session, index in PQsendQueryParams(session, commands[index], 0, nil, nil, nil, nil, 1)
            }
        }

        /// Waits for its rows.
        mutating func rows() async throws(DatabaseError) -> GatheredResults {
            var gathered = GatheredResults(runCount: 1)
            // Sent are all; and what comes without columns leaves no trace.
            try await pipeline.receiveRest { _, result in
                gathered.add(result)
            }
            return gathered
        }
    }

    /// Requests the next portion of rows, and then takes the portion that was requested before.
    ///
    /// So the server makes the next portion while this one is read, which takes as long as making it.
    private func fetch(
        _ count: Int, timeout: Duration?
    ) async throws(DatabaseError) -> (rows: ResultReader, isLast: Bool) {
        if Task.isCancelled { throw .cancelled(.task) }
        let (channel, connection) = (connection.channel, connection)
        var current: Fetch
        if let fetch = connection.takePrefetched() {
            current = fetch
            channel.resume(deadline: .after(timeout))
        } else {
            try channel.begin(deadline: .after(timeout))
            do throws(DatabaseError) {
                current = try Fetch(command(count), after: [Self.withoutTimeout], count: count, on: connection)
            } catch {
                await channel.settle()
                return try connection.end(with: .failure(error))
            }
        }
        let (isParked, outcome) = await withTaskCancellationHandler {
            let next = await attempt { () async throws(DatabaseError) in
                try Fetch(command(count), count: count, on: connection)
            }
            var outcome = await attempt { () async throws(DatabaseError) in try await current.rows() }
            switch next {
            case .success(var next):
                let isMore = if case .success(let rows) = outcome { rows.rowCount == current.count } else { false }
                if isMore, channel.park() {
                    connection.prefetched.withLock { $0 = next }
                    return (true, outcome)
                }
                channel.goOn()
                let dropped = await attempt { () async throws(DatabaseError) in try await next.rows() }
                if isMore { outcome = .failure(missing(dropped)) }
            case .failure:
                if case .success = outcome { outcome = .failure(missing(outcome)) }
            }
            await channel.settle()
            return (false, outcome)
        } onCancel: {
            channel.cancel(.task)
        }
        let gathered = isParked ? try outcome.get() : try connection.end(with: outcome)
        return (ResultReader(gathered, catalog: connection.catalog), gathered.rowCount < current.count)
    }

    /// The error of a read whose rows, or those after them, were dropped: it was cancelled, or the connection was lost.
    private func missing(_ rows: Result<GatheredResults, DatabaseError>) -> DatabaseError {
        if let reason = connection.channel.cancelReason { return .cancelled(reason, afterSending: true) }
        if case .failure(let error) = rows { return error }
        return .connectionLost()
    }

    /// Turns off the server's own timeout of statements in the transaction of a stream; the timeout of each read
    /// applies.
    ///
    /// Otherwise, the server would count the time in which nobody takes its rows as time of the statement.
    private static let withoutTimeout = "SET LOCAL statement_timeout = 0"
}

extension PostgresConnection {
    func takePrefetched() -> PostgresCursor.Fetch? {
        prefetched.withLock { fetch in
            defer { fetch = nil }
            return fetch
        }
    }

    /// Takes what the server made ahead for a cursor that is read no more, so that another statement can run.
    func dropPrefetched() async {
        guard var fetch = takePrefetched() else { return }
        channel.resume(deadline: .after(Channel.cancelGrace))
        channel.cancelUnlessAnswered()
        let outcome = await attempt { () async throws(DatabaseError) in try await fetch.rows() }
        await channel.settle()
        // What became of it is nobody's concern any more; if it ended the transaction, the next statement reports that.
        _ = await attempt { () async throws(DatabaseError) in try end(with: outcome) }
    }
}
