/// Brief statements, for which a suspension would cost more than the statement itself.
extension DatabaseAccess {
    /// Runs one brief statement on a connection that is free, if there is one, without a suspension where that is
    /// possible.
    ///
    /// Nobody else sees how far a run has come: where a statement is under way, this waits for its end. A statement
    /// that writes commits by itself, so inside a transaction none is run here.
    ///
    /// - Parameters:
    ///   - need: `read` or `write`.
    ///   - willSuspend: Called before this waits for a statement that is under way.
    ///   - changes: What the statement has done to objects, asked for after it, and only while somebody observes.
    ///   - consume: Reads the rows, on the isolation of the caller.
    /// - Returns: Whether the statement has run; if not, nothing was done, and it is to be run by
    ///   ``perform(_:purpose:isSentAgain:_:)``.
    func runBriefly(
        _ need: Need, _ statement: Statement, _ parameters: ParameterBuffer, purpose: LeasePurpose,
        willSuspend: () -> Void = {}, telling changes: () -> [TableChanges] = { [] },
        consume: (any RowSource) throws -> Void
    ) async throws -> Bool {
        if need == .write, core.observations.hasGuards { return false }
        let purpose = purpose.at(site)
        switch kind {
        case .database(let core):
            try CurrentLease.check(core.id)
            let pool = core.pool(need == .write ? .write : .read)
            guard var loan = pool.checkOutIdle(purpose: purpose) else { return false }
            let progress: BriefRun
            let period = core.observations.period
            do {
                defer { pool.checkIn(loan) }
                progress = try await run(statement, parameters, on: loan.connection, purpose, willSuspend, consume)
                if progress == .suspended { loan.time = PoolClock.now }
            } catch let error as DatabaseError {
                if error.tellsOfLoss {
                    loan.connection.logLoss(error, during: purpose, core.configuration.telemetry.logger)
                }
                let error = error.naming(statement, of: purpose, in: core)
                guard need == .write, error.leavesOutcomeOpen else { throw error }
                core.observations.publishUnknown()
                throw error.ofCommit
            }
            if need == .write, progress != .none {
                core.observations.publish(statement, since: period, telling: changes)
            }
            if progress == .immediate, core.isTimeToYield { await Task.yield() }
            return progress != .none
        case .transaction(let scope):
            let scope = scope.current
            let session = scope.session
            guard need == .read, session.loadTransaction == nil, scope.lock.lockIfFree() else { return false }
            let progress: BriefRun
            do {
                defer { scope.lock.unlock() }
                guard scope.isLive else { throw Self.ended }
                session.purpose = purpose
                try session.admit(statement)
                do {
                    progress = try await run(
                        statement, parameters, on: session.lease.connection, purpose, willSuspend, consume)
                } catch let error as DatabaseError {
                    throw session.failed(statement, error)
                }
            }
            if progress == .immediate, core.isTimeToYield { await Task.yield() }
            return progress != .none
        }
    }

    /// Runs a statement that reads without a suspension, where the engine is in this process and finds that it is
    /// brief.
    ///
    /// - Parameter consume: Reads the rows; it may be called in vain, and is called again when the statement is then
    ///   run otherwise.
    /// - Returns: nil if the statement is to be run by ``perform(_:purpose:isSentAgain:_:)``.
    func runTrying<Output>(
        _ statement: Statement, _ parameters: ParameterBuffer, purpose: LeasePurpose,
        consume: (any RowSource) throws -> Output
    ) async throws -> Output? {
        guard !core.capabilities.hasRoundTrips else { return nil }
        var output: Output?
        let hasRun = try await runBriefly(.read, statement, parameters, purpose: purpose) { output = try consume($0) }
        return hasRun ? output : nil
    }

    /// How a brief statement has run.
    private enum BriefRun {
        case none, immediate, suspended
    }

    private func run(
        _ statement: Statement, _ parameters: ParameterBuffer, on connection: any DriverConnection,
        _ purpose: LeasePurpose, _ willSuspend: () -> Void, _ consume: (any RowSource) throws -> Void
    ) async throws -> BriefRun {
        let core = core
        let start = core.observer.start
        let counter = start != nil && core.observer.countsRows ? RowCounter() : nil
        func read(_ rows: any RowSource) throws {
            guard let counter else { return try consume(rows) }
            try counter.counting(rows) { try consume($0) }
        }
        do {
            var result = BriefRun.immediate
            switch try connection.runImmediately(
                statement, statement.completed(parameters), timeout: core.configuration.timeouts.statement,
                consume: read)
            {
            case .notBegun: return .none
            case .done: break
            case .begun(let rest):
                willSuspend()
                try await rest(read)
                result = .suspended
            }
            core.observer.end(statement, since: start, purpose, rows: counter?.count)
            return result
        } catch {
            core.observer.end(statement, since: start, purpose, error: error)
            throw error
        }
    }
}
