import Logging
import Synchronization

/// The use of one leased connection: statements, and where it stands with its transaction.
final class Session: Sendable {
    let core: DatabaseCore
    let lease: Lease
    let isReadOnly: Bool
    /// Whether none of its statements sees what others commit meanwhile.
    let hasSnapshot: Bool

    /// The run of the closure whose transaction this is; nil where it would not run again by itself.
    let attempt: TransactionAttempt?

    /// The span of the transaction, where traces are recorded.
    let span: TransactionSpan?
    /// Whether its statements are those of several tasks, each of which tells of its own part.
    let servesOtherTasks: Bool
    /// Whether nothing has told yet that the connection had to be waited for.
    private let hasUntoldWait: Atomic<Bool>

    /// The error that ended the transaction in which the session is; until it rolls back nothing more runs.
    let abortion = Mutex<DatabaseError?>(nil)
    /// Whether a transaction is open; an error outside of one ends nothing.
    let isInTransaction = Atomic<Bool>(false)
    /// The operation that runs statements now, for the log.
    private let currentPurpose: Mutex<LeasePurpose>
    /// The transaction, if it is that of one load.
    let loadTransaction: LoadTransaction?
    let changes = Mutex(SessionChanges())
    /// The period of observation in which it began.
    let period: Int

    init(
        core: DatabaseCore, lease: Lease, isReadOnly: Bool, hasSnapshot: Bool = false,
        loadTransaction: LoadTransaction? = nil, attempt: TransactionAttempt? = nil, span: TransactionSpan? = nil,
        servesOtherTasks: Bool = false
    ) {
        self.attempt = attempt
        self.span = span
        self.servesOtherTasks = servesOtherTasks
        if let span, let wait = lease.wait { span.noteWait(wait) }
        hasUntoldWait = Atomic(span == nil && lease.wait != nil)
        self.core = core
        self.lease = lease
        self.isReadOnly = isReadOnly
        self.hasSnapshot = hasSnapshot
        self.loadTransaction = loadTransaction
        period = core.observations.period
        currentPurpose = Mutex(lease.purpose)
        isInTransaction.store(loadTransaction != nil, ordering: .relaxed)
    }

    var dialect: any Dialect { core.dialect }
    /// The operation that runs statements now: of a transaction, the one that uses it.
    var purpose: LeasePurpose {
        get { currentPurpose.withLock { $0 } }
        set { currentPurpose.withLock { $0 = newValue } }
    }
    var abortedBy: DatabaseError? { abortion.withLock { $0 } }

    /// The time for which the connection had to be waited for, once, if the session has no span to tell it.
    func takeWait() -> Duration? {
        hasUntoldWait.exchange(false, ordering: .relaxed) ? lease.wait : nil
    }

    /// Runs a statement and hands its rows to `consume`.
    ///
    /// - Parameter timeout: How long it may take; nil for what the configuration says.
    /// - Throws: ``DatabaseError/Code/transactionAborted`` without running it, if an earlier error of the engine ended
    ///   the transaction; else what the driver throws.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func run<Output>(
        _ statement: Statement, _ parameters: ParameterBuffer = .none, timeout: Duration? = nil,
        consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> sending Output {
        try admit(statement)
        let start = core.observer.start
        let counter = start != nil && core.observer.countsRows ? RowCounter() : nil
        do {
            if let loadTransaction {
                try await beginFirst(loadTransaction)
                // The statement may be the caller's, which must not run twice; a rollback only ends the transaction.
                if statement.id != core.controlStatements.rollback.id { loadTransaction.noteOther() }
            }
            let timeout = timeout ?? core.configuration.timeouts.statement
            let parameters = statement.completed(parameters)
            let output: Output
            if let counter {
                output = try await lease.connection.run(statement, parameters, timeout: timeout) { rows in
                    try counter.counting(rows, consume)
                }
            } else {
                output = try await lease.connection.run(statement, parameters, timeout: timeout, consume: consume)
            }
            core.observer.end(
                statement, since: start, purpose, rows: counter?.count, batchSize: parameters.rowCount, in: self)
            return output
        } catch {
            core.observer.end(
                statement, since: start, purpose, batchSize: parameters.rowCount, in: self, error: error)
            throw (error as? DatabaseError).map { failed(statement, $0) } ?? error
        }
    }

