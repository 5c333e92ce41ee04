/// The options of a query as a value, with names of properties, for queries that are built at run time.
///
/// ```swift
/// let some = try await db.fetch(Project.self, QueryOptions(
///     conditions: ["budget > \(1_000)", "lead.lastName LIKE \("Sm%")"],
///     orderBy: [.ascending("name")], including: ["related"], limit: 20))
/// ```
///
/// Each option corresponds to the method of ``Query`` with its name.
public struct QueryOptions: Sendable {
    /// The conditions; an array combines them with AND, unless it contains another operator.
    public var conditions: Condition
    /// The properties by which objects are distinct: of each group with equal values, the one with the lowest key is
    /// kept.
    public var distinctBy: [String]
    /// The order of the objects; by primary key if it is empty.
    public var orderBy: [Ordering]
    /// The properties to load, besides the key and the timestamps; nil for all but those that are loaded on demand.
    public var properties: [String]?
    /// Relations to load that would not be loaded otherwise, such as arrays with `inverse:`.
    public var including: RelationPaths
    /// The number of levels of relations that are followed; nil for all.
    public var depth: Int?
    /// The greatest number of objects; nil for all.
    public var limit: Int?
    /// The number of objects to skip at the beginning.
    public var offset: Int

    /// Creates options; what you leave out does not restrict the query.
    public init(
        conditions: Condition = [], distinctBy: [String] = [], orderBy: [Ordering] = [],
        properties: [String]? = nil, including: RelationPaths = [],
        depth: Int? = nil, limit: Int? = nil, offset: Int = 0
    ) {
        self.conditions = conditions
        self.distinctBy = distinctBy
        self.orderBy = orderBy
        self.properties = properties
        self.including = including
        self.depth = depth
        self.limit = limit
        self.offset = offset
    }
}

extension Query {
    /// Returns the query with options: its conditions are combined, and the other options replaced.
    ///
    /// ```swift
    /// let some = try await db.query(Project.self)
    ///     .where { $0.lead != nil }
    ///     .options(QueryOptions(conditions: ["budget > \(10)"], limit: 5))
    ///     .fetch()
    /// ```
    public func options(_ options: QueryOptions) -> Query {
        var query = self.where(options.conditions)
            .order(by: options.orderBy)
            .including(options.including)
            .depth(options.depth)
            .offset(options.offset)
        query.specification.limit = options.limit
        query.specification.scope.properties = options.properties
        return options.distinctBy.isEmpty ? query : query.distinct(by: options.distinctBy)
    }
}

extension DatabaseContext {
    /// Fetches the objects that options describe, with their relations, but for what is loaded on demand, in one
    /// snapshot.
    ///
    /// ```swift
    /// let some = try await db.fetch(Project.self, QueryOptions(orderBy: [.ascending("name")], limit: 5))
    /// ```
    ///
    /// - Throws: The errors of ``Query/fetch(fileID:line:)``.
    public func fetch<Model: TableObject>(
        _ type: Model.Type, _ options: QueryOptions, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        try await query(type).options(options).fetch(fileID: fileID, line: line)
    }
}
