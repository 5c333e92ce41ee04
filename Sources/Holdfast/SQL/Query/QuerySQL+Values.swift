extension QuerySQL {
    /// Reads values of the objects, or of groups of them.
    ///
    /// `SELECT t0."status", count(*) FROM "project" AS t0 GROUP BY t0."status" ORDER BY t0."status"`
    func select(_ nodes: [QueryNode]) throws -> Rendering {
        let writer = makeWriter()
        let sql = try select(nodes, by: writer) { try $0.selected($1) }
        let rendering = (sql, try writer.parameters)
        return isGrouped(selecting: nodes) ? rendering : try locking(rendering)
    }

    /// Whether values are asked for of groups, or of all rows together.
    func isGrouped(selecting nodes: [QueryNode]) -> Bool {
        !specification.groups.isEmpty || nodes.contains(where: \.hasAggregate)
            || !specification.groupConditions.isEmpty
    }

    /// Writes the statement, perhaps as one inside of another.
    ///
    /// - Parameter select: Writes one of the values.
    func select(
        _ nodes: [QueryNode], by writer: QueryWriter, isOrdered: Bool = true,
        _ select: (QueryWriter, QueryNode) throws -> String
    ) throws -> String {
        try specification.validate(allowsGroups: true)
        guard isGrouped(selecting: nodes) else {
            return try render(by: writer, isOrdered: isOrdered) { writer in
                try writer.withWindows { try nodes.map { try select(writer, $0) }.joined(separator: ", ") }
            }
        }
        try requireNoLock()
        guard specification.distinct.isEmpty else {
            throw DatabaseError(.unsupported, "A query asks for groups of distinct objects. Ask for one of both.")
        }
        // Otherwise, an engine would not recognize that an expression in SELECT is that of GROUP BY, if a value in both
        // were two parameters.
        writer.reusesParameters = true
        let groups = try specification.groups.flatMap { try writer.plain($0, namesTables: true) }
        func check(_ node: QueryNode) throws { try writer.checkGrouped(node, groups) }
        try specification.groups.forEach(writer.checkGroup)
        // All rows without groups are one, which has no order.
        let chosen = specification.groups.isEmpty ? [] : specification.orders
        for node in nodes + specification.groupConditions + chosen.map(\.node) { try check(node) }
        let selected = try nodes.map { try select(writer, $0) }.joined(separator: ", ")
        let (matches, filter) = try writer.ofObjects { (try joinCondition(writer), try self.filter(writer)) }
        let grouping = try specification.groups.flatMap { try writer.groupingTerms($0) }
        let having =
            specification.groupConditions.isEmpty
            ? "" : " HAVING \(try writer.condition(.and(specification.groupConditions)))"
        let orders =
            chosen.isEmpty ? specification.groups.map { Ordering($0, isDescending: false) } : chosen
        var terms = isOrdered ? try orders.flatMap { try writer.orderTerms($0) } : []
        if isOrdered, !chosen.isEmpty {
            for group in specification.groups { terms += try writer.orderTerms(Ordering(group, isDescending: false)) }
        }
        let limit = dialect.limit(specification.limit, offset: specification.offset)
        return "SELECT \(selected) FROM \(tables(writer, joinedBy: matches))\(filter)"
            + (grouping.isEmpty ? "" : " GROUP BY \(grouping.joined(separator: ", "))") + having
            + (terms.isEmpty ? "" : " ORDER BY \(terms.joined(separator: ", "))") + limit
    }
}
