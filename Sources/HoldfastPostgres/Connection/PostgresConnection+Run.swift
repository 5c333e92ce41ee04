internal import CPostgres
@_spi(Driver) import Holdfast
import Synchronization

extension PostgresConnection {
    /// Runs `statement`, and returns its rows when all of them are there.
    ///
    /// A task that is cancelled already sends nothing, unless the statement ignores that.
    func results(
        of statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws(DatabaseError) -> ResultReader {
        if !statement.ignoresCancellation, Task.isCancelled { throw .cancelled(.task) }
        await dropPrefetched()
        try channel.begin(deadline: .after(timeout), ignoresCancellation: statement.ignoresCancellation)
        return try await completing(statement) { () async throws(DatabaseError) in
            try await perform(statement, parameters)
        }
    }

    /// Does what is left of a run of `statement` that has begun, and ends it.
    func completing(
        _ statement: Statement, _ body: () async throws(DatabaseError) -> ResultReader
    ) async throws(DatabaseError) -> ResultReader {
        let outcome = await withTaskCancellationHandler {
            let outcome = await attempt(body)
            await channel.settle()
            return outcome
        } onCancel: {
            channel.cancel(.task)
        }
        do throws(DatabaseError) {
            return try end(with: outcome)
        } catch {
            throw error.naming(statement)
        }
    }

    /// Ends a run that has settled.
    func end<Output>(with outcome: Result<Output, DatabaseError>) throws(DatabaseError) -> Output {
        let reason = endRun()
        switch outcome {
        case .success(let output):
            // A cancellation that came too late for the statement may have hit the transaction. If the connection was
            // given up because of it, the statement has been answered all the same.
            if let reason, isUsable, transactionStatus == .failed { throw .cancelled(reason, afterSending: true) }
            return output
        case .failure(let error):
            // What was sent may have been done: whether it matters, core knows.
            if let reason, error.code == .connectionLost { throw .unanswered(reason) }
            throw error
        }
    }

    /// Ends a run, and returns what it was cancelled for, if it was.
    @discardableResult
    func endRun() -> Channel.CancelReason? {
        let (reason, isUsable) = channel.end()
        if !isUsable { channel.finish() }
        return reason
    }

    /// Runs `statement` within a run that has begun.
    func perform(_ statement: Statement, _ parameters: ParameterBuffer) async throws(DatabaseError) -> ResultReader {
        if parameters.rowCount == 0 { return ResultReader(GatheredResults(runCount: 0), catalog: catalog) }
        if let pooled, transactionStatus == .idle, statement.kind == .begin {
            return try await begin(statement, pooled)
        }
        var namedTypes: [UInt32]?
        var mayPrepareAgain = transactionStatus == .idle
        var bulkAttempts = 2
        while true {
            var plan = try await plan(statement, parameters, namedTypes: namedTypes)
            if let pooled, transactionStatus == .idle { plan.leading.insert(.run(pooled.beforeStatement), at: 0) }
            if bulkAttempts > 0 {
                bulkAttempts -= 1
                switch try await runInBulk(statement, parameters, plan) {
                case .done(let rows): return rows
                case .rowByRow: bulkAttempts = 0
                case .stalePlan:
                    prepared.withLock { $0.remove(plan.key, isKnownToServer: true) }
                    continue
                }
            }
            do throws(DatabaseError) {
                switch try await execute(plan, statement, parameters) {
                case .done(let rows): return rows
                case .ambiguous:
                    let types = TypeChoice.types(parameters, inferred: plan.types, named: plan.key.namedTypes)
                    if types == plan.key.namedTypes { throw mixedKinds }
                    namedTypes = types
                case .outdated: prepared.withLock { $0.remove(plan.key, isKnownToServer: true) }
                }
            } catch {
                // Outside a transaction nothing has happened yet, so that it can be done again.
                guard forget(plan, ifStale: error), mayPrepareAgain else { throw error }
                mayPrepareAgain = false
            }
        }
    }

    /// Begins a transaction, with what it has to bring along.
    private func begin(
        _ statement: Statement, _ pooled: SessionSettings.Pooled
    ) async throws(DatabaseError) -> ResultReader {
        let commands = [statement.sql] + pooled.afterBegin
        var pipeline = Pipeline(channel, count: commands.count, showsValues: configuration.telemetry.showsValues)
        try await pipeline.run { session, index throws(DatabaseError) in
            StatementPlan.Command.run(commands[index]).send(session)
        } receive: { _, _ in
        }
        return ResultReader(GatheredResults(runCount: 1), catalog: catalog)
    }

    /// Forgets what is prepared if `error` says that the server can't use it any more, and returns whether it does.
    func forget(_ plan: StatementPlan, ifStale error: DatabaseError) -> Bool {
        guard error.isStalePlan else { return false }
        prepared.withLock { prepared in
            prepared.remove(plan.key, isKnownToServer: error.engineCode != "26000")
            // The other statements on the table don't fit any more either. Each would fail once, and a load has
            // several.
            if error.engineCode == "0A000" || TypeChoice.canHelp(error.engineCode) { prepared.dropAll() }
        }
        return true
    }

    private var mixedKinds: DatabaseError {
        DatabaseError(.invalidValue, "A parameter has values of kinds that no type has in common. Nothing was sent.")
    }

    /// The outcome of running a prepared statement.
    private enum Execution {
        case done(ResultReader)
        /// Nothing was sent: a parameter is ambiguous unless its type is named.
        case ambiguous
        /// Nothing was done: a value does not fit what its column was when the statement was prepared, and may fit what
        /// it is now; or the statement has to be guarded in another way.
        case outdated
    }

    /// Runs a prepared statement once per row of `parameters`, in one round trip.
    private func execute(
        _ plan: StatementPlan, _ statement: Statement, _ parameters: ParameterBuffer
    ) async throws(DatabaseError) -> Execution {
        var encoder = ParameterEncoder(plan.types, limits: plan.statement.limits)
        let (rowCount, lead) = (parameters.rowCount, plan.leading.count)
        let commandCount = lead + rowCount + plan.trailing.count
        if commandCount > 1, let failure = encoder.firstFailure(parameters) {
            // Before anything is sent: a batch is never left half done for a value that can't be stored.
            if let execution = Self.execution(failure, plan) { return execution }
            throw parameterError(failure, plan, statement, rowCount: rowCount)
        }
        var failure: ParameterEncoder.Failure?
        var gathered = GatheredResults(runCount: rowCount, guardCount: plan.statement.guardCount)
        var pipeline = Pipeline(channel, count: commandCount, showsValues: configuration.telemetry.showsValues)
        if statement.isBrief, rowCount == 1 { pipeline.brief = plan.statement.kind }
        do throws(DatabaseError) {
            try await pipeline.run { session, index throws(DatabaseError) in
                if index < lead { return plan.leading[index].send(session) }
                if index >= lead + rowCount { return plan.trailing[index - lead - rowCount].send(session) }
                let (status, cause) = plan.statement.send(session, parameters, row: index - lead, &encoder)
                failure = cause
                if let failure { throw parameterError(failure, plan, statement, rowCount: rowCount) }
                return status
            } receive: { index, result in
                if index >= lead, index < lead + rowCount { gathered.add(result) }
            }
        } catch {
            if let execution = failure.flatMap({ Self.execution($0, plan) }) { return execution }
            if let failure = pipeline.failure, failure.index < lead, !pipeline.isInTransaction,
                plan.leading[failure.index].isRefusedComparison(error.engineCode)
            {
                // The implicit transaction is rolled back. From now on, types are compared in the catalog.
                prepared.withLock { $0.comparesRecords = false }
                return .outdated
            }
            keep(plan, unlessFailedAt: pipeline.failure?.index ?? 0)
            var error = pipeline.stale(error, plan)
            if rowCount > 1, let failure = pipeline.failure { error.objectIndex = max(failure.index - lead, 0) }
            throw error
        }
        keep(plan, unlessFailedAt: nil)
        let checksTypes = checksTypes(plan, statement)
        let rows = try rows(of: gathered, statement, checksTypes: checksTypes)
        try await learnTypes(of: gathered, evenOfNone: checksTypes)
        return .done(rows)
    }

    /// The outcome of a statement that was not sent, if it can be prepared in a way that may help.
    private static func execution(_ failure: ParameterEncoder.Failure, _ plan: StatementPlan) -> Execution? {
        switch failure.cause {
        case .isAmbiguous: .ambiguous
        case .tooLarge: nil
        case .doesNotFit, .exceedsLimit, .mismatch: plan.isFresh ? nil : .outdated
        }
    }

    /// Asks for the types of the rows that a statement has returned, as far as they aren't known yet.
    ///
    /// - Parameter evenOfNone: Whether the types matter although there are no rows.
    func learnTypes(of results: GatheredResults, evenOfNone: Bool = false) async throws(DatabaseError) {
        do throws(DatabaseError) {
            try await learn(results.unknownTypes(catalog, evenOfNone: evenOfNone))
        } catch {
            var error = error
            if error.code == .cancelled, let reason = channel.cancelReason {
                error = .cancelled(reason, afterSending: true)
            }
            // The statement itself has run.
            error.mayHaveRun = true
            throw error
        }
    }

    /// The rows that a statement has returned; those of types that aren't known yet can be read once these are learnt.
    func rows(
        of results: GatheredResults, _ statement: Statement, checksTypes: Bool = false
    ) throws(DatabaseError) -> ResultReader {
        if results.hasDroppedPreparedStatements { prepared.withLock { $0.removeAll() } }
        if results.mayHaveChangedSchema { prepared.withLock { $0.dropAll() } }
        if results.wasRolledBack, statement.kind == .commit { throw .rolledBack() }
        return ResultReader(results, catalog: catalog, checksTypes: checksTypes)
    }

    func parameterError(
        _ failure: ParameterEncoder.Failure, _ plan: StatementPlan, _ statement: Statement, rowCount: Int
    ) -> DatabaseError {
        let type = catalog.name(plan.oids[failure.column])
        var error = DatabaseError.parameter(failure.cause, failure.kind, column: failure.column, type: type)
        if case .other = plan.types[failure.column] { error.code = .unsupported }
        if rowCount > 1 { error.objectIndex = failure.row }
        if let change = statement.rowChange, let column = change.column(ofParameter: failure.column) {
            (error.table, error.properties) = (change.table.description, [column])
        }
        return error
    }
}

/// Calls `body`, and returns what came of it.
func attempt<Output>(
    _ body: () async throws(DatabaseError) -> Output
) async -> Result<Output, DatabaseError> {
    do throws(DatabaseError) {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
