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
