/// A query for pairs of objects of two types, with or without a relation between them.
///
/// ```swift
/// let pairs = try await db.query(Ticket.self)
///     .joined(to: Customer.self) { ticket, customer in ticket.email == customer.email }
///     .where { $1.city == "Bonn" }
///     .fetch()
/// for (ticket, customer) in pairs { print(ticket.title, customer.name) }
/// ```
///
/// Its closures get the columns of both. `select` gives values of both by one statement:
///
/// ```swift
/// let rows = try await joined.select { ($0.title, $1.name) }.fetch()
/// // SELECT t0."title", t1."name" FROM "ticket" AS t0 JOIN "customer" AS t1 ON t0."email" = t1."email"
/// // ORDER BY t0."id", t1."id"
/// ```
///
/// Both can be of one type: they are two rows of one table. Order, limit and offset are those of pairs; where an order
/// leaves two the same, the keys of both decide. As everywhere, nil is equal to nil: where both sides of a comparison
/// can be nil, add that one is not.
public struct JoinedQuery<Left: TableObject, Right: TableObject, Partner>: Sendable {
    private(set) var query: Query<Left>

    fileprivate init(
        _ query: Query<Left>, isOuter: Bool, _ condition: (Columns<Left>, Columns<Right>) -> some ConditionConvertible
    ) {
        self.query = query
        let specification = query.specification
        if specification.join != nil || specification.isCut || !specification.distinct.isEmpty
            || !specification.groups.isEmpty || !specification.groupConditions.isEmpty || specification.lock != nil
        {
            self.query.specification.failure = DatabaseError(
                .unsupported,
                "A query is joined that has a limit, an offset, distinct objects, groups, a lock or another join. Join it first, and cut the pairs.",
                table: Left.ownDescription.table)
        }
        self.query.specification.join = QueryJoin(
            description: Right.ownDescription, condition: .constant(true), isOuter: isOuter)
        let (left, right) = makeColumns()
        let condition = condition(left, right).condition
        self.query.specification.join?.condition = condition.node
        self.query.specification.levels = max(self.query.specification.levels, condition.levels)
    }

    /// The columns of both for one closure.
    private mutating func makeColumns() -> (Columns<Left>, Columns<Right>) {
        let scope = QueryScope.queried()
        query.specification.join?.scopes.insert(scope)
        return (query.makeColumns(), Columns(QueryPath(scope: scope)))
    }

    private func changed(_ change: (inout Query<Left>, Columns<Left>, Columns<Right>) -> Void) -> JoinedQuery {
        var joined = self
        let (left, right) = joined.makeColumns()
        change(&joined.query, left, right)
        return joined
    }

    /// Keeps only pairs that meet a condition, in addition to earlier ones.
    public func `where`(_ condition: (Columns<Left>, Columns<Right>) -> some ConditionConvertible) -> JoinedQuery {
        changed { query, left, right in query = query.where(condition(left, right).condition) }
    }

    /// Sorts the pairs, replacing an earlier order.
    public func order(_ orders: (Columns<Left>, Columns<Right>) -> [Ordering]) -> JoinedQuery {
        changed { query, left, right in query = query.order(by: orders(left, right)) }
    }

    /// Sorts the pairs by one value.
    public func order(_ order: (Columns<Left>, Columns<Right>) -> Ordering) -> JoinedQuery {
        changed { query, left, right in query = query.order(by: [order(left, right)]) }
    }

    /// Limits the number of pairs.
    public func limit(_ count: Int) -> JoinedQuery {
        var joined = self
        joined.query = query.limit(count)
        return joined
    }

    /// Skips a number of pairs at the beginning.
    public func offset(_ count: Int) -> JoinedQuery {
        var joined = self
        joined.query = query.offset(count)
        return joined
    }

