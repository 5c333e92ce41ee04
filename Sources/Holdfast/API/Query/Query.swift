/// A query for objects of one type: conditions, order, limits, and the parts to load.
///
/// A query is a value: each method returns a new one. Only `async` methods access the database.
///
/// ```swift
/// let projects = try await db.query(Project.self)
///     .where { $0.budget > 1_000 && $0.lead.lastName.hasPrefix("Sm") }
///     .order { [$0.name.ascending, $0.budget.descending] }
///     .limit(20)
///     .fetch()
/// // SELECT t0."id", … FROM "project" AS t0 LEFT JOIN "person" AS t1 ON t1."id" = t0."lead_id"
/// // WHERE t0."budget" > $1 AND … ORDER BY t0."name" COLLATE "C", t0."budget" DESC, t0."id" LIMIT 20
/// ```
///
/// In closures, the compiler finds unknown properties and values of another type. A mistake that it can't see, such as
/// an unknown name in condition text, throws when the query runs, before anything is sent.
public struct Query<Model: TableObject>: Sendable {
    /// The database or transaction of the query; nil for a query by itself.
    private let givenAccess: DatabaseAccess?
    private var sharedSpecification: CopyOnWrite<QuerySpecification>

    var specification: QuerySpecification {
        get { sharedSpecification.value }
        _modify { yield &sharedSpecification.value }
    }

    /// Creates a query without a database, which you can print, or run with ``on(_:)``.
    ///
    /// ```swift
    /// let rich = Query(Project.self).where { $0.budget > 1_000 }
    /// print(try rich.sql(for: .sqlite))
    /// let projects = try await rich.on(db).fetch()
    /// ```
    public init(_ type: Model.Type = Model.self) {
        givenAccess = nil
        sharedSpecification = CopyOnWrite(QuerySpecification(defaultOrders: Model.defaultOrder))
    }

    init(access: DatabaseAccess, specification: QuerySpecification? = nil) {
        givenAccess = access
        sharedSpecification = CopyOnWrite(
            specification ?? QuerySpecification(defaultOrders: Model.defaultOrder))
    }

    /// Returns the query bound to a database or a transaction.
    public func on(_ context: some DatabaseContext) -> Query {
        Query(access: context._access, specification: specification)
    }

    /// The query as one that is run at a place of the program, whoever built it: its errors and traces name that.
    func at(_ fileID: StaticString, _ line: UInt) -> Query {
        guard let givenAccess else { return self }
        return Query(access: givenAccess.called(at: CallSite(fileID, line)), specification: specification)
    }

    /// The query in a transaction in which the library runs it, still called where the program called it.
    func inside(_ transaction: Transaction) throws -> Query {
        var inner = transaction._access
        inner.site = try access.site
        return Query(access: inner, specification: specification)
    }

    /// What its database sees; nil if that says nothing of scopes.
    var view: ScopeView? { givenAccess?.core.dialect.scopes }

    var access: DatabaseAccess {
        get throws {
            guard let givenAccess else {
                throw DatabaseError(.conflict, "A query by itself has no database to ask. Say which, by `on`.")
            }
            return givenAccess
        }
    }

    func changed(_ change: (inout QuerySpecification) -> Void) -> Query {
        var query = self
        change(&query.specification)
        return query
    }

    /// Keeps only objects that meet a condition, in addition to earlier ones.
    ///
    /// ```swift
    /// .where { $0.budget > 1_000 && $0.lead.lastName.hasPrefix("Sm") }
    /// // WHERE t0."budget" > $1 AND …
    /// ```
    public func `where`(_ condition: (Columns<Model>) -> some ConditionConvertible) -> Query {
        var query = self
        let condition = condition(query.makeColumns()).condition
        query.add(condition)
        return query
    }

    /// Keeps only objects that meet a condition that is text, or built at run time.
    ///
    /// ```swift
    /// .where("budget > \(1_000) AND lead.lastName LIKE \("Sm%")")
    /// .where(.compare("budget", .greater, 1_000))
    /// ```
    public func `where`(_ condition: Condition) -> Query {
        var query = self
        query.add(condition)
        return query
    }

