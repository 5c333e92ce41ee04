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
    private let abortion = Mutex<DatabaseError?>(nil)
    /// Whether a transaction is open; an error outside of one ends nothing.
    private let isInTransaction = Atomic<Bool>(false)
    /// The operation that runs statements now, for the log.
    private let currentPurpose: Mutex<LeasePurpose>
    /// The transaction, if it is that of one load.
    let loadTransaction: LoadTransaction?
    private let changes = Mutex(SessionChanges())
    /// The period of observation in which it began.
    private let period: Int

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

    /// Runs statements that read, none of which needs what another returns, and hands over the rows of each.
    ///
    /// - Parameter receive: Receives the rows of the run at a position, and returns what else to run: after all others.
    /// - Throws: As ``run(_:_:timeout:consume:)``; and what `receive` throws.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func runTogether<Output: Sendable>(
        _ runs: [StatementRun<Output>], receive: (Int, Output) throws -> [StatementRun<Output>]
    ) async throws {
        var (runs, received) = (runs, 0)
        var observer = BatchObserver(self)
        while !runs.isEmpty {
            for run in runs { try admit(run.statement) }
            runs = observer.counting(runs)
            do {
                let base = received
                var more: [StatementRun<Output>] = []
                try await lease.connection.runTogether(
                    runs, begin: try loadTransaction?.takeBegin(alone: false),
                    timeout: core.configuration.timeouts.statement
                ) { index, output in
                    received += 1
                    loadTransaction?.noteReceived()
                    observer.end()
                    more += try receive(base + index, output)
                }
                runs = more
            } catch {
                observer.fail(error)
                if let error = error as? DatabaseError { note(error) }
                throw error
            }
        }
    }

    /// Begins the transaction of a load by itself, before a statement that can't go out with that.
    private func beginFirst(_ transaction: LoadTransaction) async throws {
        guard let begin = try transaction.takeBegin(alone: true) else { return }
        try await lease.connection.run(begin, .none, timeout: core.configuration.timeouts.statement) { _ in }
    }

    /// Begins to run a statement whose rows are asked for by ``read(_:of:upTo:bytes:)``.
    func openCursor(_ statement: Statement, _ parameters: ParameterBuffer) async throws -> any RowCursor {
        try admit(statement)
        let start = core.observer.start
        do {
            let cursor = try await lease.connection.openCursor(
                statement, parameters, timeout: core.configuration.timeouts.statement)
            core.observer.end(statement, since: start, purpose, in: self)
            return cursor
        } catch {
            core.observer.end(statement, since: start, purpose, in: self, error: error)
            throw (error as? DatabaseError).map { failed(statement, $0) } ?? error
        }
    }

    /// Reads the next rows of a cursor.
    func read(
        _ cursor: any RowCursor, of statement: Statement, upTo count: Int, bytes: Int
    ) async throws -> sending RowPortion {
        try checkAborted()
        let start = core.observer.start
        do {
            let portion = try await cursor.read(
                upTo: count, bytes: bytes, timeout: core.configuration.timeouts.statement)
            core.observer.end(
                statement, since: start, purpose, rows: RowCount(returned: portion.rows.underestimatedCount),
                isPortion: true, in: self)
            return portion
        } catch {
            core.observer.end(statement, since: start, purpose, isPortion: true, in: self, error: error)
            throw (error as? DatabaseError).map { failed(statement, $0) } ?? error
        }
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

    /// What was changed so far, for whoever is asked before it is committed.
    var changesSoFar: SessionChanges {
        var changes = changes.withLock { $0 }
        if period != core.observations.period { changes.noteAll() }
        return changes
    }

    /// Tells whoever observes that changes were committed.
    func publishChanges() {
        guard !isReadOnly, core.observations.isActive else { return }
        core.observations.publish(changes.withLock { $0 }, since: period)
    }

    /// Tells whoever observes that changes may have been committed.
    func publishUnknownOutcome() {
        if !isReadOnly { core.observations.publishUnknown() }
    }

    /// Asks the driver for more than a statement, and notes its errors as those of statements.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func inspect<Output>(
        _ body: nonisolated(nonsending) (any DriverConnection, Duration?) async throws -> Output
    ) async throws -> Output {
        try checkAborted()
        do {
            return try await body(lease.connection, core.configuration.timeouts.statement)
        } catch {
            if let error = error as? DatabaseError { note(error) }
            throw error
        }
    }

    private func checkAborted() throws {
        if core.hasGivenUp { throw PoolRefusal.closed.error }
        if isInTransaction.load(ordering: .relaxed), let error = abortedBy { throw Self.aborted(by: error) }
    }

    func failed(_ statement: Statement, _ error: DatabaseError) -> DatabaseError {
        let error = error.naming(statement)
        note(error)
        return error
    }

    /// Notes the error of a statement: whether the connection was lost, and whether the transaction is over.
    private func note(_ error: DatabaseError) {
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

    private func abort(_ error: DatabaseError) {
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

// MARK: - Transactions

extension Session {
    func begin(_ isolation: IsolationLevel) async throws {
        try await execute(core.controlStatements.begin(isolation, readOnly: isReadOnly, dialect: dialect))
        isInTransaction.store(true, ordering: .relaxed)
    }

    /// Runs `operation` in the transaction that has begun, and ends that.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func finishing<Output>(_ operation: nonisolated(nonsending) () async throws -> Output) async throws -> Output {
        let output: Output
        do {
            output = try await operation()
        } catch {
            await rollback()
            throw error
        }
        try await commit()
        return output
    }

    /// Commits, in a cancelled task too.
    ///
    /// - Throws: The error that ended the transaction, if one did and was swallowed, after rolling back;
    ///   ``DatabaseError/Code/commitOutcomeUnknown`` if the connection was lost meanwhile.
    func commit() async throws {
        if let error = abortedBy {
            await rollback()
            throw error
        }
        if loadTransaction?.isOver == true { return isInTransaction.store(false, ordering: .relaxed) }
        guard lease.connection.transactionStatus == .open else {
            let isUsable = lease.connection.isUsable
            await rollback()
            throw isUsable
                ? DatabaseError(
                    .transactionAborted,
                    "The engine had ended this transaction when it was to be committed. Nothing of it was kept; run it again."
                )
                : DatabaseError(
                    .connectionLost,
                    "The connection was lost before COMMIT. Nothing was kept; run the transaction again.")
        }
        do {
            try await execute(core.controlStatements.commit)
            isInTransaction.store(false, ordering: .relaxed)
            publishChanges()
        } catch let error as DatabaseError where error.leavesOutcomeOpen {
            isInTransaction.store(false, ordering: .relaxed)
            // What only reads has changed nothing, whatever became of its COMMIT.
            if isReadOnly || loadTransaction != nil { throw error }
            publishUnknownOutcome()
            throw error.ofCommit
        } catch {
            await rollback()
            throw error
        }
    }

    /// Rolls back, in a cancelled task too.
    ///
    /// A connection that can't is given up, so that nobody meets the transaction again.
    func rollback() async {
        isInTransaction.store(false, ordering: .relaxed)
        abortion.withLock { $0 = nil }
        guard lease.connection.isUsable, lease.connection.transactionStatus != .idle else { return }
        do {
            try await execute(core.controlStatements.rollback)
        } catch {
            lease.discard()
            core.configuration.telemetry.logger.info(
                "A connection was given up because its transaction could not be rolled back.")
        }
    }

    /// Begins a savepoint.
    func beginSavepoint(_ depth: Int) async throws {
        try await execute(core.controlStatements.savepoint(depth))
        changes.withLock { $0.beginSavepoint() }
    }

    func releaseSavepoint(_ depth: Int) async throws {
        try await execute(core.controlStatements.release(depth))
        changes.withLock { $0.releaseSavepoint() }
    }

    /// Undoes what was done since the savepoint, and releases it; the transaction is usable again, unless the engine
    /// ended it.
    func rollbackToSavepoint(_ depth: Int) async {
        changes.withLock { $0.rollBackToSavepoint() }
        let error = abortedBy
        abortion.withLock { $0 = nil }
        guard lease.connection.isUsable, lease.connection.transactionStatus != .idle else {
            return abort(error ?? DatabaseError(.transactionAborted, "The engine ended the transaction."))
        }
        do {
            try await execute(core.controlStatements.rollbackTo(depth))
            try await execute(core.controlStatements.release(depth))
        } catch {
            abort(DatabaseError(.transactionAborted, "A savepoint could not be rolled back."))
        }
    }
}

extension DatabaseError {
    /// Whether the connection was lost, whatever else is to be said of it.
    var tellsOfLoss: Bool { code == .connectionLost || underlyingCode == .connectionLost }

    /// Whether the engine may have done what it was asked, though it did not say so.
    var leavesOutcomeOpen: Bool { code == .connectionLost || mayHaveRun }

    /// The error of a statement whose answer never came, where it commits: COMMIT, or one that commits by itself.
    var ofCommit: DatabaseError {
        let reason =
            switch code {
            case .cancelled: "The task was cancelled"
            case .statementTimeout: "The statement timeout passed"
            case .connectionLost: "The connection was lost"
            default: "An error (\(code)) occurred"
            }
        var unknown = DatabaseError(
            .commitOutcomeUnknown,
            "\(reason) before the answer to a COMMIT or a write came: the change may or may not have been made. "
                + "Read the data to find out.",
            table: table, properties: properties)
        unknown.underlyingCode = code
        unknown.sql = sql
        unknown.engineCode = engineCode
        unknown.shownEngineMessage = shownEngineMessage
        return unknown
    }
}
