/// What is more than one statement: several in one round trip, cursors, and questions that a driver answers itself.
extension Session {
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
            for index in runs.indices {
                let statement = runs[index].statement
                try admit(statement)
                if !statement.scopeValues.isEmpty {
                    runs[index].parameters = statement.completed(runs[index].parameters)
                }
            }
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
                guard let error = error as? DatabaseError else { throw error }
                // The driver has named the statement.
                let failed = runs.first { $0.statement.sql == error.sql }?.statement
                throw failed.map { self.failed($0, error) } ?? noted(error)
            }
        }
    }

    /// Begins to run a statement whose rows are asked for by ``read(_:of:upTo:bytes:)``.
    func openCursor(_ statement: Statement, _ parameters: ParameterBuffer) async throws -> any RowCursor {
        try admit(statement)
        let start = core.observer.start
        do {
            let cursor = try await lease.connection.openCursor(
                statement, statement.completed(parameters), timeout: core.configuration.timeouts.statement)
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

    /// Asks the driver for more than a statement, and notes its errors as those of statements.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func inspect<Output>(
        _ body: nonisolated(nonsending) (any DriverConnection, Duration?) async throws -> Output
    ) async throws -> Output {
        try checkAborted()
        do {
            return try await body(lease.connection, core.configuration.timeouts.statement)
        } catch {
            throw (error as? DatabaseError).map(noted) ?? error
        }
    }
}
