extension LoadOperation {
    /// The objects that a statement selects, with a fingerprint of them and of everything that they lead to.
    ///
    /// - Parameter keepsRelated: Whether the fingerprint tells which objects lead to something that has changed.
    func allWithFingerprint(
        _ statement: Statement, _ parameters: ParameterBuffer, selectsAll: Bool, keepsRelated: Bool
    ) async throws -> ([Model], ResultFingerprint) {
        try await explaining {
            let (graph, maker, rowIndices) = try await load(statement, parameters, selectsAll: selectsAll)
            return try withFingerprint(graph, maker, rowIndices, keepsRelated: keepsRelated)
        }
    }

    private func withFingerprint(
        _ graph: LoadGraph, _ maker: TypedObjectMaker<Model>, _ rowIndices: [Int], keepsRelated: Bool
    ) throws -> ([Model], ResultFingerprint) {
        try graph.makeObjects()
        let present = rowIndices.filter { !maker.table.isOmitted($0) }
        let fingerprint = try ResultFingerprint(
            graph, root: maker.table, rowIndices: present, keepsRelated: keepsRelated)
        return (told(maker.objects(rowIndices)), fingerprint)
    }

    /// The objects with the keys that are there, in the order of the keys, with a fingerprint that tells which of them
    /// lead to something that has changed.
    ///
    /// - Parameter keys: The keys as callers have them.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func manyWithFingerprint(_ keys: [Key]) async throws -> ([Model], ResultFingerprint) {
        let keys = keys.map(canonical)
        return try await explaining {
            let (graph, maker) = try await load(keys)
            let rowIndices = keys.compactMap { maker.table.rows.rowIndex(of: $0) }
            return try withFingerprint(graph, maker, rowIndices, keepsRelated: true)
        }
    }
}
