/// Your own statement, ready to run, as ``DatabaseContext/sql(_:fileID:line:)`` returns it.
public struct SQLQuery: Sendable {
    let access: DatabaseAccess
    let fragment: SQLFragment

    /// Runs a statement without results.
    ///
    /// ```swift
    /// let changed = try await db.sql("UPDATE customer SET visits = 0 WHERE city = \(city)").execute()
    /// ```
    ///
    /// - Returns: The number of rows inserted, updated or deleted.
    @discardableResult
    public func execute() async throws -> Int {
        try await run(.write) { rows in
            while try rows.next() != nil {}
            return rows.affectedRows
        }
    }

    /// Runs the statement and returns its rows.
    ///
    /// ```swift
    /// for row in try await db.sql("SELECT * FROM customer").fetch() {
    ///     print(try row.decode(String.self, named: "name"))
    /// }
    /// ```
    public func fetch() async throws -> [SQLRow] {
        try await read { try Self.rows(of: $0) }
    }

    /// Runs a statement that only reads, and streams its rows.
    ///
    /// ```swift
    /// for try await row in db.sql("SELECT name, budget FROM \(Project.self)").stream() {
    ///     try await write(row.decode(String.self, at: 0))
    /// }
    /// ```
    public func stream() -> QueryStream<SQLRow> {
        QueryStream { [self] in
            let (statement, parameters) = try render()
            return StreamReader(
                open: { try await StreamSource(access, statement, parameters) },
                read: { source, session in
                    let found = try await source.read(session)
                    return .init(isLast: found.isLast) { try Self.rows(of: found.rows) }
                })
        }
    }

    /// The first rows of a result, at most `limit`.
    static func rows(of source: any RowSource, limit: Int = .max) throws -> [SQLRow] {
        let columns = SQLRow.Columns(source.columnNames)
        var result: [SQLRow] = []
        while result.count < limit, let cells = try source.next() {
            result.append(SQLRow(columns: columns, cells: cells))
        }
        return result
    }

    /// Runs the statement and returns each row as a tuple.
    ///
    /// ```swift
    /// let rows = try await db.sql("SELECT name, count(*) FROM \(Tag.self) GROUP BY name")
    ///     .fetch(as: (String, Int).self)
    /// for (name, count) in rows { print(name, count) }
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if the number of columns differs, or a value does not fit.
    public func fetch<each Value: Storable>(as type: (repeat each Value).Type) async throws -> [(repeat each Value)] {
        let rows = try await fetch()
        return try access.naming { try rows.map { try Self.tuple(of: $0) } }
    }

    /// Runs a statement with one column and returns its values.
    ///
    /// ```swift
    /// let names = try await db.sql("SELECT name FROM \(Tag.self)").fetch(as: String.self)
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if the number of columns differs, or a value does not fit.
    public func fetch<Value: Storable>(as type: Value.Type) async throws -> [Value] {
        let rows = try await fetch()
        return try access.naming { try rows.map { try Self.value(of: $0) } }
    }

    /// Runs the statement and decodes each row by column names, as declared or in snake case.
    ///
    /// ```swift
    /// struct CityCount: Decodable { var city: String?; var customerCount: Int }
    /// let counts = try await db.sql("SELECT city, count(*) AS customer_count FROM customer GROUP BY city")
    ///     .fetch(as: CityCount.self)
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/decoding`` if a column is missing or a value does not fit.
    @_disfavoredOverload
    public func fetch<Value: Decodable>(as type: Value.Type) async throws -> [Value] {
        let rows = try await fetch()
        return try access.naming { try rows.map { try SQLRowDecoder.decode(Value.self, from: $0) } }
    }

