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
        let mask = try specification.scope.mask(of: description)
        return try ofGiven.render { $0.root.columnList(mask, $0) }
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
        QueryWriter(description, dialect: dialect, declared: specification.declared)
    }

    /// - Parameter selection: The selected columns, which are written first.
    func render(
        isOrdered: Bool = true, _ selection: (QueryWriter) throws -> String
    ) throws -> Rendering {
        try specification.validate()
        let writer = makeWriter()
        let selected = try selection(writer)
        let filter = try self.filter(writer)
        let order = isOrdered ? try self.order(writer) : ""
        let limit = dialect.limit(specification.limit, offset: specification.offset)
        return ("SELECT \(selected) FROM \(writer.root.source.sql)\(filter)\(order)\(limit)", try writer.parameters)
    }

    func filter(_ writer: QueryWriter) throws -> String {
        guard specification.distinct.isEmpty else { return try distinctFilter(writer) }
        return try specification.condition.map { " WHERE \(try writer.condition($0))" } ?? ""
    }

    func order(_ writer: QueryWriter) throws -> String {
        " ORDER BY " + (try orderTerms(specification.objectOrders, writer.root, writer)).joined(separator: ", ")
    }

    /// The criteria, and the key of the object where they leave two the same.
    func orderTerms(_ orders: [Ordering], _ object: QueryObject, _ writer: QueryWriter) throws -> [String] {
        var terms: [String] = []
        for order in orders { terms += try writer.orderTerms(order) }
        let types = description.keyIndices.map { description.properties[$0].columnType ?? .int64 }
        for (key, type) in zip(object.key(writer), types) {
            let term = dialect.ordered(key, type)
            if !terms.contains(where: { $0.hasPrefix(term + " ") || $0 == term }) { terms.append(term) }
        }
        return terms
    }
}

/// The parts of a query, collected before it is written as SQL.
struct QuerySpecification: Sendable {
    var conditions: [QueryNode] = []
    var orders: [Ordering] = []
    /// The order of the type, where objects are asked for in none.
    var defaultOrders: [Ordering] = []
    var limit: Int?
    var offset = 0
    /// Of the objects that are the same in these, one is given: the first by `choice`, and else by key.
    var distinct: [QueryNode] = []
    var choice: [Ordering] = []
    /// The expressions by which values are grouped.
    var groups: [QueryNode] = []
    var groupConditions: [QueryNode] = []
    var scope = LoadScope()
    /// The paths into a property kept as JSON that may be asked for; nil for any.
    var declared: DeclaredPaths?
    /// The first error that was made while the query was built.
    var failure: DatabaseError?

    var condition: QueryNode? { conditions.count > 1 ? .and(conditions) : conditions.first }
    /// The order of objects.
    var objectOrders: [Ordering] { orders.isEmpty ? defaultOrders : orders }
    /// Whether all objects of the type are asked for.
    var isAll: Bool { conditions.isEmpty && limit == nil && offset == 0 && distinct.isEmpty }

    /// Whether SQL of the caller's is part of it: a function that it calls may write.
    var hasCallersSQL: Bool {
        (orders + choice).contains(where: \.node.hasCallersSQL)
            || (conditions + distinct + groups + groupConditions).contains(where: \.hasCallersSQL)
    }

    /// - Parameter allowsGroups: Whether values are asked for, which groups can have.
    func validate(allowsGroups: Bool = false) throws {
        if let failure { throw failure }
        if !allowsGroups, !groups.isEmpty || !groupConditions.isEmpty {
            throw DatabaseError(
                .unsupported, "A query asks for groups, which are no objects. Ask for their values, by `select`.")
        }
        if conditions.contains(where: \.hasAggregate) {
            throw DatabaseError(
                .invalidValue, "A query asks each object for an aggregate of all. Group, and ask groups by `having`.")
        }
        if let limit, limit < 0 {
            throw DatabaseError(.invalidValue, "The limit of a query is 0 or more.")
        }
        if offset < 0 { throw DatabaseError(.invalidValue, "The offset of a query is 0 or more.") }
    }

    func limited(to count: Int) -> QuerySpecification {
        var specification = self
        specification.limit = min(limit ?? count, count)
        return specification
    }
}
