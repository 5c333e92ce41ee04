extension QuerySQL {
    /// Reads the values of several queries together, in their order.
    ///
    /// `SELECT t0."age" FROM "cat" AS t0 UNION SELECT t1."age" FROM "dog" AS t1 ORDER BY 1`
    ///
    /// Each step but the first stands around those before it: engines differ in which of them bind closer.
    func select(_ nodes: [QueryNode], combinedWith others: [SelectionPart]) throws -> Rendering {
        let writer = makeWriter()
        var areNullable = nodes.map { _ in false }
        func part(_ query: QuerySQL, _ nodes: [QueryNode]) throws -> String {
            try query.requireNoLock()
            if query.specification.groups.contains(where: \.asksOtherRows) {
                throw DatabaseError(
                    .unsupported,
                    "Values of groups by what a query inside gives are combined with others. Ask for them in a query of their own.",
                    table: query.description.table)
            }
            for (index, node) in nodes.enumerated() {
                let type = try writer.type(of: node)
                guard let columnType = type.type, columnType != .json else {
                    throw DatabaseError(
                        .unsupported, "Values that can't be compared are combined, such as documents.",
                        table: query.description.table)
                }
                if type.isNullable { areNullable[index] = true }
            }
            let isCut = query.specification.isCut
            let sql = try query.select(nodes, by: writer, isOrdered: isCut) { try $0.group($0.selected($1), $1) }
            return isCut ? around(sql, writer) : sql
        }
        var sql = try part(self, nodes)
        for (index, other) in others.enumerated() {
            let right = try writer.within(other.query) { try part($0, other.nodes) }
            sql = "\(index == 0 ? sql : around(sql, writer)) \(other.operation.rawValue) \(right)"
        }
        let terms = areNullable.enumerated().map { index, isNullable in
            dialect.orderTerm("\(index + 1)", isDescending: false, nullsFirst: isNullable ? true : nil)
        }
        return ("\(sql) ORDER BY \(terms.joined(separator: ", "))", try writer.parameters)
    }

    private func around(_ sql: String, _ writer: QueryWriter) -> String {
        "SELECT * FROM (\(sql)) AS \(writer.makeAlias())"
    }
}
