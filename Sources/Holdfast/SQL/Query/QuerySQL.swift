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

    /// Reads the primary keys of the objects, in the same order.
    ///
    /// - Parameter isLocked: Whether their rows are locked until the transaction ends.
    func keys(isLocked: Bool = false) throws -> Rendering {
        let keys = try (isLocked ? self : ofGiven).render { $0.root.key($0).joined(separator: ", ") }
        return isLocked ? (keys.sql + lock, keys.parameters) : keys
    }

    private var lock: String { dialect.rowLock.isEmpty ? "" : dialect.rowLock + " OF t0" }

    /// Looks whether there is an object.
    func exists() throws -> Rendering {
        let one = QuerySQL(specification: specification.limited(to: 1), description: description, dialect: dialect)
        return try one.ofGiven.render(isOrdered: specification.offset > 0) { _ in "1" }
    }

    /// Counts the objects.
    func count() throws -> Rendering {
        guard specification.limit == nil, specification.offset == 0 else {
            let inner = try ofGiven.render { _ in "1" }
            return ("SELECT count(*) FROM (\(inner.sql)) AS found", inner.parameters)
        }
        return try ofGiven.render(isOrdered: false) { _ in "count(*)" }
    }

    /// The query restricted to objects that are not left out as incomplete.
    private var ofGiven: QuerySQL {
        let conditions = description.presence.conditions
        guard specification.scope.omitsLacking, !conditions.isEmpty else { return self }
        var specification = specification
        specification.conditions += conditions
        return QuerySQL(specification: specification, description: description, dialect: dialect)
    }

    /// Deletes the rows of the objects.
    ///
    /// `DELETE FROM "project" WHERE "project"."name" = $1`; where that needs a join, is ordered or cut,
    /// `DELETE FROM "project" WHERE "id" IN (SELECT t0."id" FROM "project" AS t0 … FOR UPDATE OF t0)`
    func delete() throws -> Rendering {
        try specification.validate()
        let table = dialect.quoted(description.tableName)
        let writer = makeWriter()
        return try ("DELETE FROM \(table)\(changed(writer))", writer.parameters)
    }

    /// The condition of a statement that changes rows.
    ///
    /// Where possible, it is a condition on the changed rows themselves: an engine that waited for another transaction
    /// then checks it again for what that transaction has left.
    private func changed(_ writer: QueryWriter) throws -> String {
        let table = dialect.quoted(description.tableName)
        if specification.isAll { return writer.timed { description.filter(nil, $0) } }
        let isCut = specification.limit != nil || specification.offset > 0
        if !isCut, specification.distinct.isEmpty, let condition = specification.condition {
            let target = QueryObject(description, source: QuerySource(table), alias: table)
            let start = writer.mark
            let written = try writer.withRoot(target) { try writer.condition(condition) }
            if target.source.sql == table { return writer.timed { description.filter(written, $0) } }
            writer.reset(to: start)
        }
        let keys = writer.root.key(writer).joined(separator: ", ")
        let filter = try self.filter(writer)
        let order = isCut ? try self.order(writer) : ""
        let limit = dialect.limit(specification.limit, offset: specification.offset)
        // Locked before they are changed, for the same reason.
        let found = "SELECT \(keys) FROM \(writer.root.source.sql)\(filter)\(order)\(limit)\(lock)"
        return " WHERE \(isOne(of: found))"
    }

    private func isOne(of keys: String) -> String {
        let columnList = dialect.list(description.keyColumns)
        return "\(description.keyColumns.count == 1 ? columnList : "(\(columnList))") IN (\(keys))"
    }

    /// Sets columns in the rows of the objects.
    ///
    /// `UPDATE "project" SET "status" = $1 WHERE "project"."name" = $2`
    ///
    /// - Returns: The statement with its parameters, and what it sets.
    func update(
        _ assignments: [(path: QueryNode, value: QueryNode)]
    ) throws -> (Rendering, sets: [ColumnAssignment]) {
        try specification.validate()
        guard !assignments.isEmpty else {
            throw DatabaseError(.invalidValue, "An update by a query sets nothing.", table: description.table)
        }
        let table = dialect.quoted(description.tableName)
        let writer = makeWriter()
        let target = QueryObject(description, source: QuerySource(table), alias: table)
        let sets = try writer.withRoot(target) {
            try writer.assignments(assignments, to: target) + writer.ownChanges(except: assignments)
        }
        guard target.source.sql == table else {
            throw DatabaseError(
                .unsupported,
                "An update by a query sets a property to what a relation leads to. Set it to a value of its own.",
                table: description.table)
        }
        let list = sets.map { "\(dialect.quoted($0.column)) = \($0.sql)" }.joined(separator: ", ")
        return try (("UPDATE \(table) SET \(list)\(changed(writer))", writer.parameters), sets)
    }

    /// Reads values of the objects, or of groups of them.
    ///
    /// `SELECT t0."status", count(*) FROM "project" AS t0 GROUP BY t0."status" ORDER BY t0."status"`
    func select(_ nodes: [QueryNode]) throws -> Rendering {
        try specification.validate(allowsGroups: true)
        let isGrouped =
            !specification.groups.isEmpty || nodes.contains(where: \.hasAggregate)
            || !specification.groupConditions.isEmpty
        guard isGrouped else {
            return try render { writer in try nodes.map { try writer.selected($0) }.joined(separator: ", ") }
        }
        guard specification.distinct.isEmpty else {
            throw DatabaseError(.unsupported, "A query asks for groups of distinct objects. Ask for one of both.")
        }
        let writer = makeWriter()
        // Otherwise, an engine would not recognize that an expression in SELECT is that of GROUP BY, if a value in both
        // were two parameters.
        writer.reusesParameters = true
        let groups = try specification.groups.flatMap { try writer.plain($0) }
        func check(_ node: QueryNode) throws { try writer.checkGrouped(node, groups) }
        for node in nodes + specification.groupConditions + specification.orders.map(\.node) { try check(node) }
        let selected = try nodes.map { try writer.selected($0) }.joined(separator: ", ")
        let filter = try self.filter(writer)
        let grouping = try specification.groups.flatMap { try writer.groupingTerms($0) }
        let having =
            specification.groupConditions.isEmpty
            ? "" : " HAVING \(try writer.condition(.and(specification.groupConditions)))"
        let orders =
            specification.orders.isEmpty
            ? specification.groups.map { Ordering($0, isDescending: false) } : specification.orders
        var terms = try orders.flatMap { try writer.orderTerms($0) }
        if !specification.orders.isEmpty {
            for group in specification.groups { terms += try writer.orderTerms(Ordering(group, isDescending: false)) }
        }
        let limit = dialect.limit(specification.limit, offset: specification.offset)
        return (
            "SELECT \(selected) FROM \(writer.root.source.sql)\(filter)"
                + (grouping.isEmpty ? "" : " GROUP BY \(grouping.joined(separator: ", "))") + having
                + (terms.isEmpty ? "" : " ORDER BY \(terms.joined(separator: ", "))") + limit,
            try writer.parameters
        )
    }

    // MARK: Parts

    private func makeWriter() -> QueryWriter {
        QueryWriter(description, dialect: dialect, declared: specification.declared)
    }

    /// - Parameter selection: The selected columns, which are written first.
    private func render(
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

    private func filter(_ writer: QueryWriter) throws -> String {
        guard !specification.distinct.isEmpty else {
            return try specification.condition.map { " WHERE \(try writer.condition($0))" } ?? ""
        }
        // Selects the first row of each group, among the rows that meet the condition.
        let alias = writer.makeAlias()
        let source = QuerySource(writer.source(of: description, as: alias))
        let object = QueryObject(description, source: source, alias: alias)
        let inner = try writer.withRoot(object) {
            let groups = try specification.distinct.map { try writer.groupingTerms($0).joined(separator: ", ") }
            let choice = try orderTerms(specification.choice, object, writer)
            let filter = try specification.condition.map { " WHERE \(try writer.condition($0))" } ?? ""
            let keys = object.key(writer)
            let names = keys.indices.map { "k\($0)" }
            let selected = zip(keys, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
            return "SELECT \(names.joined(separator: ", ")) FROM (SELECT \(selected), row_number() OVER "
                + "(PARTITION BY \(groups.joined(separator: ", ")) ORDER BY \(choice.joined(separator: ", "))) AS rank "
                + "FROM \(source.sql)\(filter)) AS grouped WHERE rank = 1"
        }
        let key = writer.root.key(writer)
        return " WHERE \(key.count == 1 ? key[0] : "(\(key.joined(separator: ", ")))") IN (\(inner))"
    }

    private func order(_ writer: QueryWriter) throws -> String {
        " ORDER BY " + (try orderTerms(specification.objectOrders, writer.root, writer)).joined(separator: ", ")
    }

    /// The criteria, and the key of the object where they leave two the same.
    private func orderTerms(_ orders: [Ordering], _ object: QueryObject, _ writer: QueryWriter) throws -> [String] {
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

extension QuerySpecification {
    func limited(to count: Int) -> QuerySpecification {
        var specification = self
        specification.limit = min(limit ?? count, count)
        return specification
    }
}

extension QueryObject {
    /// The columns of properties, from its table.
    func columnList(_ mask: PropertyMask, _ writer: QueryWriter) -> String {
        let table = self.table(writer)
        return writer.timed { dialect in
            description.selectedColumns(mask, from: table, isQualified: true, dialect).joined(separator: ", ")
        }
    }
}

extension QueryWriter {
    /// Writes one criterion of an order: of an object, one term for each part of its key.
    func orderTerms(_ ordering: Ordering) throws -> [String] {
        func term(_ sql: String, isNullable: Bool) -> String {
            let isFirst = ordering.nullPlacement.map { $0 == .first } ?? !ordering.isDescending
            return dialect.orderTerm(
                sql, isDescending: ordering.isDescending, nullsFirst: isNullable ? isFirst : nil)
        }
        if case .path(let path) = ordering.node, case .object(let description, let isNullable) = try locate(path) {
            let types = description.keyIndices.map { description.properties[$0].columnType ?? .int64 }
            return try zip(object(at: path.names, in: path.scope).key(self), types).map { key, type in
                term(dialect.ordered(key, type), isNullable: isNullable)
            }
        }
        let type = try type(of: ordering.node)
        guard let columnType = type.type, columnType != .json else {
            throw DatabaseError(
                .invalidValue, "A query is ordered by \"\(type.property?.name ?? "a value")\", which has no order.",
                table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
        }
        if ordering.ignoresCase { try requireText(ordering.node) }
        if ordering.ignoresCase {
            let text = try operand(ordering.node, type, isTyped: true)
            let folded = dialect.ordered("lower(\(text)\(dialect.codePointCollation))", .text)
            return [term(folded, isNullable: type.isNullable)]
        }
        let sql = try compared(ordering.node, type, isTyped: true)
        return [term(ordered(sql, columnType, type), isNullable: type.isNullable)]
    }

    /// Writes what rows are grouped by.
    func groupingTerms(_ node: QueryNode) throws -> [String] {
        if case .path(let path) = node, case .object = try locate(path) {
            return try object(at: path.names, in: path.scope).key(self)
        }
        let type = try type(of: node)
        guard let columnType = type.type, columnType != .json else {
            throw DatabaseError(.invalidValue, "A query groups by a value that can't be compared.")
        }
        return [exact(try compared(node, type, isTyped: true), columnType, type)]
    }
}
