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
