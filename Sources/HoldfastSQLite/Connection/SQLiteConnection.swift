import CSQLite
@_spi(Driver) import Holdfast
import Synchronization

/// One connection to an SQLite database: decides on which thread its session works.
///
/// Brief statements run on the thread of the caller, which costs a few microseconds where a hop to another thread and
/// back costs ten times that. Whatever may wait (for a lock, or for the disk at a commit with full synchronization)
/// or is not brief runs on a thread of the driver.
// Sendable: a lease calls its methods one after the other, and each hands the session to one thread until it is done;
// what other tasks reach at the same time is the interrupter, which is Sendable itself.
final class SQLiteConnection: DriverConnection, @unchecked Sendable {
    let capabilities: Capabilities
    /// Nil once it is closed.
    private var session: SQLiteSession?
    private let interrupter: Interrupter
    let workers: WorkerPool
    /// Kept, as its threads and its temporary directory end with it.
    private let driver: SQLiteDriver
    /// Which of the driver's files it has open.
    private let file: Int

    /// The greatest number of parameter rows, and of values of a list, that still count as brief.
    private static let briefRows = 64

    init(_ session: SQLiteSession, driver: SQLiteDriver, workers: WorkerPool) {
        self.session = session
        self.interrupter = session.interrupter
        self.driver = driver
        let file = driver.file.load(ordering: .relaxed)
        self.file = file
        session.onMove { [unowned driver] in
            _ = driver.file.compareExchange(expected: file, desired: file + 1, ordering: .relaxed)
        }
        self.workers = workers
        self.capabilities = Capabilities(
            maximumParameters: session.maximumParameters,
            maximumNameBytes: nil,
            isolationLevels: [.serializable],
            hasConcurrentWriters: false,
            namesForeignKeys: false,
            canTerminateSessions: false,
            describesSchemas: true,
            maintainsDatabases: true,
            vacuums: true,
            indexesDocuments: driver.options.trustsSchema || JSONFunctions.areInnocuous,
            engineVersion: String(cString: sqlite3_libversion())
        )
    }

    var isUsable: Bool { session != nil && file == driver.file.load(ordering: .relaxed) }

    var endpoint: [String: String] { ["file": driver.path] }

    /// SQLite ends a transaction by itself on some errors, so it is asked each time.
    var transactionStatus: TransactionStatus { session?.isInTransaction == true ? .open : .idle }

