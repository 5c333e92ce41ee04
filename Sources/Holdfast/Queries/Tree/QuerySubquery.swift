/// A query inside a query: for a value, for a list of values, or for whether there is a row.
struct QuerySubquery: Sendable {
    /// What it gives.
    enum Output: Sendable {
        /// A value.
        case value(QueryNode)
        /// The keys of objects.
        case keys
        /// The number of objects.
        case count
    }

    let description: TableDescription
    /// The scopes in which its own parts name the object that it is about; those of the query around it are others.
    var scopes = QueryScopes()
    var conditions: [QueryNode] = []
    var orders: [Ordering] = []
    var defaultOrders: [Ordering] = []
    var limit: Int?
    var offset = 0
    var distinct: [QueryNode] = []
    var choice: [Ordering] = []
    /// How many objects of each distinct group.
    var ofEach = 1
    var groups: [QueryNode] = []
    var groupConditions: [QueryNode] = []
    /// Whether what is left out of results is left out of its objects.
    var omitsLacking = true
    var declared: DeclaredPaths?
    var failure: DatabaseError?
    var output = Output.keys
    var join: QueryJoin?

    /// All parts of it.
    var nodes: [QueryNode] {
        let value: [QueryNode] = if case .value(let node) = output { [node] } else { [] }
        return conditions + (orders + defaultOrders + choice).map(\.node) + distinct + groups + groupConditions + value
            + (join.map { [$0.condition] } ?? [])
    }
}

/// The scopes of the closures of one query, all of which name the same object.
struct QueryScopes: Sendable {
    // The first by itself: few queries have another, and a list is memory of its own.
    private var first: QueryScope?
    private var others: [QueryScope] = []

    func contains(_ scope: QueryScope) -> Bool { scope == first || others.contains(scope) }

    mutating func insert(_ scope: QueryScope) {
        if first == nil { first = scope } else if !contains(scope) { others.append(scope) }
    }

    mutating func formUnion(_ other: QueryScopes) {
        for scope in other.all { insert(scope) }
    }

    var all: [QueryScope] { (first.map { [$0] } ?? []) + others }
}
