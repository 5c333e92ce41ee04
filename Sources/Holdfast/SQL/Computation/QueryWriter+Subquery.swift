/// Queries inside of a query: each has an object of its own, whose table has a name of its own.
extension QueryWriter {
    /// The type of the value that a query gives.
    func type(of query: QuerySubquery) throws -> ValueType {
        guard case .value(let node) = query.output else { return ValueType(type: .int64) }
        var type = try ownType(of: node, in: query)
        // What it gives is written as the value that it is, and there may be no row.
        (type.textForm, type.isInDocument, type.isValue, type.isNullable) = (nil, false, false, true)
        return type
    }

    /// Writes the value of the first row.
    ///
    /// `(SELECT sum(t1."total") FROM "order" AS t1 WHERE t1."customer_id" = t0."id")`
    func value(of query: QuerySubquery) throws -> String {
        let sql = try within(query) { inner in
            guard case .value(let node) = query.output else { return try inner.count(by: self) }
            // Of all rows together there is one value.
            let isOne = inner.isGrouped(selecting: [node]) && query.specification.groups.isEmpty
            let first = isOne ? inner : inner.limited(to: 1)
            return try first.select([node], by: self, isOrdered: !isOne) { try $0.selected($1) }
        }
        return "(\(sql))"
    }

    /// Writes whether there is a row.
    ///
    /// `EXISTS (SELECT 1 FROM "comment" AS t1 WHERE t1."ticket_id" = t0."id")`
    func exists(_ query: QuerySubquery) throws -> String {
        let sql = try within(query) { inner in
            try inner.ofGiven.render(by: self, isOrdered: inner.specification.isCut) { _ in "1" }
        }
        return "EXISTS (\(sql))"
    }

    /// Writes whether a value, or an object, is one of those that a query gives.
    ///
    /// `t0."id" IN (SELECT t1."user_id" FROM "membership" AS t1 WHERE …)`
    func isIn(_ node: QueryNode, _ query: QuerySubquery) throws -> String {
        if case .path(let path) = node, let element = try anyElement(path) {
            return try condition(
                .hasElement(element.path, scope: element.scope, .isInQuery(.path(element.rest), query)))
        }
        guard case .value(let value) = query.output else { return try isOne(node, of: query) }
        if case .failure(let error) = value { throw error }
        let (left, right) = (try type(of: node), try ownType(of: value, in: query))
        let common = try unified(left, right)
        try requireSameType(left, right)
        guard let type = common.type, type != .json else { throw refused(.invalid("comparable"), common) }
        looksForEqual = true
        let compared = try compared(node, common, isTyped: !isColumn(node))
        looksForEqual = false
        func list(named name: String) throws -> String {
            try within(query) { inner in
                try inner.select([value], by: self, isOrdered: inner.specification.isCut) {
                    try $0.compared($1, common, isTyped: true) + name
                }
            }
        }
        let found = "\(exact(compared, type, common)) IN (\(try list(named: "")))"
        guard left.isNullable, right.isNullable else { return found }
        // Nil is one of the values, as in Swift.
        let isNull = try nullComparison(.equal, node)
        let alias = makeAlias()
        return "(\(found) OR \(isNull) AND EXISTS "
            + "(SELECT 1 FROM (\(try list(named: " AS v"))) AS \(alias) WHERE \(alias).v IS NULL))"
    }

    /// Writes whether an object is one of those that a query finds.
    private func isOne(_ node: QueryNode, of query: QuerySubquery) throws -> String {
        if case .failure(let error) = node { throw error }
        guard let (path, description, _) = try objectPath(node), description === query.description else {
            throw DatabaseError(
                .invalidValue,
                "A query asks whether something is a \(query.description.type) that is none. Compare objects of one type.",
                table: query.description.table)
        }
        let key = try object(at: path.names, in: path.scope).key(self)
        let found = try within(query) { inner in
            try inner.ofGiven.render(by: self, isOrdered: inner.specification.isCut) {
                $0.root.key($0).joined(separator: ", ")
            }
        }
        return "\(key.count == 1 ? key[0] : "(\(key.joined(separator: ", ")))") IN (\(found))"
    }

    private func ownType(of value: QueryNode, in query: QuerySubquery) throws -> ValueType {
        try within(query, isWritten: false) { _ in try type(of: value) }
    }
}
