extension LoadOperation {
    /// The objects in the rows of a statement of the caller's, by the names of its columns.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func objects(selectedBy statement: Statement, _ parameters: ParameterBuffer) async throws -> [Model] {
        let description = description
        return try await explaining {
            let need = isFlat ? DatabaseAccess.Need.statement : .snapshot
            let (graph, maker, rowIndices) = try await access.perform(need, purpose: "sql") { session, _ in
                let graph = LoadGraph(access, scope)
                let maker = try graph.wholeMaker(of: Model.self)
                let found = try await session.run(statement, parameters) { source in
                    let positions = try description.positions(ofColumns: source.columnNames)
                    let rows = StoredRows(width: positions.count)
                    while let cells = try source.next() { rows.append(copying: cells, at: positions) }
                    return rows
                }
                let rowIndices = maker.table.rows.add(found)
                maker.table.demandedRowCount = maker.table.rows.count
                try await graph.loadRelated(from: maker.table, rowIndices, through: session)
                return (graph, maker, rowIndices)
            }
            try graph.makeObjects()
            return told(maker.objects(rowIndices))
        }
    }
}
