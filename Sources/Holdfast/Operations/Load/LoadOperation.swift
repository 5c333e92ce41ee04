/// Reads objects of one type, and what they lead to.
///
/// A find, and a fetch of all objects, of a type without arrays and relations decode rows where the driver has them.
/// Else rows are kept until the graph is loaded, in one snapshot (``LoadGraph``).
struct LoadOperation<Model: TableObject> {
    let access: DatabaseAccess
    let scope: LoadScope
    let plan: MappingPlan<Model>
    private var description: TableDescription { plan.description }

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
        if scope.properties != nil, plan.description.isClass, plan.mapping.changes == nil {
            throw DatabaseError(
                .unsupported,
                "The mapping of \(plan.description.type) does not track changes, so its objects can't remember which properties were left out: saved, they would be lost. Select values instead.",
                table: plan.description.table)
        }
    }

    var isFlat: Bool { plan.columns.isFlat && scope.properties == nil && !scope.omitsUnreadable }

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

    /// All objects, ordered by key.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func all() async throws -> [Model] { try await all(plan.statements.selectAll, .none, selectsAll: true) }

    /// The objects that a statement selects, which returns all columns in their order.
    ///
    /// - Parameters:
    ///   - selectsAll: Whether it selects all objects of the type.
    ///   - need: The access that it needs, if it is the only statement.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func all(
        _ statement: Statement, _ parameters: ParameterBuffer, selectsAll: Bool, by need: DatabaseAccess.Need = .read
    ) async throws -> [Model] {
        try await explaining {
            if isFlat {
                let decoder = decoder
                let portions = try await access.runTrying(statement, parameters, purpose: "fetch") {
                    try decoder.read($0)
                }
                if let portions { return told(try finished(await objects(of: portions, decoder, statement))) }
                return try await access.perform(need, purpose: "fetch") { session, _ in
                    told(try finished(await decoded(session, statement, parameters)))
                }
            }
            let (graph, maker, rowIndices) = try await load(statement, parameters, selectsAll: selectsAll)
            try graph.makeObjects()
            return told(maker.objects(rowIndices))
        }
    }

    /// Loads the rows that a statement selects, and those that they lead to.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func load(
        _ statement: Statement, _ parameters: ParameterBuffer, selectsAll: Bool
    ) async throws -> (LoadGraph, TypedObjectMaker<Model>, [Int]) {
        let positions = try positions()
        return try await access.perform(.snapshot, purpose: "fetch") { session, _ in
            // Made here, since it may be done again.
            let graph = LoadGraph(access, scope)
            let maker = try graph.rootMaker(of: Model.self)
            let rowIndices = try await graph.loadRows(
                of: maker.table, selectedBy: statement, parameters, at: positions, selectsAll: selectsAll,
                through: session)
            return (graph, maker, rowIndices)
        }
    }

    /// A key of the caller's, as columns hold it.
    func canonical(_ key: Key) -> Key { description.canonical(key) }

    /// The object with the key, or nil.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func one(_ key: Key) async throws -> Model? {
        guard isFlat else { return try await many([key]).first }
        let parameters = try description.parameters(of: key)
        do {
            var found = try await FindOperation(access: access, plan: plan).object(withKey: parameters)
            // Keys are compared by their bytes, also where the engine finds "abc" for "ABC" in a table that others
            // made.
            if plan.hasTextKey, let model = found, try plan.key(of: model) != key { found = nil }
            if found == nil { try await refuseTexts(of: [key]) }
            if let hooks = plan.hooks, var model = found {
                try hooks.didFetch(&model)
                found = model
            }
            if let found { _ = told([found]) }
            return found
        } catch let error as DatabaseError {
            throw description.explained(error)
        }
    }

    /// The objects with the keys, in the order of the keys; keys without an object are passed over.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func many(_ keys: [Key]) async throws -> [Model] {
        guard !keys.isEmpty else { return [] }
        return try await explaining {
            let (graph, maker) = try await load(keys)
            try graph.makeObjects()
            let rowIndices = keys.map { maker.table.rows.rowIndex(of: $0) }
            try await refuseTexts(of: keys.indices.filter { rowIndices[$0] == nil }.map { keys[$0] })
            return told(maker.objects(rowIndices.compactMap { $0 }))
        }
    }

    /// Throws if UUIDs that are no keys of rows are so as texts, where the engine keeps them as bytes and another
    /// program has not.
    private func refuseTexts(of keys: [Key]) async throws {
        guard !keys.isEmpty, description.mayHaveTextsForKeys(in: access.core) else { return }
        try await access.core.looseTables.learn(for: Model.self, by: access)
        guard access.core.looseTables.hasTable(description.table) else { return }
        var rows = ParameterBuffer(width: description.keyIndices.count)
        for key in keys { rows.appendRow(0, of: try description.parameters(of: key)) }
        try await access.perform(.read, purpose: "find") { [rows] session, _ in
            try await session.refuseTexts(of: rows, description)
        }
    }

    /// The objects in the rows of a statement of the caller's, by the names of its columns.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func objects(selectedBy statement: Statement, _ parameters: ParameterBuffer) async throws -> [Model] {
        let description = description
        return try await explaining {
            let need = isFlat ? DatabaseAccess.Need.statement : .snapshot
            let (graph, maker, rowIndices) = try await access.perform(need, purpose: "sql") { session, _ in
                let graph = LoadGraph(access, scope)
                let maker = try graph.maker(of: Model.self)
                let found = try await session.run(statement, parameters) { source in
                    let positions = try description.positions(ofColumns: source.columnNames)
                    let rows = StoredRows(width: positions.count)
                    while let cells = try source.next() { rows.append(copying: cells, at: positions) }
                    return rows
                }
                let rowIndices = maker.table.rows.add(found)
                try await graph.loadRelated(from: maker.table, rowIndices, through: session)
                return (graph, maker, rowIndices)
            }
            try graph.makeObjects()
            return told(maker.objects(rowIndices))
        }
    }

    /// Sets all properties of the objects to what their rows hold.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if one of the rows is gone; then no object has changed.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func reload(_ models: inout [Model]) async throws {
        guard !models.isEmpty else { return }
        let keys = try models.map { try key(of: $0) }
        let (graph, maker) = try await explaining { try await load(keys) }
        let table = maker.table
        var rowIndices: [Int] = []
        for (index, key) in keys.enumerated() {
            guard let row = table.rows.rowIndex(of: key) else { throw gone(index, models.count) }
            rowIndices.append(row)
            // What leads back to a row leads to the object that is there already.
            if description.isClass { maker.use(models[index], forRow: row) }
        }
        try graph.makeObjects()
        for (index, row) in rowIndices.enumerated() where table.isOmitted(row) { throw gone(index, models.count) }
        // A row that does not fit must leave every object as it is: decode all of them first.
        for row in Set(rowIndices) where description.isClass { try maker.check(row) }
        for (index, row) in rowIndices.enumerated() {
            if description.isClass {
                try maker.reload(&models[index], from: row)
            } else if let model = maker.objects([row]).first {
                models[index] = model
            }
        }
        _ = told(models)
    }

    /// Loads one relation of objects that are there already.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func loadRelation(_ property: Int, of models: [Model]) async throws {
        guard !models.isEmpty, let relation = description.columns.relation(property) else { return }
        #if DEBUG
        if models.count == 1 {
            var origin: LoadOrigin?
            plan.mapping.changes?(models[0]) { origin = $0.origin }
            origin?.noteRelation(relation.name, of: description.type, by: access)
        }
        #endif
        let keys = try models.map { try key(of: $0) }
        try await explaining {
            let (graph, maker) = try await access.perform(.snapshot, purpose: "fetch") { session, _ in
                let graph = LoadGraph(access, scope)
                let maker = try graph.maker(of: Model.self)
                let table = maker.table
                var distinct: [ParameterBuffer] = []
                var seen = Set<Key>()
                for key in keys where seen.insert(key).inserted { distinct.append(try description.parameters(of: key)) }
                if case .reference = relation.storage {
                    table.rows.add(try await rows(distinct, session, table))
                } else {
                    table.rows.add(keysOnly(distinct, width: table.rows.width))
                }
                _ = table.takeRowsWithoutElements()  // the objects have theirs
                for (index, key) in keys.enumerated() {
                    guard let row = table.rows.rowIndex(of: key) else { throw gone(index, models.count) }
                    maker.use(models[index], forRow: row)
                }
                try await graph.loadRelated(
                    from: table, Array(0..<table.rows.count), only: property, through: session)
                return (graph, maker)
            }
            try graph.makeObjects()
            for (index, key) in keys.enumerated() {
                if let row = maker.table.rows.rowIndex(of: key) {
                    try maker.setRelation(property, of: models[index], from: row)
                }
            }
        }
    }

    private func key(of model: Model) throws -> Key {
        guard !description.isClass || type(of: model as Any) == Model.self else {
            throw DatabaseError(
                .conflict,
                "A \(type(of: model as Any)) is kept in another table than \(description.type). Give it as what it is.",
                table: description.table)
        }
        return try plan.key(of: model)
    }

    private func gone(_ index: Int, _ count: Int) -> DatabaseError {
        var error = DatabaseError(
            .notFound, "A row of \"\(description.table)\" to be reloaded is gone.", table: description.table)
        if count > 1 { error.objectIndex = index }
        return error
    }

    /// Rows of which only the keys are known, for objects whose other properties nobody asks for.
    private func keysOnly(_ keys: [ParameterBuffer], width: Int) -> StoredRows {
        let rows = StoredRows(width: width)
        let slots = description.columns.keySlots
        for key in keys {
            withUnsafeTemporaryAllocation(of: Cell.self, capacity: width) { cells in
                cells.initialize(repeating: .null)
                key.withRow(0) { parts in
                    for (slot, part) in zip(slots, parts) { cells[slot] = part }
                    if let base = cells.baseAddress { rows.append(copying: UnsafePointer(base)) }
                }
            }
        }
        return rows
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func load(_ keys: [Key]) async throws -> (graph: LoadGraph, maker: TypedObjectMaker<Model>) {
        var distinct: [ParameterBuffer] = []
        var seen = Set<Key>()
        for key in keys where seen.insert(key).inserted { distinct.append(try description.parameters(of: key)) }
        return try await access.perform(isFlat ? .read : .snapshot, purpose: "fetch") { session, _ in
            let graph = LoadGraph(access, scope)
            let maker = try graph.maker(of: Model.self)
            let rowIndices = maker.table.rows.add(try await rows(distinct, session, maker.table))
            try await graph.loadRelated(from: maker.table, rowIndices, through: session)
            return (graph, maker)
        }
    }

    private func rows(
        _ keys: [ParameterBuffer], _ session: Session, _ table: LoadTable
    ) async throws -> StoredRows {
        var parameters = ParameterBuffer(width: description.keyIndices.count)
        for key in keys { parameters.appendRow(0, of: key) }
        let isOne = keys.count == 1
        var found = StoredRows(width: table.rows.width)
        let request = LoadRequest(
            isOne ? plan.statements.selectOne : plan.statements.selectMany, isOne ? parameters : parameters.asLists,
            .rows(width: table.rows.width)
        ) { found = $0.rows }
        try await session.load([request])
        return found
    }
}

// MARK: Rows without arrays and relations

extension LoadOperation {
    /// Runs a statement and decodes its rows.
    private func decoded(
        _ session: Session, _ statement: Statement, _ parameters: ParameterBuffer
    ) async throws -> [Model] {
        let decoder = decoder
        let portions = try await session.run(statement, parameters) { try decoder.read($0) }
        return try await objects(of: portions, decoder, statement)
    }

    private var decoder: ResultDecoder<Model> {
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
            throw description.explained(error)
        }
    }
}
