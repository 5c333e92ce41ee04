/// A statement of a load, and what becomes of its rows.
struct LoadRequest {
    let run: StatementRun<LoadedRows>
    /// The table that gets its rows, of which objects may be made while others come.
    let target: LoadTable?
    /// Whether it is what ends the transaction.
    let isEnd: Bool
    /// Takes the rows into the table that asked for them.
    let store: (LoadedRows) throws -> Void
    /// Returns the requests that these rows lead to.
    let next: () -> [LoadRequest]

    init(
        _ statement: Statement, _ parameters: ParameterBuffer, _ shape: LoadedRows.Shape,
        into target: LoadTable? = nil, isEnd: Bool = false,
        store: @escaping (LoadedRows) throws -> Void,
        next: @escaping () -> [LoadRequest] = { [] }
    ) {
        run = StatementRun(statement, parameters) { try LoadedRows(copying: $0, as: shape) }
        self.target = target
        self.isEnd = isEnd
        self.store = store
        self.next = next
    }
}

extension LoadTransaction {
    /// Returns the request that ends the transaction, to be run after all others; nil if it was asked for before.
    func requestEnd(_ statement: Statement) -> LoadRequest? {
        guard noteEndAskedFor() else { return nil }
        return LoadRequest(statement, .none, .rows(width: 0), isEnd: true) { _ in self.noteEnded() }
    }
}

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
}
