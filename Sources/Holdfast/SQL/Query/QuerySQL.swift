/// The statements of a query: pure, from what it asks for and a dialect to text and parameters.
struct QuerySQL {
    let specification: QuerySpecification
    let description: TableDescription
    let dialect: any Dialect

    typealias Rendering = (sql: String, parameters: ParameterBuffer)

    /// Reads the columns of the objects: all, unless the query names properties.
    ///
    /// `SELECT t0."id", t0."name" FROM "project" AS t0 WHERE t0."name" = $1 ORDER BY t0."id" LIMIT 20`
    func select() throws -> Rendering {
        if specification.orders.contains(where: \.node.hasWindow) { try requireNoLock() }
        let mask = specification.scope.properties == nil ? nil : try specification.scope.mask(of: description)
        return try locking(ofGiven.render { $0.root.columnList(mask, $0) })
    }

    /// Reads the columns of the objects and, behind them, the values of some expressions.
    ///
    /// `SELECT t0."id", t0."name", t0."name" FROM "project" AS t0 WHERE … ORDER BY t0."name", t0."id" LIMIT 21`
    func select(with nodes: [QueryNode]) throws -> Rendering {
        if (nodes + specification.orders.map(\.node)).contains(where: \.hasWindow) { try requireNoLock() }
        let mask = specification.scope.properties == nil ? nil : try specification.scope.mask(of: description)
        return try locking(
            render { writer in
                let values = try writer.withWindows { try nodes.map { try writer.selected($0) } }
                return ([writer.root.columnList(mask, writer)] + values).joined(separator: ", ")
            })
    }

    /// The query restricted to objects that are not left out as incomplete.
    var ofGiven: QuerySQL {
        let conditions = description.presence.conditions
        guard specification.scope.omitsLacking, !conditions.isEmpty else { return self }
        var specification = specification
        specification.conditions += conditions
        return QuerySQL(specification: specification, description: description, dialect: dialect)
    }

    // MARK: Parts

    func makeWriter() -> QueryWriter {
        let writer = QueryWriter(
            description, dialect: dialect, declared: specification.declared, scopes: specification.scopes,
            join: specification.join, seen: specification.seen)
        writer.group(by: specification.groups)
        return writer
    }

    /// - Parameter selection: The selected columns, which are written first.
    func render(
        isOrdered: Bool = true, _ selection: (QueryWriter) throws -> String
    ) throws -> Rendering {
        let writer = makeWriter()
        return (try render(by: writer, isOrdered: isOrdered, selection), try writer.parameters)
    }

    /// Writes the statement, perhaps as one inside of another.
    func render(
        by writer: QueryWriter, isOrdered: Bool, _ selection: (QueryWriter) throws -> String
    ) throws -> String {
        try specification.validate()
        let selected = try selection(writer)
        let matches = try joinCondition(writer)
        let filter = try self.filter(writer)
        let order = isOrdered ? try self.order(writer) : ""
        return "SELECT \(selected) FROM \(tables(writer, joinedBy: matches))\(filter)\(order)\(limit)"
    }

    /// The end of a statement that is cut; empty for others, as those that are combined have none.
    var limit: String {
        specification.isCut ? dialect.limit(specification.limit, offset: specification.offset) : ""
    }

    func filter(_ writer: QueryWriter) throws -> String {
        guard specification.distinct.isEmpty else {
            return try distinctFilter(writer)
                + (specification.place.map { " AND (\(try writer.condition($0)))" } ?? "")
        }
        var conditions = specification.conditions
        if let place = specification.place { conditions.append(place) }
        guard let first = conditions.first else { return "" }
        return " WHERE \(try writer.condition(conditions.count > 1 ? .and(conditions) : first))"
    }

    func order(_ writer: QueryWriter) throws -> String {
        let terms = try writer.withWindows { try writer.orderTerms(specification.objectOrders, of: writer.root) }
        return " ORDER BY " + (try terms + joinedOrder(writer)).joined(separator: ", ")
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