    /// Counts the pairs.
    ///
    /// ```swift
    /// let count = try await joined.count()    // SELECT count(*) FROM "ticket" AS t0 JOIN "customer" AS t1 ON …
    /// ```
    public func count(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Int {
        try await query.count(fileID: fileID, line: line)
    }

    /// Groups the pairs by values, for `select` with aggregates.
    ///
    /// ```swift
    /// joined.group { ($1.city, $1.country) }.select { ($1.city, $1.country, $0.rowCount) }
    /// ```
    public func group<First: Storable, each Value: Storable>(
        by columns: (Columns<Left>, Columns<Right>) -> (QueryExpression<First>, repeat QueryExpression<each Value>)
    ) -> JoinedQuery {
        changed { query, left, right in
            let all: (Columns<Left>) -> (QueryExpression<First>, repeat QueryExpression<each Value>) = { _ in
                columns(left, right)
            }
            query = query.group(by: all)
        }
    }

    /// Groups the pairs by one value, for `select` with aggregates.
    public func group<Value: Storable>(
        by column: (Columns<Left>, Columns<Right>) -> QueryExpression<Value>
    ) -> JoinedQuery {
        changed { query, left, right in
            let value: (Columns<Left>) -> QueryExpression<Value> = { _ in column(left, right) }
            query = query.group(by: value)
        }
    }

    /// Keeps only groups that meet a condition.
    public func having(_ condition: (Columns<Left>, Columns<Right>) -> some ConditionConvertible) -> JoinedQuery {
        changed { query, left, right in query = query.having { _ in condition(left, right) } }
    }

    /// Selects values of both instead of objects, by one statement.
    ///
    /// ```swift
    /// let rows = try await joined.select { ($0.title, $1.name) }.fetch()    // [(String, String)]
    /// ```
    ///
    /// Of `leftJoined`, values of the other object can be nil: select them as `.optional`.
    public func select<each Value: Storable>(
        _ columns: (Columns<Left>, Columns<Right>) -> (repeat QueryExpression<each Value>)
    ) -> Selection<Left, repeat each Value> {
        var joined = self
        let (left, right) = joined.makeColumns()
        let all: (Columns<Left>) -> (repeat QueryExpression<each Value>) = { _ in columns(left, right) }
        return joined.query.select(all)
    }

    /// Selects one value instead of each pair.
    public func select<Value: Storable>(
        _ column: (Columns<Left>, Columns<Right>) -> QueryExpression<Value>
    ) -> ValueSelection<Left, Value> {
        var joined = self
        let (left, right) = joined.makeColumns()
        let value: (Columns<Left>) -> QueryExpression<Value> = { _ in column(left, right) }
        return joined.query.select(value)
    }

    /// Selects values of a `Decodable` type instead of pairs, each by the name of its coding key.
    public func select<Row: Decodable>(
        as type: Row.Type, _ columns: (Columns<Left>, Columns<Right>) -> KeyValuePairs<String, any Selectable>
    ) -> RowSelection<Left, Row> {
        var joined = self
        let (left, right) = joined.makeColumns()
        return joined.query.select(as: type) { _ in columns(left, right) }
    }
}

extension JoinedQuery where Partner == Right {
    /// Fetches the pairs, with what the objects lead to, in one snapshot.
    ///
    /// One statement finds the keys of the pairs; the objects of each type are then loaded as a fetch of their keys
    /// does. An object in several pairs is one instance, also where both are of one type. Objects that are left out of
    /// results are in no pair.
    ///
    /// ```sql
    /// SELECT t0."id", t1."id" FROM "ticket" AS t0 JOIN "customer" AS t1 ON t0."email" = t1."email" ORDER BY …
    /// SELECT … FROM "ticket" AS t0 WHERE t0."id" = ANY ($1) …
    /// SELECT … FROM "customer" AS t0 WHERE t0."id" = ANY ($1) …
    /// ```
    public func fetch(fileID: StaticString = #fileID, line: UInt = #line) async throws -> [(Left, Right)] {
        try await pairs(fileID, line).compactMap { left, right in right.map { (left, $0) } }
    }

    /// Fetches the first pair, or nil.
    public func first(fileID: StaticString = #fileID, line: UInt = #line) async throws -> (Left, Right)? {
        try await limitedToOne.fetch(fileID: fileID, line: line).first
    }
}

extension JoinedQuery where Partner == Right? {
    /// Fetches the pairs, with what the objects lead to, in one snapshot; the other object is nil where there is none.
    ///
    /// The statements are those of `joined`, with a `LEFT JOIN`. An object that is left out of results is nil.
    public func fetch(fileID: StaticString = #fileID, line: UInt = #line) async throws -> [(Left, Right?)] {
        try await pairs(fileID, line)
    }

    /// Fetches the first pair, or nil.
    public func first(fileID: StaticString = #fileID, line: UInt = #line) async throws -> (Left, Right?)? {
        try await limitedToOne.fetch(fileID: fileID, line: line).first
    }
}

extension JoinedQuery {
    private var limitedToOne: JoinedQuery {
        var joined = self
        joined.query.specification = query.specification.limited(to: 1)
        return joined
    }

    private func pairs(_ fileID: StaticString, _ line: UInt) async throws -> [(Left, Right?)] {
        try await inSnapshot(query.at(fileID, line), "fetch") { query in
            let keys = try await query.run("fetch", { try $0.pairs() }) { rows in
                var keys: [PairKey] = []
                while let cells = try rows.next() { keys.append(Self.key(of: cells)) }
                return keys
            }
            return try await Self.pairs(keys, by: query)
        }
    }

