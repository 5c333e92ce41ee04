@_spi(Driver) extension DriverConnection {
    public func receiveNotifications(
        _ receive: @escaping @Sendable ((channel: String, payload: String)?) -> Void
    ) throws {
        throw DatabaseError(.unsupported, "The driver has no notifications.")
    }

    public var hasOwnSettings: Bool { true }

    public var endpoint: [String: String] { [:] }

    public func interrupt() {}

    public func runImmediately(
        _ statement: Statement,
        _ parameters: ParameterBuffer,
        timeout: Duration?,
        consume: (any RowSource) throws -> Void
    ) throws -> RunProgress { .notBegun }

    public func runTogether<Output: Sendable>(
        _ runs: [StatementRun<Output>],
        begin: Statement?,
        timeout: Duration?,
        receive: (Int, Output) throws -> Void
    ) async throws {
        try await runInTurn(runs, begin: begin, timeout: timeout, receive: receive)
    }

    public func openCursor(
        _ statement: Statement, _ parameters: ParameterBuffer, timeout: Duration?
    ) async throws -> any RowCursor {
        guard !statement.kind.changesRows else {
            throw DatabaseError(.syntax, "A cursor is for a statement that reads.").naming(statement)
        }
        return try await run(statement, parameters, timeout: timeout) { try StoredCursor(copying: $0) }
    }

    /// Runs statements one after the other: what ``runTogether(_:begin:timeout:receive:)`` does where a driver has
    /// nothing better.
    ///
    /// - Parameters:
    ///   - runs: The statements in their order.
    ///   - start: The position of the first that is run.
    ///   - begin: What is to be run before all of them; nil for nothing.
    ///   - timeout: How long each of them may take; nil for no limit.
    ///   - receive: Receives what was read of the run at a position, on the isolation of the caller.
    /// - Throws: As ``runTogether(_:begin:timeout:receive:)``.
    public func runInTurn<Output: Sendable>(
        _ runs: [StatementRun<Output>],
        from start: Int = 0,
        begin: Statement?,
        timeout: Duration?,
        receive: (Int, Output) throws -> Void
    ) async throws {
        if let begin {
            do {
                try await run(begin, .none, timeout: timeout) { rows in while try rows.next() != nil {} }
            } catch let error as DatabaseError {
                throw error.naming(begin)
            }
        }
        for index in start..<runs.count {
            let (statement, consume) = (runs[index].statement, runs[index].consume)
            let output: Output
            do {
                output = try await run(statement, runs[index].parameters, timeout: timeout) { rows in
                    try consume(rows)
                }
            } catch let error as DatabaseError {
                throw error.naming(statement)
            }
            try receive(index, output)
        }
    }
}
