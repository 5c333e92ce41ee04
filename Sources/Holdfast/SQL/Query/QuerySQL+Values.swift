extension QuerySQL {
    /// Reads values of the objects, or of groups of them.
    ///
    /// `SELECT t0."status", count(*) FROM "project" AS t0 GROUP BY t0."status" ORDER BY t0."status"`
    func select(_ nodes: [QueryNode]) throws -> Rendering {
        let writer = makeWriter()
        let sql = try select(nodes, by: writer) { try $0.selected($1) }
        let rendering = (sql, try writer.parameters)
        if (nodes + specification.orders.map(\.node)).contains(where: \.hasWindow) { try requireNoLock() }
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
            throw DatabaseError(
                .unsupported,
                "A query asks for groups or an aggregate of objects of which it takes some, by `distinct` or the first of each. Ask for them of those whose keys it selects: `.where { $0.id.in(first.select(\\.id)) }`.",
                table: description.table)
        }
        if specification.groups.contains(where: \.hasAggregate) {
            throw DatabaseError(
                .invalidValue, "A query groups by an aggregate, which is a value of each group.",
                table: description.table)
        }
        // Otherwise, an engine would not recognize that an expression in SELECT is that of GROUP BY, if a value in both
        // were two parameters.
        writer.reusesParameters = true
        writer.groups = specification.groups.isEmpty ? nil : specification.groups
        defer { writer.groups = nil }
        let groups = try specification.groups.flatMap { try writer.plain($0, namesTables: true) }
        let values = try GroupValues(nodes, of: specification.groups, isOrdered: isOrdered, writer)
        func check(_ node: QueryNode) throws { try writer.checkGrouped(node, groups) }
        // All rows without groups are one, which has no order.
        let chosen = specification.groups.isEmpty ? [] : specification.orders
        for (index, node) in values.nodes.enumerated() where !values.isGroup(index) { try check(node) }
        try specification.groupConditions.forEach(check)
        for order in chosen where try values.position(of: order.node, writer) == nil { try check(order.node) }
        let selected = try writer.withWindows {
            try values.nodes.enumerated().map { index, node in
                try values.isGroup(index) ? writer.group(select(writer, node), node) : select(writer, node)
            }
            .joined(separator: ", ")
        }
        let (matches, filter) = try writer.ofObjects { (try joinCondition(writer), try self.filter(writer)) }
        let grouping = try specification.groups.flatMap { group in
            try values.position(of: group, writer).map { ["\($0)"] } ?? writer.groupingTerms(group)
        }
        let having =
            specification.groupConditions.isEmpty
            ? "" : " HAVING \(try writer.condition(.and(specification.groupConditions)))"
        let orders = chosen + specification.groups.map { Ordering($0, isDescending: false) }
        let terms =
            try !isOrdered || specification.groups.isEmpty
            ? []
            : writer.withWindows {
                try orders.flatMap { order in
                    try writer.orderTerms(order, at: try values.position(of: order.node, writer))
                }
            }
        return "SELECT \(selected) FROM \(tables(writer, joinedBy: matches))\(filter)"
            + (grouping.isEmpty ? "" : " GROUP BY \(grouping.joined(separator: ", "))") + having
            + (terms.isEmpty ? "" : " ORDER BY \(terms.joined(separator: ", "))") + limit
    }
}

/// The values that are selected of groups, and which of them are groups that are named by their positions.
///
/// Groups by what a query inside gives are: engines don't recognize it where it is written again.
private struct GroupValues {
    /// What is selected; behind what was asked for, groups that are only ordered by.
    private(set) var nodes: [QueryNode]
    /// The positions of groups, from 1, by their SQL.
    private var positions: [[String]: Int] = [:]

    init(_ nodes: [QueryNode], of groups: [QueryNode], isOrdered: Bool, _ writer: QueryWriter) throws {
        self.nodes = nodes
        for group in groups where group.asksOtherRows {
            guard !writer.isInner, writer.joined == nil else {
                throw DatabaseError(
                    .unsupported,
                    "A query of pairs, or inside of another one, groups by what a query inside of it gives. Ask for it in a query of its own.",
                    table: writer.description.table)
            }
            let text = try writer.plain(group, namesTables: true)
            let known = try nodes.firstIndex { node in
                try node.asksOtherRows && !node.hasAggregate && writer.plain(node, namesTables: true) == text
            }
            if known == nil, isOrdered { self.nodes.append(group) }
            if known != nil || isOrdered { positions[text] = (known ?? self.nodes.count - 1) + 1 }
        }
    }

    /// Whether a value that is selected is a group with a position.
    func isGroup(_ index: Int) -> Bool { positions.values.contains(index + 1) }

    /// The position of a group; nil where it is written again.
    func position(of node: QueryNode, _ writer: QueryWriter) throws -> Int? {
        guard !positions.isEmpty, node.asksOtherRows, !node.hasAggregate else { return nil }
        return positions[try writer.plain(node, namesTables: true)]
    }
}
