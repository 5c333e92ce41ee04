extension LoadOperation {
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
            throw await access.explained(error, of: description)
        }
    }

    /// The objects with the keys, in the order of the keys; keys without an object are passed over.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func many(_ keys: [Key], known: KnownObjects? = nil) async throws -> [Model] {
        guard !keys.isEmpty else { return [] }
        return try await explaining {
            let (graph, maker) = try await load(keys, known: known)
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
}
