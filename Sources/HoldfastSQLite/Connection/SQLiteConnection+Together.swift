@_spi(Driver) import Holdfast

extension SQLiteConnection {
    /// Runs statements on one thread of the driver, without a hop between them; what each returns is taken meanwhile.
    func runTogether<Output: Sendable>(
        _ runs: [StatementRun<Output>],
        begin: Statement?,
        timeout: Duration?,
        receive: (Int, Output) throws -> Void
    ) async throws {
        guard begin == nil, runs.count > 1, !runs.allSatisfy({ Self.isBrief($0.statement, $0.parameters) }),
            !runs.contains(where: \.statement.ignoresCancellation)
        else { return try await runInTurn(runs, begin: begin, timeout: timeout, receive: receive) }
        do { try Self.checkCancellation() } catch let error as DatabaseError { throw error.naming(runs[0].statement) }
        let cancellation = RunCancellation()
        let outputs = OutputQueue<Output>()
        workers.submit { [self] in
            outputs.end(Result { for run in runs { outputs.put(try runHere(run, timeout, cancellation)) } })
        } orFail: {
            outputs.end(.failure(($0 as? DatabaseError)?.naming(runs[0].statement) ?? $0))
        }
        // Rows are taken outside of the handler, within which the caller's isolation is left.
        func next() async throws -> Output? {
            try await withTaskCancellationHandler {
                try await outputs.next()
            } onCancel: {
                cancellation.cancel()
            }
        }
        var index = 0
        while let output = try await next() {
            do {
                try receive(index, output)
            } catch {
                cancellation.cancel()
                await outputs.waitForEnd()
                throw error
            }
            index += 1
        }
    }

    private func runHere<Output: Sendable>(
        _ run: StatementRun<Output>, _ timeout: Duration?, _ cancellation: RunCancellation
    ) throws -> Output {
        do {
            return try performHere(run.statement, timeout, cancellation) { session in
                try session.perform(
                    run.statement, run.parameters, lock: .upTo(session.settings.lockTimeout)
                ) { try run.consume($0) }
            }
        } catch let error as DatabaseError {
            throw error.naming(run.statement)
        }
    }
}
