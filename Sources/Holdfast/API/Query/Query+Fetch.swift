extension Query {
    /// Fetches the objects with their relations, in one snapshot.
    ///
    /// ```swift
    /// let projects = try await db.query(Project.self).where { $0.budget > 1_000 }.fetch()
    /// // SELECT t0."id", t0."name", … FROM "project" AS t0 WHERE t0."budget" > $1 ORDER BY t0."id"
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/syntax`` for condition text that can't be parsed, or an unknown property;
    ///   ``DatabaseError/Code/invalidValue`` for a value that does not fit; ``DatabaseError/Code/decoding`` for a row
    ///   that does not fit the type.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func fetch() async throws -> [Model] {
        let (operation, statement, parameters) = try await prepared()
        return try await operation.all(statement, parameters, selectsAll: selectsAll, by: try need())
    }

    /// Streams the objects, with at most some thousand in memory.
    ///
    /// ```swift
    /// for try await project in db.query(Project.self).stream() { print(project.name) }
    /// ```
    ///
    /// These are the objects of ``fetch()``, in the same order. Relations are loaded for some thousand objects at a
    /// time, so an object that several others reference is one instance only within such a portion.
    public func stream() -> QueryStream<Model> {
        QueryStream {
            try LoadOperation<Model>(try access, specification.scope).stream { try await source { try $0.select() } }
        }
    }

    /// Fetches the first of the objects, or nil.
    ///
    /// ```swift
    /// let richest = try await db.query(Project.self).order(\.budget, .descending).first()    // LIMIT 1
    /// ```
    public func first() async throws -> Model? { try await firsts(1).first }

    /// Fetches the only object that meets the query.
    ///
    /// ```swift
    /// let apollo = try await db.query(Project.self).where { $0.code == "AP" }.one()
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if there is none, ``DatabaseError/Code/conflict`` if there are
    ///   several.
    public func one() async throws -> Model {
        let found = try await firsts(2)
        let description = Model.ownDescription
        guard let only = found.first else {
            throw DatabaseError(.notFound, "No \(description.type) meets the query.", table: description.table)
        }
        guard found.count == 1 else {
            throw DatabaseError(
                .conflict, "More than one \(description.type) meets the query.", table: description.table)
        }
        return only
    }

    /// Fetches at most `count` objects from the beginning.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func firsts(_ count: Int) async throws -> [Model] {
        var query = self
        query.specification = specification.limited(to: count)
        var found = try await query.fetch()
        var limit = count
        // Objects that are left out after their rows were read count against the limit: look at more rows.
        while canLeaveOut, found.count < count, limit < specification.limit ?? .max, try await query.count() == limit {
            limit = limit > 1 << 20 ? .max : limit * 8
            query.specification = specification.limited(to: limit)
            found = Array(try await query.fetch().prefix(count))
        }
        return found
    }

    /// Whether objects can be left out after their rows were read.
    var canLeaveOut: Bool {
        Model.ownDescription.presence.leavesOutInMemory || specification.scope.missingTarget == .skip
            || specification.scope.omitsUnreadable
    }

    /// Counts the objects.
    ///
    /// ```swift
    /// let count = try await db.query(Project.self).where { $0.lead == nil }.count()
    /// // SELECT count(*) FROM "project" AS t0 WHERE t0."lead_id" IS NULL
    /// ```
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func count() async throws -> Int {
        try await run("count", { try $0.count() }) { rows in
            try rows.next().map { try Int._decode($0[0]) } ?? 0
        }
    }

    /// Whether at least one object meets the query.
    ///
    /// ```swift
    /// let isTaken = try await db.query(Project.self).where { $0.code == "AP" }.exists()
    /// ```
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func exists() async throws -> Bool {
        try await run("exists", { try $0.exists() }) { try $0.next() != nil }
    }

    /// Fetches only the primary keys of the objects, in their order.
    ///
    /// ```swift
    /// let ids = try await db.query(Project.self).keys().map { try $0.value(as: Int64.self) }
    /// ```
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func keys() async throws -> [Key] {
        let width = Model.ownDescription.keyIndices.count
        return try await run("keys", { try $0.keys() }) { rows in
            var keys: [Key] = []
            while let cells = try rows.next() {
                keys.append(Model.ownDescription.exposed(Key(cells: cells, count: width)))
            }
            return keys
        }
    }

    /// Returns the engine's query plan, one step in each line; for people, and different on each engine.
    ///
    /// ```swift
    /// print(try await db.query(Project.self).where { $0.code == "AP" }.explain())
    /// // SEARCH t0 USING INDEX project_code_key (code=?)
    /// ```
    ///
    /// - Parameter analyze: Whether the statement is run, too, without making objects. PostgreSQL's plan then has the
    ///   rows and times of each step; where an engine does not measure steps, as SQLite, a last line has those of all:
    ///   `actual rows=12 time=0.31 ms`.
    public func explain(analyze: Bool = false) async throws -> String {
        let dialect = try access.core.dialect
        let plan = try await run(
            "explain",
            { sql in
                let (text, parameters) = try sql.select()
                return (analyze ? dialect.explainAnalyze(text) : dialect.explain(text), parameters)
            }
        ) { rows in
            let last = rows.columnNames.count - 1
            var lines: [String] = []
            while let cells = try rows.next() { lines.append(try String._decode(cells[last])) }
            return lines.joined(separator: "\n")
        }
        guard analyze, !dialect.measuresSteps else { return plan }
        let start = PoolClock.now
        let count = try await run("explain", { try $0.select() }) { rows in
            var count = 0
            while try rows.next() != nil { count += 1 }
            return count
        }
        return "\(plan)\nactual rows=\(count) time=\(StatementLog.milliseconds(PoolClock.now - start)) ms"
    }

    // MARK: Running

    /// Whether the query selects every object of the type.
    var selectsAll: Bool { specification.isAll && Model.ownDescription.presence.conditions.isEmpty }

    /// The statement that selects the objects, and the operation that loads them by it.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func prepared() async throws -> (LoadOperation<Model>, Statement, ParameterBuffer) {
        let access = try access
        let operation = try LoadOperation<Model>(access, specification.scope)
        try await learnLooseTables()
        let (sql, parameters) = try rendered { try $0.select() }
        return (operation, access.core.rawStatements.statement(sql, table: Model.ownDescription.table), parameters)
    }

    func rendered(_ make: (QuerySQL) throws -> QuerySQL.Rendering) throws -> QuerySQL.Rendering {
        let core = try access.core
        let plan = try core.plan(for: Model.self)
        return try make(
            QuerySQL(specification: specification, description: plan.description, dialect: core.looseTables.dialect))
    }

    /// The access that the query needs, with what it selects.
    ///
    /// Where a connection can be lost, a query that has SQL of the caller's is not sent twice, and nobody says of it
    /// that nothing was done.
    func need(selecting nodes: [QueryNode] = []) throws -> DatabaseAccess.Need {
        let core = try access.core
        guard core.capabilities.hasRoundTrips else { return .read }
        return specification.hasCallersSQL || nodes.contains(where: \.hasCallersSQL) ? .statement : .read
    }

    /// Finds out, once for each type, which tables of other programs may hold values of other types than declared.
    func learnLooseTables() async throws {
        let access = try access
        try await access.core.looseTables.learn(for: Model.self, by: access)
    }

    /// Streams the rows of a statement that reads.
    func stream<Element>(
        of make: @escaping (QuerySQL) throws -> QuerySQL.Rendering,
        read: @escaping @Sendable (StreamSource, Session) async throws -> StreamReader<Element>.Portion
    ) -> StreamReader<Element> {
        StreamReader(
            open: { try await source(make) }, read: read, explain: { Model.ownDescription.explained($0) })
    }

    /// Begins to run a statement whose rows are streamed.
    private func source(_ make: (QuerySQL) throws -> QuerySQL.Rendering) async throws -> StreamSource {
        let access = try access
        try await learnLooseTables()
        let (sql, parameters) = try rendered(make)
        let statement = access.core.rawStatements.statement(sql, table: Model.ownDescription.table)
        return try await StreamSource(access, statement, parameters)
    }

    /// Runs one statement that reads, with what it selects besides columns of its type.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func run<Output: Sendable>(
        _ purpose: LeasePurpose, selecting nodes: [QueryNode] = [],
        _ make: (QuerySQL) throws -> QuerySQL.Rendering,
        consume: @escaping @Sendable (any RowSource) throws -> Output
    ) async throws -> Output {
        let access = try access
        try await learnLooseTables()
        let (sql, parameters) = try rendered(make)
        let statement = access.core.rawStatements.statement(sql, table: Model.ownDescription.table)
        do {
            if let output = try await access.runTrying(statement, parameters, purpose: purpose, consume: consume) {
                return output
            }
            return try await access.perform(need(selecting: nodes), purpose: purpose) { session, _ in
                try await session.run(statement, parameters) { try consume($0) }
            }
        } catch let error as DatabaseError {
            throw Model.ownDescription.explained(error)
        }
    }
}
