extension LoadOperation {
    /// Sets all properties of the objects to what their rows hold.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if one of the rows is gone; then no object has changed.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func reload(_ models: inout [Model]) async throws {
        guard !models.isEmpty else { return }
        let keys = try models.map { try key(of: $0) }
        var operation = self
        if scope.including.isEmpty { operation.scope.including = RelationPaths(loadedOnDemand(of: models)) }
        let (graph, maker) = try await explaining { [operation] in try await operation.load(keys) }
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

    /// The relations that are loaded on demand and that some of the objects have: as they would read as empty after a
    /// reload without them.
    private func loadedOnDemand(of models: [Model]) -> [String] {
        guard let changes = plan.mapping.changes else { return [] }
        let relations = plan.columns.relations.filter { $0.loading == .onDemand && !$0.target.isLazy }
        guard !relations.isEmpty else { return [] }
        var loaded = PropertyMask()
        for model in models { changes(model) { loaded.formUnion(description.fullMask.subtracting($0.unloaded)) } }
        return relations.filter { loaded.contains($0.property) }.map(\.name)
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
                let isInRow = if case .reference = relation.storage { true } else { false }
                // Of a row that may be outside of a scope, the key does not say enough.
                if isInRow || description.takesScopeValues {
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
        return error.called(at: access.site)
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
}
