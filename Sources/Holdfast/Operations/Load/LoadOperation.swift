/// Reads objects of one type, and what they lead to.
///
/// A find, and a fetch of all objects, of a type without arrays and relations decode rows where the driver has them.
/// Else rows are kept until the graph is loaded, in one snapshot (``LoadGraph``).
struct LoadOperation<Model: TableObject> {
    let access: DatabaseAccess
    var scope: LoadScope
    let plan: MappingPlan<Model>
    var description: TableDescription { plan.description }

    init(_ access: DatabaseAccess, _ scope: LoadScope = LoadScope()) throws {
        self.access = access
        var scope = scope
        if scope.depth == nil { scope.depth = access.core.configuration.loading.defaultDepth }
        self.scope = scope
        plan = try access.core.plan(for: Model.self)
        if case .transaction(let transaction) = access.kind, !plan.description.isClass {
            transaction.session.attempt?.noteRead(Model.self)
        }
        try scope.validate(from: plan.description)
        try scope.checkParts(from: plan.description, access.core.dialect)
        if scope.properties != nil, plan.description.isClass, plan.mapping.changes == nil {
            throw DatabaseError(
                .unsupported,
                "The mapping of \(plan.description.type) does not track changes, so its objects can't remember which properties were left out: saved, they would be lost. Select values instead.",
                table: plan.description.table)
        }
    }

    var isFlat: Bool { plan.columns.isFlat && scope.properties == nil && !scope.omitsUnreadable }

    /// Whether the rows are read by one statement and lead to no others, so that no snapshot is needed.
    var readsRowsAlone: Bool {
        if isFlat { return true }
        guard description.isClass, scope.properties == nil, scope.including.root.children.isEmpty,
            plan.columns.elementArrays.isEmpty
        else { return false }
        return plan.columns.relations.allSatisfy { relation in
            let isFollowed = relation.loading == .eager && scope.depth != 0
            return !isFollowed && !relation.isNeeded && !description.omitMask.contains(relation.property)
        }
    }

    /// All objects, ordered by key.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func all() async throws -> [Model] { try await all(plan.statements.selectAll, .none, selectsAll: true) }

    /// The objects that a statement selects, which returns all columns in their order.
    ///
    /// - Parameters:
    ///   - selectsAll: Whether it selects all objects of the type.
    ///   - need: The access that it needs, if it is the only statement.
    ///   - known: The objects that stand for their rows, if the load has an identity map.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func all(
        _ statement: Statement, _ parameters: ParameterBuffer, selectsAll: Bool, by need: DatabaseAccess.Need = .read,
        known: KnownObjects? = nil
    ) async throws -> [Model] {
        try await explaining {
            if isFlat, known == nil {
                let decoder = decoder
                let portions = try await access.runTrying(statement, parameters, purpose: "fetch") {
                    try decoder.read($0)
                }
                if let portions { return told(try finished(await objects(of: portions, decoder, statement))) }
                return try await access.perform(need, purpose: "fetch") { session, _ in
                    told(try finished(await decoded(session, statement, parameters)))
                }
            }
            let (graph, maker, rowIndices) = try await load(
                statement, parameters, selectsAll: selectsAll, by: need, known: known)
            try graph.makeObjects()
            return told(maker.objects(rowIndices))
        }
    }
}

extension LoadOperation {
    /// Runs a statement and decodes its rows.
    private func decoded(
        _ session: Session, _ statement: Statement, _ parameters: ParameterBuffer
    ) async throws -> [Model] {
        let decoder = decoder
        let portions = try await session.run(statement, parameters) { try decoder.read($0) }
        return try await objects(of: portions, decoder, statement)
    }

    var decoder: ResultDecoder<Model> {
        var decoder = ResultDecoder(plan, access)
        decoder.maximum = access.core.configuration.loading.maximumObjects ?? .max
        return decoder
    }

    private func objects(
        of portions: [ResultDecoder<Model>.Portion], _ decoder: ResultDecoder<Model>, _ statement: Statement
    ) async throws -> [Model] {
        do {
            return try await decoder.objects(of: portions)
        } catch let error as DatabaseError {
            throw error.naming(statement)
        }
    }

    /// Runs the hooks of fetched objects.
    func finished(_ models: [Model]) throws -> [Model] {
        guard let hooks = plan.hooks else { return models }
        var models = models
        for index in models.indices { try hooks.didFetch(&models[index]) }
        return models
    }

    /// Returns fetched objects, after telling of them whoever listens to that.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func told(_ models: [Model]) -> [Model] {
        let observations = access.core.observations
        guard observations.hasFetchListeners else { return models }
        // An object whose key can't be read back, as a placeholder's, is none that anybody could name.
        observations.publishFetched(
            {
                models.compactMap { model in
                    (try? plan.mapping.key(of: model)).map { ($0, description.instance(model)) }
                }
            }, of: description.table)
        return models
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func explaining<Output>(
        _ body: nonisolated(nonsending) () async throws -> Output
    ) async throws -> Output {
        do {
            return try await body()
        } catch let error as DatabaseError {
            throw await access.explained(error, of: description).called(at: access.site)
        }
    }
}