    private mutating func add(_ condition: Condition) {
        switch condition.node {
        case .constant(true): break
        case .and(let nodes) where nodes.isEmpty: break
        default:
            specification.conditions.append(condition.node)
            specification.levels = Swift.max(specification.levels, condition.levels)
        }
    }

    /// The columns for one closure of this query, which a query inside of the closure can tell from its own.
    mutating func makeColumns() -> Columns<Model> {
        let scope = QueryScope.queried()
        specification.scopes.insert(scope)
        return Columns(QueryPath(scope: scope))
    }
}

extension Query {
    /// Fetches the objects with their relations, but for what is loaded on demand, in one snapshot.
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
    public func fetch(fileID: StaticString = #fileID, line: UInt = #line) async throws -> [Model] {
        try await at(fileID, line).fetch(known: nil)
    }

    /// - Parameter known: The objects that stand for their rows, if the fetch has an identity map.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func fetch(known: KnownObjects?) async throws -> [Model] {
        let operation = try LoadOperation<Model>(try access, specification.scope)
        let (statement, parameters) = try await written { try $0.select() }
        return try await operation.all(statement, parameters, selectsAll: selectsAll, by: try need(), known: known)
    }

    /// The query restricted to objects with some primary keys.
    func keyed(_ keys: [Key]) -> Query {
        changed { $0.conditions.append(.isIn(.path(QueryPath(scope: .root)), keys.map { .key($0) })) }
    }

    /// Whether the query selects every object of the type.
    var selectsAll: Bool {
        specification.isAll && specification.seen == SeenRows()
            && Model.ownDescription.presence.conditions.isEmpty
    }

    /// The statement that a query becomes, with its parameters.
    ///
    /// Statements are kept by their texts, those of queries as those of raw SQL, so that each is prepared once.
    ///
    /// - Parameters:
    ///   - nodes: What is selected besides the objects' columns.
    ///   - isChange: Whether the rows are changed in the same transaction, so that locks are of use.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func written(
        selecting nodes: [QueryNode] = [], isChange: Bool = false, _ make: (QuerySQL) throws -> QuerySQL.Rendering
    ) async throws -> (Statement, ParameterBuffer) {
        let access = try access
        if !isChange { try requireLockable(by: access) }
        try await learnLooseTables()
        let (sql, parameters) = try access.naming { try rendered(make) }
        let statement = access.core.statementTexts.statement(
            sql, table: Model.ownDescription.table, includesCallersSQL: hasCallersSQL(selecting: nodes))
        return (statement, parameters)
    }

    func rendered(_ make: (QuerySQL) throws -> QuerySQL.Rendering) throws -> QuerySQL.Rendering {
        let core = try access.core
        let plan = try core.plan(for: Model.self)
        try specification.join?.description.checkScopes(core.dialect)
        return try make(
            QuerySQL(specification: specification, description: plan.description, dialect: core.queryDialect))
    }

    /// Finds out, once for each type, which tables of other programs may hold values of other types than declared: the
    /// dialect guards what is compared there.
    func learnLooseTables() async throws {
        let access = try access
        try await access.core.looseTables.learn(for: Model.self, by: access)
    }

    /// The access that the query needs, with what it selects.
    ///
    /// Where a connection can be lost, a query that has SQL of the caller's is not sent twice, and nobody says of it
    /// that nothing was done.
    func need(selecting nodes: [QueryNode] = []) throws -> DatabaseAccess.Need {
        let core = try access.core
        guard core.capabilities.hasRoundTrips else { return .read }
        return hasCallersSQL(selecting: nodes) ? .statement : .read
    }

    private func hasCallersSQL(selecting nodes: [QueryNode]) -> Bool {
        specification.hasCallersSQL || nodes.contains(where: \.hasCallersSQL)
    }
}

extension DatabaseContext {
    /// Starts a query for all objects of a type, to be narrowed by its methods.
    ///
    /// ```swift
    /// let rich = try await db.query(Project.self).where { $0.budget > 1_000 }.fetch()
    /// ```
    public func query<Model: TableObject>(
        _ type: Model.Type
    ) -> Query<Model> { Query(access: _access) }
}