    func run<Output>(
        _ statement: Statement,
        _ parameters: ParameterBuffer,
        timeout: Duration?,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output {
        let (session, run) = try begin(statement, timeout)
        defer { session.interrupter.end(run) }
        if Self.isBrief(statement, parameters) {
            do {
                // A timeout can stop it here, but a cancellation can't: a handler for that would take it off this
                // thread.
                return try session.perform(statement, parameters, lock: .none, consume: consume)
            } catch is MustWait {}
        }
        return try await onWorker(run, isStoppable: !statement.ignoresCancellation) { session in
            try session.perform(statement, parameters, lock: .upTo(session.settings.lockTimeout), consume: consume)
        }
    }

    func runImmediately(
        _ statement: Statement,
        _ parameters: ParameterBuffer,
        timeout: Duration?,
        consume: (any RowSource) throws -> Void
    ) throws -> RunProgress {
        let isBrief = Self.isBrief(statement, parameters)
        guard isBrief || statement.kind == .read else { return .notBegun }
        let (session, run) = try begin(statement, timeout)
        defer { session.interrupter.end(run) }
        do {
            try session.perform(statement, parameters, lock: .none, isTried: !isBrief) { try consume($0) }
            return .done
        } catch is MustWait {
            // A statement that writes is not tried again: its commit waits for the disk, on a thread of the driver.
            guard statement.kind.changesRows else { return .notBegun }
        }
        nonisolated(nonsending) func rest(_ consume: (any RowSource) throws -> Void) async throws {
            try consume(try await runElsewhere(statement, parameters, timeout))
        }
        return .begun(rest)
    }

    /// Runs a statement on a thread of the driver, and copies its rows.
    private func runElsewhere(
        _ statement: Statement, _ parameters: ParameterBuffer, _ timeout: Duration?
    ) async throws -> StoredRowSource {
        try await perform(statement, timeout) { session in
            try session.perform(statement, parameters, lock: .upTo(session.settings.lockTimeout)) { rows in
                let stored = StoredRows(width: rows.columnNames.count)
                while let cells = try rows.next() { stored.append(copying: cells) }
                return StoredRowSource(stored, columnNames: rows.columnNames, affectedRows: rows.affectedRows)
            }
        }
    }

    static func isBrief(_ statement: Statement, _ parameters: ParameterBuffer) -> Bool {
        statement.isBrief && parameters.rowCount <= briefRows
            && parameters.lists.allSatisfy { $0.rowCount <= briefRows }
    }

    /// Begins a run, which the caller has to end.
    private func begin(
        _ statement: Statement, _ timeout: Duration?
    ) throws -> (session: SQLiteSession, run: Interrupter.Run) {
        guard let session else { throw Self.closed }
        // COMMIT and ROLLBACK are neither refused nor stopped: a cancelled task must not leave its transaction open.
        let mayStop = !statement.ignoresCancellation
        if mayStop { try Self.checkCancellation() }
        let deadline = mayStop ? timeout.map(MonotonicTime.now.advanced(by:)) : nil
        // What stopped the last run may have come after its end, and would stop this one too.
        session.settleCursors()
        return (session, session.interrupter.begin(until: deadline ?? .distantFuture))
    }

    func openCursor(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws -> any RowCursor {
        let isAbandoned = Flag()
        let number = try await perform(statement, timeout) { session in
            defer { session.settleCursors() }
            return try session.openCursor(statement, parameters, isAbandoned: isAbandoned)
        }
        return SQLiteCursor(self, statement, number: number, isAbandoned: isAbandoned)
    }

    /// Lets a thread of the driver do something with the session that can be stopped as `statement` can.
    func perform<Output>(
        _ statement: Statement, _ timeout: Duration?,
        _ body: @escaping @Sendable (SQLiteSession) throws -> sending Output
    ) async throws -> sending Output {
        let (session, run) = try begin(statement, timeout)
        defer { session.interrupter.end(run) }
        return try await onWorker(run, body)
    }

    /// Does something on this thread, one of the driver's, that `cancellation` stops.
    func performHere<Output>(
        _ statement: Statement, _ timeout: Duration?, _ cancellation: RunCancellation,
        _ body: (SQLiteSession) throws -> sending Output
    ) throws -> sending Output {
        let (session, run) = try begin(statement, timeout)
        let interrupter = session.interrupter
        defer { interrupter.end(run) }
        if cancellation.begin({ interrupter.cancel(run) }) { throw Self.cancelled }
        return try body(session)
    }

    /// Ends a cursor, in a cancelled task too.
    func closeCursor(_ number: Int) async {
        // Without a thread it ends with its transaction.
        try? await onWorker(nil) { $0.closeCursor(number) }
    }

    /// Lets a thread of the driver use the session.
    ///
    /// - Parameters:
    ///   - run: What ends with it: on that thread, since the caller's may be busy with something else for long.
    ///   - isStoppable: Whether the run is stopped when the task is cancelled.
    private func onWorker<Output>(
        _ run: Interrupter.Run?, isStoppable: Bool = true,
        _ body: @escaping @Sendable (SQLiteSession) throws -> sending Output
    ) async throws -> sending Output {
        guard let interrupter = session?.interrupter else { throw Self.closed }
        return try await withTaskCancellationHandler {
            try await workers.run { [self] in
                defer { if let run { interrupter.end(run) } }
                guard let session else { throw Self.closed }
                return try body(session)
            }
        } onCancel: {
            if isStoppable, let run { interrupter.cancel(run) }
        }
    }

    func interrupt() { interrupter.cancelCurrent() }

    func close() async {
        guard session != nil else { return }
        do {
            try await workers.run { [self] in session = nil }
        } catch {
            session = nil  // no thread could be had: better here than not at all
        }
    }

    static func checkCancellation() throws {
        if Task.isCancelled { throw cancelled }
    }

    private static var cancelled: DatabaseError {
        DatabaseError(.cancelled, "The task was cancelled before the statement ran.")
    }

    private static var closed: DatabaseError { DatabaseError(.closed, "The connection was closed.") }
}
