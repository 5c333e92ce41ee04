import Foundation
@_spi(Driver) import Holdfast
import Synchronization
import SystemSQLite

/// One connection, whose work is done on a queue of its own: SQLite may wait for locks and for the disk.
// Unchecked: the database is used on the queue, or between two calls of the lease that has the connection.
final class PlainConnection: DriverConnection, @unchecked Sendable {
    let capabilities = Capabilities(
        maximumParameters: 32_766, maximumNameBytes: nil, isolationLevels: [.serializable],
        hasConcurrentWriters: false, namesForeignKeys: false, canTerminateSessions: false,
        engineVersion: String(cString: sqlite3_libversion()))
    private let configuration: DatabaseConfiguration
    private(set) var database: OpaquePointer?
    private let queue = DispatchQueue(label: "plain-sqlite")
    /// The use of the connection that is under way, and what may stop it.
    private let run = Mutex<(number: Int, deadline: ContinuousClock.Instant?, stop: DatabaseError.Code?)>((0, nil, nil))
    private var lockedSince = ContinuousClock.now

    init(_ configuration: DatabaseConfiguration) { self.configuration = configuration }

    deinit { sqlite3_close_v2(database) }

    var isUsable: Bool { database != nil }
    var endpoint: [String: String] { sqlite3_db_filename(database, nil).map { ["file": String(cString: $0)] } ?? [:] }
    var transactionStatus: TransactionStatus { isUsable && sqlite3_get_autocommit(database) == 0 ? .open : .idle }

    func opened(_ path: String, _ role: ConnectionRole) async throws -> PlainConnection {
        try await onQueue(configuration.timeouts.connect) { [self] in
            let flags = SQLITE_OPEN_READWRITE | (role == .write ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_EXRESCODE
            guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK else {
                throw DatabaseError(.cannotConnect, "The database file can't be opened. See that its directory exists.")
            }
            let this = Unmanaged.passUnretained(self).toOpaque()
            sqlite3_progress_handler(database, 1_000, { PlainConnection.of($0).mustStop() ? 1 : 0 }, this)
            sqlite3_busy_handler(database, { PlainConnection.of($0).waitsForLock($1) ? 1 : 0 }, this)
            plain_refuse_quoted_strings(database)
            registerFunctions()
            let settings = ["foreign_keys = ON", "journal_mode = WAL", "query_only = \(role == .read ? "ON" : "OFF")"]
            for setting in settings { try perform(Statement("PRAGMA \(setting)"), .none) { _ in } }
            return self
        }
    }

    func run<Output>(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output {
        try await onQueue(timeout, isStoppable: !statement.ignoresCancellation) { [self] in
            try perform(statement, parameters, consume)
        }
    }

    func schema(_ request: SchemaRequest, timeout: Duration?) async throws -> DatabaseSchema {
        try await onQueue(timeout) { [self] in try describe(request) }
    }

    func interrupt() { stop(run.withLock { $0.number }) }

    func close() async { queue.sync { if let open = database.take() { sqlite3_close_v2(open) } } }

    /// Runs a statement, on the queue.
    func perform<Output>(
        _ statement: Statement, _ parameters: ParameterBuffer, _ consume: (any RowSource) throws -> sending Output
    ) throws -> sending Output {
        let pointer = try prepare(statement)
        defer { sqlite3_finalize(pointer) }
        let rows = PlainRows(self, statement, pointer, parameters)
        let output = try consume(rows)
        // What was not read has to run all the same, and what failed is told though nobody looked.
        while try rows.next() != nil {}
        return output
    }

    private func prepare(_ statement: Statement) throws -> OpaquePointer {
        guard isUsable else { throw DatabaseError(.closed, "The connection was closed.") }
        var (pointer, other, tail): (OpaquePointer?, OpaquePointer?, UnsafePointer<CChar>?)
        try statement.sql.withCString { text in
            let status = sqlite3_prepare_v2(database, text, -1, &pointer, &tail)
            if status != SQLITE_OK { throw failure(status, isCompiling: true).naming(statement) }
            sqlite3_prepare_v2(database, tail, -1, &other, nil)
        }
        if let pointer, other == nil, !statement.sql.utf8.contains(0) { return pointer }
        for pointer in [pointer, other] { sqlite3_finalize(pointer) }
        throw DatabaseError(.syntax, "There has to be one statement, without NUL characters.").naming(statement)
    }

    /// What a result of the library means; of a statement that was stopped, why.
    func failure(_ status: Int32, isCompiling: Bool = false) -> DatabaseError {
        if let stop = run.withLock({ $0.stop }), [SQLITE_INTERRUPT, SQLITE_BUSY].contains(status & 0xff) {
            return DatabaseError(stop, "The statement was stopped: its task was cancelled, or its time was up.")
        }
        let words = String(cString: sqlite3_errmsg(database))
        return DatabaseError(status, words, isCompiling: isCompiling, configuration.telemetry.showsValues)
    }

    // MARK: Waiting and stopping

    private func onQueue<Output>(
        _ timeout: Duration?, isStoppable: Bool = true, _ body: @escaping @Sendable () throws -> sending Output
    ) async throws -> sending Output {
        let number = run.withLock { run in
            run = (run.number + 1, isStoppable ? timeout.map { .now + $0 } : nil, nil)
            return run.number
        }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Output, any Error>) in
                queue.async { [self] in
                    do {
                        if mustStop() { throw failure(SQLITE_INTERRUPT) }
                        continuation.resume(returning: try body())
                    } catch {
                        continuation.resume(throwing: error)
                    }
                }
            }
        } onCancel: {
            if isStoppable { stop(number) }
        }
    }

    private func stop(_ number: Int) { run.withLock { if $0.number == number { $0.stop = $0.stop ?? .cancelled } } }

    private func mustStop() -> Bool {
        run.withLock { run in
            if let deadline = run.deadline, deadline < .now { run.stop = run.stop ?? .statementTimeout }
            return run.stop != nil
        }
    }

    /// Called again and again while another connection has a lock.
    private func waitsForLock(_ count: Int32) -> Bool {
        if count == 0 { lockedSince = .now }
        Thread.sleep(forTimeInterval: 0.002)
        return !mustStop() && configuration.timeouts.lock.map { .now - lockedSince < $0 } ?? true
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> PlainConnection {
        // The library passes on what it was given when the database was opened.
        Unmanaged.fromOpaque(context!).takeUnretainedValue()
    }
}
