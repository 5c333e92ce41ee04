/// The options of a query as a value, with names of properties, for queries that are built at run time.
///
/// ```swift
/// let some = try await db.fetch(Project.self, QueryOptions(
///     conditions: ["budget > \(1_000)", "lead.lastName LIKE \("Sm%")"],
///     orderBy: [.ascending("name")], including: ["related"], limit: 20))
/// ```
///
/// Each is what the method of that name of ``Query`` says.
public struct QueryOptions: Sendable {
    /// Which objects: an array is joined by AND, unless it has another word in it.
    public var conditions: Condition
    /// Of objects that are the same in these only one, the one with the lowest key.
    public var distinctBy: [String]
    /// The order of the objects; by primary key if it is empty.
    public var orderBy: [Ordering]
    /// The properties that objects get, besides key and timestamps; nil for all.
    public var properties: [String]?
    /// Relations that would be left out.
    public var including: RelationPaths
    /// How many levels of relations are followed; nil for all.
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
    /// The query with options: conditions come on top of those of before, and the rest in their place.
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
    /// The objects that options ask for, with what they lead to, all of one snapshot.
    ///
    /// - Throws: What ``Query/fetch()`` throws.
    public func fetch<Model: TableObject>(_ type: Model.Type, _ options: QueryOptions) async throws -> [Model] {
        try await query(type).options(options).fetch()
    }
}
