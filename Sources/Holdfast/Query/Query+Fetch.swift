extension Query {
    /// The objects, with what they lead to, all of one snapshot.
    ///
    /// - Throws: ``DatabaseError/Code/syntax`` for condition text that can't be read, or an unknown property;
    ///   ``DatabaseError/Code/invalidValue`` for a value that does not fit; ``DatabaseError/Code/decoding`` for a row that
    ///   does not fit the type.
    public func fetch() async throws -> [Model] {
        let access = try access
        let operation = try LoadOperation<Model>(access, specification.scope)
        try await learnLooseTables()
        let (sql, parameters) = try rendered { try $0.select() }
        return try await operation.all(
            access.core.rawStatements.statement(sql, table: Model.ownDescription.table), parameters,
            isComplete: specification.isAll && Model.ownDescription.presence.conditions.isEmpty)
    }

    /// The objects, one after the other, with no more of them in memory than some thousand.
    ///
    /// They are those that ``fetch()`` gives, in the same order. What they lead to is loaded for some thousand at a time, so
    /// that an object to which many lead is one instance only within such a portion.
    public func stream() -> QueryStream<Model> {
        QueryStream {
            try LoadOperation<Model>(try access, specification.scope).stream { try await source { try $0.select() } }
        }
    }

    /// The first of the objects, or nil.
    public func first() async throws -> Model? { try await firsts(1).first }

    /// The only one of the objects.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if there is none, ``DatabaseError/Code/conflict`` if there are several.
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

    /// The first objects, `count` of them if there are as many.
    private func firsts(_ count: Int) async throws -> [Model] {
        var query = self
        query.specification = specification.limited(to: count)
        var found = try await query.fetch()
        var limit = count
        // What is left out once objects are made is no object, but was one of the rows: more of them are looked at.
        while canLeaveOut, found.count < count, limit < specification.limit ?? .max, try await query.count() == limit {
            limit = limit > 1 << 20 ? .max : limit * 8
            query.specification = specification.limited(to: limit)
            found = Array(try await query.fetch().prefix(count))
        }
        return found
    }

    /// Whether objects can be left out once they are made, of rows that meet the query.
    var canLeaveOut: Bool {
        Model.ownDescription.presence.leavesOutInMemory || specification.scope.missingTarget == .skip
    }

    /// The number of objects.
    public func count() async throws -> Int {
        try await run("count", { try $0.count() }) { rows in
            try rows.next().map { try Int._decode($0[0]) } ?? 0
        }
    }

    /// Whether there is an object.
    public func exists() async throws -> Bool {
        try await run("exists", { try $0.exists() }) { try $0.next() != nil }
    }

    /// The primary keys of the objects, in their order.
    public func keys() async throws -> [Key] {
        let width = Model.ownDescription.keyIndices.count
        return try await run("keys", { try $0.keys() }) { rows in
            var keys: [Key] = []
            while let cells = try rows.next() { keys.append(Key(cells: cells, count: width)) }
            return keys
        }
    }

    /// The engine's plan for fetching the objects, a step a line: for people, and different from engine to engine.
    public func explain() async throws -> String {
        let dialect = try access.core.dialect
        return try await run(
            "explain",
            { sql in
                let (text, parameters) = try sql.select()
                return (dialect.explain(text), parameters)
            }
        ) { rows in
            let last = rows.columnNames.count - 1
            var lines: [String] = []
            while let cells = try rows.next() { lines.append(try String._decode(cells[last])) }
            return lines.joined(separator: "\n")
        }
    }

    // MARK: Running

    func rendered(_ make: (QuerySQL) throws -> QuerySQL.Rendering) throws -> QuerySQL.Rendering {
        let core = try access.core
        let plan = try core.plan(for: Model.self)
        return try make(
            QuerySQL(specification: specification, description: plan.description, dialect: core.looseTables.dialect))
    }

    /// Finds out, once for each type, which tables of other programs hold values of any type.
    func learnLooseTables() async throws {
        let access = try access
        try await access.core.looseTables.learn(for: Model.self, by: access)
    }

    /// Runs one statement that reads, whose rows come as they are asked for.
    func stream<Element>(
        of make: @escaping (QuerySQL) throws -> QuerySQL.Rendering,
        read: @escaping @Sendable (StreamSource, Session) async throws -> StreamReader<Element>.Portion
    ) -> StreamReader<Element> {
        StreamReader(
            open: { try await source(make) }, read: read, explain: { Model.ownDescription.explained($0) })
    }

    /// Begins to run a statement whose rows come as they are asked for.
    private func source(_ make: (QuerySQL) throws -> QuerySQL.Rendering) async throws -> StreamSource {
        let access = try access
        try await learnLooseTables()
        let (sql, parameters) = try rendered(make)
        let statement = access.core.rawStatements.statement(sql, table: Model.ownDescription.table)
        return try await StreamSource(access, statement, parameters)
    }

    /// Runs one statement that reads.
    func run<Output: Sendable>(
        _ purpose: LeasePurpose, _ make: (QuerySQL) throws -> QuerySQL.Rendering,
        consume: @escaping @Sendable (any RowSource) throws -> Output
    ) async throws -> Output {
        let access = try access
        try await learnLooseTables()
        let (sql, parameters) = try rendered(make)
        let statement = access.core.rawStatements.statement(sql, table: Model.ownDescription.table)
        do {
            return try await access.perform(.read, purpose: purpose) { session, _ in
                try await session.run(statement, parameters) { try consume($0) }
            }
        } catch let error as DatabaseError {
            throw Model.ownDescription.explained(error)
        }
    }
}