    /// Begins the transaction of a load by itself, before a statement that can't go out with that.
    private func beginFirst(_ transaction: LoadTransaction) async throws {
        guard let begin = try transaction.takeBegin(alone: true) else { return }
        try await lease.connection.run(begin, .none, timeout: core.configuration.timeouts.statement) { _ in }
    }

    /// Lets a statement run, unless an error has ended the transaction.
    func admit(_ statement: Statement) throws {
        try checkAborted()
        // Before it runs: whether one that fails has left something in the session, nobody knows.
        if statement.changesSession { lease.closeAtRelease() }
        if statement.isRaw { lease.checkSettingsAtRelease() }
        if core.observations.isActive { changes.withLock { $0.note(statement) } }
    }

    /// Notes what an operation has done to objects, for whoever observes.
    ///
    /// - Parameter changes: The changes, which are asked for only while somebody observes.
    func note(_ changes: () -> [TableChanges]) {
        guard core.observations.isActive else { return }
        for changes in changes() where !changes.changes.isEmpty { self.changes.withLock { $0.note(changes) } }
    }

    func checkAborted() throws {
        if core.hasGivenUp { throw PoolRefusal.closed.error }
        if isInTransaction.load(ordering: .relaxed), let error = abortedBy { throw Self.aborted(by: error) }
    }

    func failed(_ statement: Statement, _ error: DatabaseError) -> DatabaseError {
        let error = error.naming(statement, of: purpose, in: core)
        note(error)
        return error
    }

    /// Notes an error of the driver that is about no statement.
    func noted(_ error: DatabaseError) -> DatabaseError {
        let error = error.called(by: purpose)
        note(error)
        return error
    }

    /// Notes the error of a statement: whether the connection was lost, and whether the transaction is over.
    func note(_ error: DatabaseError) {
        if error.tellsOfLoss { lease.logLoss(error) }
        // Without a code of the engine, the error was raised before anything was sent, or by who took the rows.
        if error.engineCode != nil || !lease.connection.isUsable { abort(error) }
    }

    /// Runs a statement for its effect.
    ///
    /// - Returns: The number of rows inserted, updated or deleted.
    @discardableResult
    func execute(_ statement: Statement, _ parameters: ParameterBuffer = .none) async throws -> Int {
        try await run(statement, parameters) { rows in
            while try rows.next() != nil {}
            return rows.affectedRows
        }
    }

    /// Runs a statement that returns so many values a row, and copies them.
    func collect(
        _ statement: Statement, _ parameters: ParameterBuffer, width: Int = 1
    ) async throws -> ParameterBuffer {
        try await run(statement, parameters) { rows in
            var result = ParameterBuffer(width: width)
            while let cells = try rows.next() {
                for column in 0..<width { result.append(copying: cells[column]) }
            }
            return result
        }
    }

    /// Runs a statement and keeps a copy of its rows.
    ///
    /// - Parameter timeout: How long the statement may take; nil for what the configuration says.
    func copiedRows(
        _ statement: Statement, _ parameters: ParameterBuffer, width: Int, timeout: Duration? = nil
    ) async throws -> StoredRows {
        try await run(statement, parameters, timeout: timeout) { source in
            try StoredRows(copying: source, width: width)
        }
    }

    func abort(_ error: DatabaseError) {
        guard isInTransaction.load(ordering: .relaxed) else { return }
        abortion.withLock { $0 = $0 ?? error }
    }

    private static func aborted(by error: DatabaseError) -> DatabaseError {
        DatabaseError(
            .transactionAborted,
            "An earlier error (\(error.code)) ended this transaction. Let its closure throw, or nest what may fail in a transaction of its own.",
            table: error.table, properties: error.properties)
    }
}
