import Foundation

extension QueryWriter {
    /// Writes a value to be selected.
    func selected(_ node: QueryNode) throws -> String {
        if case .path(let path) = node, case .object(let description, _) = try locate(path) {
            guard description.keyIndices.count == 1 else {
                throw DatabaseError(
                    .unsupported, "A query selects a \(description.type), whose key has several parts. Select those.")
            }
            return try object(at: path.names, in: path.scope).key(self)[0]
        }
        return try operand(node, type(of: node), isTyped: true)
    }

    // MARK: Groups

    /// Writes a node apart from its statement, for comparison with other nodes.
    ///
    /// - Parameter namesTables: Whether the tables are written that it needs: in a writer of its own, the first table
    ///   that is joined always has the same name.
    func plain(_ node: QueryNode, namesTables: Bool = false) throws -> [String] {
        // A query inside of another one can name what that is about: only here is that known.
        let writer =
            isInner || joined != nil
            ? self : QueryWriter(description, dialect: dialect, declared: declared, scopes: ownScopes)
        if writer !== self { writer.groupedArray = groupedArray }
        let start = writer.mark
        defer { writer.reset(to: start) }
        var terms = try writer.groupingTerms(node)
        if namesTables, writer !== self { terms = terms.map { "\($0) FROM \(writer.root.source.sql)" } }
        // The bound values are included, since nodes that differ in them alone are not the same.
        let bound = writer.boundValues
        let values = bound.withRow(0) { cells in
            cells.dropFirst(start.values.cells.count).map { writer.literal($0, bound) }
        }
        return values.isEmpty ? terms : terms.map { "\($0) \(values)" }
    }

    /// A value that is bound, or a list of them, as text.
    private func literal(_ cell: Cell, _ values: ParameterBuffer) -> String {
        guard cell.kind == .list else { return dialect.literal(cell, type: .text) }
        let list = values.lists[Int(cell.payload)]
        return "\(list.rowIndices.flatMap { list.withRow($0) { $0.map { dialect.literal($0, type: .text) } } })"
    }

    /// Refuses a value that is not the same for all rows of a group: some engines would return that of an arbitrary
    /// row.
    func checkGrouped(_ node: QueryNode, _ groups: [String]) throws {
        try nested { try checkPart(node, groups) }
    }

    private func checkPart(_ node: QueryNode, _ groups: [String]) throws {
        switch node {
        case .aggregate, .value, .null, .constant, .failure, .key: return
        case .path(let path):
            // What is of the query around this one is the same for all of its rows.
            if isInner, case .object(let object) = try content(of: path.scope), object !== root, object !== joined {
                return
            }
            guard try !plain(node, namesTables: true).allSatisfy(groups.contains) else { return }
            throw DatabaseError(
                .invalidValue,
                "A query selects \"\(path.text)\" of groups, which it is not grouped by. Group by it, or select an aggregate of it.",
                table: description.table, properties: path.names)
        case .text(let text): try checkGrouped(ConditionParser.parse(text), groups)
        case .comparison(_, let left, let right), .arithmetic(_, let left, let right),
            .concatenation(let left, let right),
            .coalesce(let left, let right), .like(let left, let right, _), .match(_, let left, let right, _),
            .hasJSONElement(let left, _, let right):
            if try isGroup(node, groups) { return }
            try checkGrouped(left, groups)
            try checkGrouped(right, groups)
        case .and(let nodes), .or(let nodes): for node in nodes { try checkGrouped(node, groups) }
        case .not(let node): try checkGrouped(node, groups)
        case .isIn(let node, let nodes): for node in [node] + nodes { try checkGrouped(node, groups) }
        case .between(let node, let low, let high): for node in [node, low, high] { try checkGrouped(node, groups) }
        case .isInList(let node, _): try checkGrouped(node, groups)
        case .hasJSON(let document, _, _), .edited(let document, _): try checkGrouped(document, groups)
        case .json(let argument, _, _): if try !isGroup(node, groups) { try checkGrouped(argument, groups) }
        case .function, .date, .choice:
            if try !isGroup(node, groups) { for node in node.children { try checkGrouped(node, groups) } }
        case .window(let window):
            guard self.groups != nil else {
                throw DatabaseError(
                    .invalidValue, "A query asks for the rows around the one row of an aggregate. Group it.")
            }
            for node in window.nodes { try checkGrouped(node, groups) }
        case .subquery(let query), .exists(let query): try checkIsOfNoRow(query)
        case .isInQuery(let node, let query):
            try checkIsOfNoRow(query)
            try checkGrouped(node, groups)
        case .isInTree(let node, _), .matches(let node, _): try checkGrouped(node, groups)
        case .searchRank:
            throw DatabaseError(
                .unsupported, "A query asks how well groups have what is looked for. Ask for that of each object.")
        case .sql(let sql, let type):
            if try type != nil && isGroup(node, groups) { return }
            for node in sql.expressions { try checkGrouped(node, groups) }
        case .hasElement, .elementCount, .elementAggregate, .isHeld, .treeLevel:
            throw DatabaseError(
                .unsupported,
                "A query asks for other rows of each object of groups, such as elements of arrays. Group by that, select the whole of it once, and order by it; `having` can't name it."
            )
        }
    }