    /// Runs `body` with a query in a transaction: its own, or one of this name for one snapshot.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func inSnapshot<Result>(
        _ query: Query<Left>, _ name: StaticString, _ body: (Query<Left>) async throws -> Result
    ) async throws -> Result {
        let access = try query.access
        guard case .database(let core) = access.kind else {
            return try await body(Query<Left>(access: access, specification: query.specification))
        }
        return try await Database(core: core).run(
            .repeatableRead, isReadOnly: true, for: LeasePurpose(name, at: access.site)
        ) { transaction in
            let access = try query.inside(transaction).access
            return try await body(Query<Left>(access: access, specification: query.specification))
        }
    }

    /// The keys of a pair.
    typealias PairKey = (Key, Key?)

    /// The keys that a row begins with.
    static func key(of cells: UnsafePointer<Cell>) -> PairKey {
        let width = Left.ownDescription.keyIndices.count
        let other = cells + width
        return (
            Key(cells: cells, count: width),
            other[0].isNull ? nil : Key(cells: other, count: Right.ownDescription.keyIndices.count)
        )
    }

    /// The query by which the first objects of pairs are loaded, by their keys.
    ///
    /// - Returns: The query, and whether it loads the other ones as well: of one type, a row is one instance on both
    ///   sides.
    static func lefts(of query: Query<Left>) throws -> (Query<Left>, isOneType: Bool) {
        var lefts = Query<Left>(access: try query.access)
        lefts.specification.scope = query.specification.scope
        // The keys are those that the query has chosen, and what it has left out is not among them. Of one type, those
        // of the other side are among them.
        lefts.specification.seen = query.specification.seen
        if lefts.specification.seen.deleted != .leftOut { lefts.specification.seen.deleted = .included }
        return (lefts, Left.self == Right.self && query.specification.scope.properties == nil)
    }

    /// The objects of pairs, in their order.
    static func pairs(_ keys: [PairKey], by query: Query<Left>) async throws -> [(Left, Right?)] {
        let access = try query.access
        let (lefts, isOneType) = try lefts(of: query)
        let others = keys.compactMap(\.1)
        let found = try await lefts.byKey(keys.map(\.0) + (isOneType ? others : []))
        let partners =
            isOneType ? found as? [Key: Right] ?? [:] : try await Query<Right>(access: access).byKey(others)
        return keys.compactMap { key, other in found[key].map { ($0, other.flatMap { partners[$0] }) } }
    }
}

extension Query {
    /// The objects with some keys, by their keys.
    fileprivate func byKey(_ keys: [Key]) async throws -> [Key: Model] {
        guard !keys.isEmpty else { return [:] }
        var found: [Key: Model] = [:]
        for object in try await keyed(Array(Set(keys))).fetch(known: nil) {
            if let key = try Model.ownMapping.key(of: object) { found[key] = object }
        }
        return found
    }

    /// Gives each object together with each one of another type, or of the same, that meets a condition.
    ///
    /// ```swift
    /// let pairs = try await db.query(Ticket.self)
    ///     .joined(to: Customer.self) { ticket, customer in ticket.email == customer.email }
    ///     .fetch()    // [(Ticket, Customer)]
    /// ```
    ///
    /// Conditions and the order of this query stay. One that is cut by a limit or an offset, that is distinct or of
    /// groups can't be joined: it throws ``DatabaseError/Code/unsupported`` when it runs.
    ///
    /// - Parameters:
    ///   - type: The other type.
    ///   - condition: The condition of the columns of both.
    public func joined<Right: TableObject>(
        to type: Right.Type, on condition: (Columns<Model>, Columns<Right>) -> some ConditionConvertible
    ) -> JoinedQuery<Model, Right, Right> { JoinedQuery(self, isOuter: false, condition) }

    /// Gives each object together with each one of another type, or of the same, that meets a condition; with nil
    /// where there is none.
    ///
    /// ```swift
    /// let pairs = try await db.query(Ticket.self)
    ///     .leftJoined(to: Customer.self) { ticket, customer in ticket.email == customer.email }
    ///     .fetch()    // [(Ticket, Customer?)]
    /// // SELECT t0."id", t1."id" FROM "ticket" AS t0 LEFT JOIN "customer" AS t1 ON … ORDER BY t0."id", t1."id"
    /// ```
    ///
    /// In `where`, `order` and `select`, the properties of an object that is not there are nil.
    ///
    /// - Parameters:
    ///   - type: The other type.
    ///   - condition: The condition of the columns of both.
    public func leftJoined<Right: TableObject>(
        to type: Right.Type, on condition: (Columns<Model>, Columns<Right>) -> some ConditionConvertible
    ) -> JoinedQuery<Model, Right, Right?> { JoinedQuery(self, isOuter: true, condition) }
}
