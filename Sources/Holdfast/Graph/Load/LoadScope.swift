/// How much of the graph a fetch loads.
struct LoadScope: Sendable {
    /// Relations that are followed in any case.
    var including: RelationPaths = []
    /// How many levels of relations are followed; nil for all.
    var depth: Int?
    var missingTarget = MissingTarget.throw

    func validate(from description: TableDescription) throws {
        try including.validate(from: description)
        if let depth, depth < 0 {
            throw DatabaseError(.invalidValue, "A fetch follows 0 levels of relations or more, not \(depth).")
        }
    }
}