    /// Refuses a query inside of one for groups that asks for something of its rows.
    private func checkIsOfNoRow(_ query: QuerySubquery) throws {
        for path in query.nodes.flatMap(\.paths)
        where ownScopes.contains(path.scope) || joinedScopes.contains(path.scope) {
            throw DatabaseError(
                .unsupported,
                "A query of groups has a query inside that names \"\(path.text)\" of each object. Group by the whole of it, or ask for it in a query of the objects.",
                table: description.table, properties: path.names)
        }
    }

    private func isGroup(_ node: QueryNode, _ groups: [String]) throws -> Bool {
        switch node {
        case .comparison, .like, .match, .hasJSONElement: false  // a condition is no value that one groups by
        case _ where node.hasWindow: false
        default: try plain(node, namesTables: true).allSatisfy(groups.contains)
        }
    }

    // MARK: Updates

    func assignments(
        _ assignments: [(path: QueryNode, value: QueryNode)], to target: QueryObject
    ) throws -> [ColumnAssignment] {
        var set: Set<Int> = []
        return try assignments.flatMap { node, value in
            if case .failure(let error) = node { throw error }
            if case .failure(let error) = value { throw error }
            guard case .path(let path) = node, path.names.count == 1,
                let index = description.index(ofProperty: path.names[0])
            else { throw DatabaseError(.invalidValue, "An update by a query sets something that is no property.") }
            let property = description.properties[index]
            guard set.insert(index).inserted else {
                throw DatabaseError(
                    .invalidValue, "An update by a query sets \"\(property.name)\" twice.", table: description.table,
                    properties: [property.name])
            }
            if property.isKey {
                throw DatabaseError(
                    .invalidValue, "An update by a query sets \"\(property.name)\", which is part of the primary key.",
                    table: description.table, properties: [property.name])
            }
            if case .null = value, !property.isNullable { throw cannotBeNil(property) }
            if let relation = description.columns.relation(index) { return try assign(relation, value) }
            try description.requireComputedByNone(PropertyMask([index]))
            // A value is assigned as the column stores it, not as queries read it.
            let type =
                property.textForm == nil
                ? try self.type(of: node)
                : ValueType(
                    type: property.columnType,
                    storage: property.textForm == .ofColumnType ? .native : property.storage,
                    isNullable: property.isNullable, property: (property.name, description.table))
            guard let column = property.columnName, let columnType = type.type else {
                throw DatabaseError(
                    .invalidValue, "An update by a query sets \"\(property.name)\", which has no column.")
            }
            let isComputed = if case .value = value { false } else { true }
            if property.textForm != nil, isComputed {
                guard case .null = value else { throw computesText(property) }
                return [ColumnAssignment(column: column, sql: "NULL")]
            }
            // A computed value has to fit the property as in a comparison, so that it has the property's type and
            // storage.
            let isEdited = if case .edited = value { true } else { false }
            if isComputed, !isEdited { _ = try unified(type, self.type(of: value)) }
            let position = try parameters.width
            let sql = try ofRow(target, property) { try operand(value, type, isTyped: false) }
            let isParameter = try !isComputed && parameters.width == position + 1
            return [
                ColumnAssignment(
                    column: column, sql: isComputed ? dialect.fitting(sql, columnType) : sql,
                    parameter: isParameter ? position : nil, type: columnType)
            ]
        }
    }

    private func cannotBeNil(_ property: PropertyMapping) -> DatabaseError {
        DatabaseError(
            .invalidValue, "An update by a query sets \"\(property.name)\" to nil, which it can't be.",
            table: description.table, properties: [property.name])
    }