    /// Runs the statement and returns each row as an object.
    ///
    /// The statement must return every column of the type's table, in any order, those that are loaded on demand
    /// included. Arrays and relations are loaded as by a fetch.
    ///
    /// ```swift
    /// let projects = try await db.sql("SELECT * FROM \(Project.self) WHERE status = \(status)").fetch(Project.self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the objects.
    ///   - paths: Relations to load in any case.
    ///   - depth: The number of levels of relations; nil for all.
    ///   - missingTarget: The handling of a key without a target row.
    /// - Throws: ``DatabaseError/Code/decoding`` if a column is missing or a value does not fit.
    public func fetch<Model: TableObject>(
        _ type: Model.Type, including paths: RelationPaths = [], depth: Int? = nil,
        missingTarget: MissingTarget = .throw
    ) async throws -> [Model] {
        let scope = LoadScope(including: paths, depth: depth, missingTarget: missingTarget)
        let (statement, parameters) = try render()
        func load(_ access: DatabaseAccess) async throws -> [Model] {
            let operation = try LoadOperation<Model>(access, scope)
            return try await operation.objects(selectedBy: statement, parameters)
        }
        // A statement that writes runs in a transaction, so that the rows and the objects that they lead to are of one
        // snapshot.
        func loadWriting(_ core: DatabaseCore) async throws -> [Model] {
            try await Database(core: core).run(.serializable, for: LeasePurpose("sql", at: access.site)) {
                try await load($0._access)
            }
        }
        guard case .database(let core) = access.kind, case .singleWriter = core.driver.sharing else {
            return try await load(access)
        }
        if statement.isChange { return try await loadWriting(core) }
        do {
            return try await load(access)
        } catch let error as DatabaseError where error.code == .readOnly {
            return try await loadWriting(core)  // as in `read`
        }
    }

    /// Runs the statement where it can be read; if it writes, or turns out to, where it can be written.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func read<Output>(
        _ consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> Output {
        do {
            return try await run(.statement, consume)
        } catch let error as DatabaseError where error.code == .readOnly {
            // An engine with one writer refused it on a reader: nothing was done yet. Inside a transaction it stays
            // refused.
            guard case .database(let core) = access.kind, case .singleWriter = core.driver.sharing else { throw error }
            return try await run(.write, consume)
        }
    }

    /// The statement, and its parameters as one row.
    private func render() throws -> (Statement, ParameterBuffer) {
        let core = access.core
        let (sql, parameters) = try fragment.render(core.dialect)
        // The database may already hold a statement of this text that the library made; none of those changes a
        // session.
        let statement = core.statementTexts.statement(sql) { sql in
            let text = RawStatementText(sql, core.dialect.sqlSyntax)
            return Statement(sql, changesSession: core.dialect.changesSession(text), isRaw: true)
        }
        if statement.changesSession, core.driver.sharesSessions {
            throw DatabaseError(
                .unsupported,
                "The statement would leave something in its session, which a transaction pooler lends to others. "
                    + "Set what a transaction needs with SET LOCAL, or connect to the server itself.")
        }
        return (statement, parameters)
    }

    /// Whether it writes, by its words, and an engine with one writer would refuse it on a connection for reading.
    private func isRefusedByReaders(_ statement: Statement) -> Bool {
        guard access.isOutsideTransaction, case .singleWriter = access.core.driver.sharing else { return false }
        return statement.isChange
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func run<Output>(
        _ need: DatabaseAccess.Need, _ consume: @escaping @Sendable (any RowSource) throws -> sending Output
    ) async throws -> Output {
        let (statement, parameters) = try render()
        // Whoever is asked before a COMMIT is asked in a transaction.
        let isAsked = statement.kind.changesRows && access.isOutsideTransaction && access.core.observations.hasGuards
        return try await access.perform(isAsked || isRefusedByReaders(statement) ? .write : need, purpose: "sql") {
            session, _ in
            try await session.run(statement, parameters, consume: consume)
        }
    }
}

extension DatabaseContext {
    /// Creates a statement from your own SQL, in which interpolated values are bound parameters.
    ///
    /// ```swift
    /// let rows = try await db.sql("SELECT name FROM \(Project.self) WHERE status = \(status)").fetch(as: String.self)
    /// // SELECT name FROM "project" WHERE status = $1
    /// ```
    ///
    /// The text is sent unchanged except for placeholders and quoted names, so you can also use features of one engine.
    public func sql(
        _ fragment: SQLFragment, fileID: StaticString = #fileID, line: UInt = #line
    ) -> SQLQuery { SQLQuery(access: access(fileID, line), fragment: fragment) }
}
