extension LoadOperation {
    /// The objects of the rows that a statement changes, which it returns, with what they lead to.
    ///
    /// In a transaction, so that nothing has changed where an object can't be made of a row.
    ///
    /// - Parameter consume: Is given the objects before the transaction ends, with the scope where that is the
    ///   caller's.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func changed(
        by statement: Statement, _ parameters: ParameterBuffer, purpose: LeasePurpose,
        consume: (Session, TransactionScope?, [Model]) throws -> Void = { _, _, _ in }
    ) async throws -> [Model] {
        let positions = try positions()
        return try await access.perform(.atomic, purpose: purpose) { session, transaction in
            let models: [Model]
            if isFlat {
                let decoder = decoder
                let portions = try await session.run(statement, parameters) { try decoder.read($0) }
                models = try finished(await decoder.objects(of: portions))
            } else {
                let graph = LoadGraph(access, scope)
                let maker = try graph.rootMaker(of: Model.self)
                let width = maker.table.rows.width
                let found = try await session.run(statement, parameters) { source in
                    guard let positions else { return try StoredRows(copying: source, width: width) }
                    let rows = StoredRows(width: width)
                    while let cells = try source.next() { rows.append(copying: cells, at: positions) }
                    return rows
                }
                let rowIndices = maker.table.rows.add(found)
                maker.table.demandedRowCount = maker.table.rows.count
                try await graph.loadRelated(from: maker.table, rowIndices, through: session)
                try graph.makeObjects()
                models = maker.objects(rowIndices)
            }
            try consume(session, transaction, models)
            return told(models)
        }
    }
}