    private func computesText(_ property: PropertyMapping) -> DatabaseError {
        DatabaseError(
            .unsupported,
            "An update by a query computes \"\(property.name)\", which is stored in a form of its own. Set it to a value.",
            table: description.table, properties: [property.name])
    }

    private func assign(_ relation: Relation, _ value: QueryNode) throws -> [ColumnAssignment] {
        guard case .reference(let columns) = relation.storage else {
            throw DatabaseError(
                .unsupported, "An update by a query sets \"\(relation.name)\", which the other side holds.",
                table: description.table, properties: [relation.name])
        }
        if let shared = description.columns.sharedReference(relation.property) {
            let names = shared.owningMask.indices.map { description.properties[$0].name }
            throw DatabaseError(
                .unsupported,
                "An update by a query sets \"\(relation.name)\", whose key is in columns of \(names.map { "\"\($0)\"" }.joined(separator: ", ")). Set those.",
                table: description.table, properties: [relation.name] + names)
        }
        guard case .key(let key) = value else { return columns.map { ColumnAssignment(column: $0, sql: "NULL") } }
        let row = try relation.target.description.parameters(of: key)
        return columns.indices.map { index in
            var part = ParameterBuffer(width: 1)
            row.withRow(0) { part.append(copying: $0[index]) }
            let key = bind(part)
            return ColumnAssignment(
                column: columns[index],
                sql: relation.alternate == nil ? key : timed { relation.held(byKey: key, $0) })
        }
    }

    /// Sets the modification times that the update itself does not, and counts up the version.
    func ownChanges(except assignments: [(path: QueryNode, value: QueryNode)]) throws -> [ColumnAssignment] {
        let set = assignments.compactMap { if case .path(let path) = $0.path { path.names.first } else { nil } }
        let now = try description.timestamps()
        let times: [ColumnAssignment] = description.modifiedMask.indices.compactMap { index in
            let property = description.properties[index]
            guard !set.contains(property.name), let column = property.columnName,
                let time = now[index]
            else { return nil }
            return ColumnAssignment(column: column, sql: bind(time))
        }
        guard let index = description.versionIndex, let column = description.versionColumn,
            !set.contains(description.properties[index].name)
        else { return times }
        return times + [ColumnAssignment(column: column, sql: description.countedUp(dialect.quoted(column)))]
    }
}

extension QueryNode {
    /// Whether SQL of the caller's is part of it, of which nobody knows whether it only reads.
    var hasCallersSQL: Bool {
        switch self {
        case .sql: true
        case .text(let text):
            !text.functions.isEmpty
                || text.pieces.contains { piece in
                    switch piece {
                    case .condition(let node): node.hasCallersSQL
                    case .function: true
                    case .text, .operand, .operands: false
                    }
                }
        default: children.contains(where: \.hasCallersSQL)
        }
    }

    /// Whether a function of the rows around each row is part of it.
    var hasWindow: Bool { if case .window = self { true } else { children.contains(where: \.hasWindow) } }

    /// The paths in it, those of queries inside of it included.
    var paths: [QueryPath] {
        let own: [QueryPath] =
            switch self {
            case .path(let path), .hasElement(let path, _, _), .elementCount(let path, _, _): [path]
            case .elementAggregate(let aggregate): [aggregate.path]
            default: []
            }
        return own + children.flatMap(\.paths)
    }

    /// Whether an aggregate is part of it.
    var hasAggregate: Bool {
        switch self {
        case .aggregate: true
        // Over a window, it is one for each row; what it is computed of may be one of a group.
        case .window(let window): window.nodes.contains(where: \.hasAggregate)
        // An aggregate in here is one of an array's elements, not of the query's rows.
        case .hasElement, .elementCount, .elementAggregate: false
        case .subquery, .exists: false
        case .isInQuery(let node, _): node.hasAggregate
        default: children.contains(where: \.hasAggregate)
        }
    }
}

extension QueryNode {
    /// Whether a query is written inside of it: engines don't recognize one that stands twice in a statement.
    var asksOtherRows: Bool {
        switch self {
        case .hasElement, .elementCount, .elementAggregate, .isHeld, .subquery, .exists, .isInQuery, .isInTree,
            .treeLevel:
            true
        case .text(let text): (try? ConditionParser.parse(text))?.asksOtherRows ?? false
        default: children.contains(where: \.asksOtherRows)
        }
    }
}
