/// The keys of objects and of those that they are joined with.
extension QuerySQL {
    /// Reads the keys of the objects, and of those that they are joined with.
    ///
    /// `SELECT t0."id", t1."id" FROM "ticket" AS t0 JOIN "customer" AS t1 ON t1."email" = t0."email" ORDER BY …`
    func pairs() throws -> Rendering {
        try ofGiven.render { writer in
            (writer.root.key(writer) + (writer.joined?.key(writer) ?? [])).joined(separator: ", ")
        }
    }

    /// Reads these keys, and behind them the values of some expressions.
    func pairs(with nodes: [QueryNode]) throws -> Rendering {
        try ofGiven.render { writer in
            let keys = writer.root.key(writer) + (writer.joined?.key(writer) ?? [])
            return (keys + (try writer.withWindows { try nodes.map { try writer.selected($0) } }))
                .joined(separator: ", ")
        }
    }
}
