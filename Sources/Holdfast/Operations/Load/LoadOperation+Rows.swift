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

    /// Loads the objects of a page, by one statement for their rows.
    ///
    /// - Parameters:
    ///   - statement: Selects one row more than the page has, each with the values of the order behind its columns.
    ///   - size: The number of objects that the page has room for.
    ///   - criteria: The number of those values.
    /// - Returns: The objects, and the values of the last of them, if there are more.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func page(
        _ statement: Statement, _ parameters: ParameterBuffer, size: Int, criteria: Int, by need: DatabaseAccess.Need
    ) async throws -> (objects: [Model], last: ParameterBuffer?) {
        let positions = try positions()
        return try await explaining {
            let (graph, maker, rowIndices, page) = try await access.perform(
                readsRowsAlone ? need : .snapshot, purpose: "page"
            ) { session, _ in
                // Made here, since it may be done again.
                let graph = LoadGraph(access, scope)
                let maker = try graph.rootMaker(of: Model.self)
                let page = PageReader(width: maker.table.rows.width, positions, size: size, criteria: criteria)
                let rowIndices = try await graph.loadRows(
                    of: maker.table, selectedBy: statement, parameters, at: nil, selectsAll: false, page: page,
                    through: session)
                return (graph, maker, rowIndices, page)
            }
            try graph.makeObjects()
            return (told(maker.objects(rowIndices)), page.last)
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
