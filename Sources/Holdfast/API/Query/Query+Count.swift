extension Query {
    /// Counts the objects.
    ///
    /// ```swift
    /// let count = try await db.query(Project.self).where { $0.lead == nil }.count()
    /// // SELECT count(*) FROM "project" AS t0 WHERE t0."lead_id" IS NULL
    /// ```
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func count(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Int {
        try await at(fileID, line).run("count", { try $0.count() }, consume: Self.number)
    }

    @Sendable static func number(of rows: any RowSource) throws -> Int {
        try rows.next().map { try Int._decode($0[0]) } ?? 0
    }

    /// Whether at least one object meets the query.
    ///
    /// ```swift
    /// let isTaken = try await db.query(Project.self).where { $0.code == "AP" }.exists()
    /// ```
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func exists(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Bool {
        try await at(fileID, line).run("exists", { try $0.exists() }) { try $0.next() != nil }
    }

    /// Fetches only the primary keys of the objects, in their order.
    ///
    /// ```swift
    /// let ids = try await db.query(Project.self).keys().map { try $0.value(as: Int64.self) }
    /// ```
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func keys(fileID: StaticString = #fileID, line: UInt = #line) async throws -> [Key] {
        try await at(fileID, line).allKeys()
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func allKeys() async throws -> [Key] {
        let width = Model.ownDescription.keyIndices.count
        return try await run("keys", { try $0.keys() }) { rows in
            var keys: [Key] = []
            while let cells = try rows.next() {
                keys.append(Model.ownDescription.exposed(Key(cells: cells, count: width)))
            }
            return keys
        }
    }

    /// Runs one statement that reads, with what it selects besides columns of its type.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func run<Output: Sendable>(
        _ purpose: LeasePurpose, selecting nodes: [QueryNode] = [],
        _ make: (QuerySQL) throws -> QuerySQL.Rendering,
        consume: @escaping @Sendable (any RowSource) throws -> Output
    ) async throws -> Output {
        let access = try access
        let (statement, parameters) = try await written(selecting: nodes, make)
        do {
            if let output = try await access.runTrying(statement, parameters, purpose: purpose, consume: consume) {
                return output
            }
            return try await access.perform(need(selecting: nodes), purpose: purpose) { session, _ in
                try await session.run(statement, parameters) { try consume($0) }
            }
        } catch let error as DatabaseError {
            throw await access.explained(error, of: Model.ownDescription)
        }
    }
}
