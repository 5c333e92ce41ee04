extension Session {
    /// Runs the statements of requests, none of which needs what another returns; rows are taken in the order of the requests.
    func load(_ requests: [LoadRequest]) async throws {
        guard !requests.isEmpty else { return }
        let shapes = requests.map(\.shape)
        // Where there is a server, it works while we do.
        let makesAhead = core.capabilities.hasRoundTrips
        try await runTogether(requests.map(\.run)) { index, source in
            try LoadedRows(copying: source, as: shapes[index])
        } take: { index, rows in
            try requests[index].take(rows)
            if makesAhead, index + 1 < requests.count { requests[index].target?.makeAhead() }
        }
    }

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
