extension Session {
    /// Runs the statements of requests, none of which needs what another returns; rows are taken in the order of the requests, and
    /// what they show is to be asked for comes last.
    func load(_ requests: [LoadRequest]) async throws {
        guard !requests.isEmpty else { return }
        // Where there is a server, it works while we do.
        let makesAhead = core.capabilities.hasRoundTrips
        var requests = requests
        try await runTogether(requests.map(\.run)) { index, rows in
            try requests[index].take(rows)
            let more = requests[index].next()
            requests += more
            if makesAhead, requests[(index + 1)...].contains(where: { !$0.isEnd }) {
                requests[index].target?.makeAhead()
            }
            return more.map(\.run)
        }
    }

    /// What ends the transaction of a load in the round trip of its last statements; nothing where it is no transaction of its own.
    var endOfLoad: [LoadRequest] { loadTransaction?.takeEnd(core.statements.endOfLoad).map { [$0] } ?? [] }

    /// Runs a statement and keeps a copy of its rows.
    ///
    /// - Parameter timeout: How long it may take; nil for what the configuration says.
    func copiedRows(
        _ statement: Statement, _ parameters: ParameterBuffer, width: Int, timeout: Duration? = nil
    ) async throws -> StoredRows {
        try await run(statement, parameters, timeout: timeout) { source in
            try StoredRows(copying: source, width: width)
        }
    }
}
