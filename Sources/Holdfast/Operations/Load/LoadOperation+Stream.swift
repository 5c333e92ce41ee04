extension LoadOperation {
    /// The objects that a statement selects, as they are asked for.
    ///
    /// - Parameter open: Begins to run the statement.
    func stream(_ open: @escaping () async throws -> StreamSource) -> StreamReader<Model> {
        let description = plan.description
        return StreamReader(
            open: open, isRowsOnly: isFlat,
            read: { source, session in try await portion(of: source, session) },
            explain: { description.explained($0) })
    }

    /// The objects that a statement selects, read through a session that a stream has.
    func objects(
        _ statement: Statement, _ parameters: ParameterBuffer, through session: Session
    ) async throws -> Transfer<() throws -> [Model]> {
        let graph = LoadGraph(access, scope)
        let maker = try graph.rootMaker(of: Model.self)
        let rowIndices = try await graph.loadRows(
            of: maker.table, selectedBy: statement, parameters, at: positions(), selectsAll: false, through: session)
        return Transfer {
            try graph.makeObjects()
            return told(maker.objects(rowIndices))
        }
    }

    private func portion(of source: StreamSource, _ session: Session) async throws -> StreamReader<Model>.Portion {
        let found = try await source.read(session)
        guard !isFlat else {
            let decoder = ResultDecoder(plan, access)
            let rows = Transfer(value: found.rows)
            return .init(isLast: found.isLast) { told(try finished(try decoder.objects(of: rows.value).value)) }
        }
        // A graph for each portion, since one for all would hold all.
        let graph = LoadGraph(access, scope)
        let maker = try graph.rootMaker(of: Model.self)
        let table = maker.table
        let rowIndices = table.rows.add(
            try StoredRows(copying: found.rows, width: table.rows.width, at: try positions()))
        table.demandedRowCount = table.rows.count
        try await graph.loadRelated(from: table, rowIndices, through: session)
        return .init(isLast: found.isLast) {
            try graph.makeObjects()
            return told(maker.objects(rowIndices))
        }
    }
}
