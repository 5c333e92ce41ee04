extension LoadOperation {
    /// Where the columns of a whole row are in the rows of a query, -1 for what it leaves out; nil if it leaves out
    /// nothing.
    func positions() throws -> [Int]? {
        guard scope.properties != nil else { return nil }
        let mask = try scope.mask(of: description)
        var next = -1
        return plan.columns.all.map { column in
            guard mask.contains(column.property) else { return -1 }
            next += 1
            return next
        }
    }

    /// Loads the rows that a statement selects, and those that they lead to.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func load(
        _ statement: Statement, _ parameters: ParameterBuffer, selectsAll: Bool, by need: DatabaseAccess.Need = .read,
        known: KnownObjects? = nil
    ) async throws -> (LoadGraph, TypedObjectMaker<Model>, [Int]) {
        let positions = try positions()
        return try await access.perform(readsRowsAlone ? need : .snapshot, purpose: "fetch") { session, _ in
            // Made here, since it may be done again.
            let graph = LoadGraph(access, scope, known: known)
            let maker = try graph.rootMaker(of: Model.self)
            let rowIndices = try await graph.loadRows(
                of: maker.table, selectedBy: statement, parameters, at: positions, selectsAll: selectsAll,
                through: session)
            return (graph, maker, rowIndices)
        }
    }

    /// Loads the objects of rows that have values behind their columns.
    ///
    /// - Parameters:
    ///   - statement: Selects the rows; of a page one more than it has.
    ///   - count: The number of values.
    ///   - limit: The number of objects that there is room for.
    /// - Returns: The objects, for each the index of its row in the statement's, and the values of the rows.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func objects(
        _ statement: Statement, _ parameters: ParameterBuffer, with count: Int, limit: Int = .max,
        by need: DatabaseAccess.Need, purpose: LeasePurpose
    ) async throws -> (objects: [Model], rows: [Int], values: TrailingValues) {
        let positions = try positions()
        return try await explaining {
            let (graph, maker, rowIndices, values) = try await access.perform(
                readsRowsAlone ? need : .snapshot, purpose: purpose
            ) { session, _ in
                // Made here, since it may be done again.
                let graph = LoadGraph(access, scope)
                let maker = try graph.rootMaker(of: Model.self)
                let values = TrailingValues(count, behind: maker.table.rows.width, positions, limit: limit)
                let rowIndices = try await graph.loadRows(
                    of: maker.table, selectedBy: statement, parameters, at: nil, selectsAll: false, values: values,
                    through: session)
                return (graph, maker, rowIndices, values)
            }
            try graph.makeObjects()
            let present = rowIndices.indices.filter { !maker.table.isOmitted(rowIndices[$0]) }
            return (told(maker.objects(rowIndices)), present, values)
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func load(
        _ keys: [Key], known: KnownObjects? = nil
    ) async throws -> (graph: LoadGraph, maker: TypedObjectMaker<Model>) {
        var distinct: [ParameterBuffer] = []
        var seen = Set<Key>()
        for key in keys where seen.insert(key).inserted { distinct.append(try description.parameters(of: key)) }
        return try await access.perform(readsRowsAlone ? .read : .snapshot, purpose: "fetch") { session, _ in
            let graph = LoadGraph(access, scope, known: known)
            let maker = try graph.maker(of: Model.self)
            let rowIndices = maker.table.rows.add(try await rows(distinct, session, maker.table))
            try await graph.loadRelated(from: maker.table, rowIndices, through: session)
            return (graph, maker)
        }
    }

    func rows(
        _ keys: [ParameterBuffer], _ session: Session, _ table: LoadTable
    ) async throws -> StoredRows {
        var parameters = ParameterBuffer(width: description.keyIndices.count)
        for key in keys { parameters.appendRow(0, of: key) }
        let isOne = keys.count == 1
        let statements = scope.findsMarked ? plan.statements.ofMarkedRows.ofHeldRows : plan.statements
        var found = StoredRows(width: table.rows.width)
        let request = LoadRequest(
            isOne ? statements.selectOne : statements.selectMany, isOne ? parameters : parameters.asLists,
            .rows(width: table.rows.width)
        ) { found = $0.rows }
        try await session.load([request])
        return found
    }
}
