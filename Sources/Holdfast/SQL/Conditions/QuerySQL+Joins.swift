extension QuerySQL {
    /// Reads the keys of the objects, and of those that they are joined with.
    ///
    /// `SELECT t0."id", t1."id" FROM "ticket" AS t0 JOIN "customer" AS t1 ON t1."email" = t0."email" ORDER BY …`
    func pairs() throws -> Rendering {
        try ofGiven.render { writer in
            (writer.root.key(writer) + (writer.joined?.key(writer) ?? [])).joined(separator: ", ")
        }
    }

    /// The condition of the join, which stands behind what is selected.
    func joinCondition(_ writer: QueryWriter) throws -> String? {
        guard let join = specification.join, let joined = writer.joined else { return nil }
        return try joined.asJoined { try writer.condition(join.condition) }
    }

    /// The tables behind FROM.
    func tables(_ writer: QueryWriter, joinedBy condition: String?) -> String {
        let source = writer.root.source.sql
        guard let condition, let joined = writer.joined else { return source }
        // What the other table leads to belongs to it.
        let other = joined.source.hasJoins ? "(\(joined.source.sql))" : joined.source.sql
        return "\(source) \(specification.join?.isOuter == true ? "LEFT JOIN" : "JOIN") \(other) ON \(condition)"
    }

    /// The end of an order: the key of what is joined.
    func joinedOrder(_ writer: QueryWriter) throws -> [String] {
        guard let scope = specification.join?.scopes.all.first else { return [] }
        return try writer.orderTerms(Ordering(.path(QueryPath(scope: scope)), isDescending: false))
    }
}
