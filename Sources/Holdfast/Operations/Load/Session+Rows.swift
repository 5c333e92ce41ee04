extension Session {
    /// Runs the statements of requests, none of which needs what another returns; rows are taken in the order of the
    /// requests, and what they show is to be asked for comes last.
    ///
    /// - Parameter makeAhead: Makes objects of rows that a table has got, while a server works on further statements.
    func load(_ requests: [LoadRequest], makeAhead: (LoadTable) -> Void = { _ in }) async throws {
        guard !requests.isEmpty else { return }
        // Where there is a server, it works while we do.
        let makesAhead = core.capabilities.hasRoundTrips
        var requests = requests
        try await runTogether(requests.map(\.run)) { index, rows in
            try requests[index].store(rows)
            let more = requests[index].next()
            requests += more
            if makesAhead, let target = requests[index].target,
                requests[(index + 1)...].contains(where: { !$0.isEnd })
            {
                makeAhead(target)
            }
            return more.map(\.run)
        }
    }

    /// The request that ends the transaction of a load in the round trip of its last statements; none where the load
    /// has no transaction of its own.
    var endOfLoad: [LoadRequest] { loadTransaction?.requestEnd(core.controlStatements.endOfLoad).map { [$0] } ?? [] }

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
}
