/// The conditions of the scopes of a type, as they were read.
private final class ScopeConditions: Sendable {
    /// Nil of those that take a value.
    let conditions: [Result<QueryNode, DatabaseError>?]

    init(_ description: TableDescription) {
        conditions = description.scopes.map { scope in
            guard case .condition(let text) = scope.requirement else { return nil }
            do {
                let node = try ConditionParser.parse(ConditionText(pieces: [.text(text)]))
                try description.requireOwn(node, of: scope)
                return .success(node)
            } catch let error as DatabaseError {
                return .failure(description.refused(scope, error.message))
            } catch {
                return .failure(description.refused(scope, "\(error)"))
            }
        }
    }
}

/// What scopes say of rows.
extension TableDescription {
    private var scopeNodes: ScopeConditions {
        if let known = resolvedScopes.value as? ScopeConditions { return known }
        let new = ScopeConditions(self)
        return resolvedScopes.set(new) as? ScopeConditions ?? new
    }

    /// The conditions of the scopes that a statement obeys, by the name of the table.
    ///
    /// `("post"."published_at" IS NOT NULL)`
    func scopeConditions(_ dialect: any Dialect, _ seen: SeenRows) -> [String] {
        let view = dialect.scopes
        return scopes.indices.filter { index in
            !seen.passed.contains(scopes[index]) && view?.ignored.contains(scopes[index].name) != true
        }
        .map { index in
            // What can't be written was refused when the type was first used; else nothing may be seen.
            (try? scopeCondition(index, dialect)).map { "(\($0))" } ?? "FALSE"
        }
    }

    /// The condition that rows which an upsert meets are inside of the scopes with a value; nil where there are none.
    func scopeBoundary(_ dialect: any Dialect) -> String? {
        guard takesScopeValues else { return nil }
        let conditions = scopeConditions(dialect, SeenRows().ofHeld)
        return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }

    /// Writes that a property is the value that the program gives.
    ///
    /// `"invoice"."tenant_id" = $2`
    private func scopeCondition(_ scope: TableScope, by name: String, _ dialect: any Dialect) throws -> String {
        guard let value = dialect.scopes?.values[scope.name] else {
            throw DatabaseError(
                .invalidValue,
                "\(type) is in the scope \"\(scope.name)\", and this database has no value of it. Use the one that `scoped([\"\(scope.name)\": …])` gives, or that of `ignoringScopes(\"\(scope.name)\")`.",
                table: table, properties: [name])
        }
        let (column, columnType) = try scopedColumn(scope, name)
        guard value.fits(columnType) else {
            throw refused(scope, "its value is \(value.type), and \"\(name)\" is \(columnType).")
        }
        let left = dialect.exact("\(dialect.quoted(tableName)).\(dialect.quoted(column))", columnType)
        // Where it has no position, the condition is only tried.
        return "\(left) = \(dialect.placeholder(dialect.scopes?.positions[scope.name] ?? 0))"
    }

    /// The column by which objects are inside of a scope.
    private func scopedColumn(_ scope: TableScope, _ name: String) throws -> (String, ColumnType) {
        guard let index = index(ofProperty: name) else {
            throw refused(scope, "it has no property \"\(name)\". Its properties: \(ownNames).")
        }
        var column: (String, ColumnType)?
        switch properties[index].kind {
        case .column:
            if properties[index].storage == .native, properties[index].textForm == nil,
                let type = properties[index].columnType, [.int16, .int32, .int64, .text, .uuid].contains(type)
            {
                column = properties[index].columnName.map { ($0, type) }
            }
        case .reference:
            if let relation = columns.relation(index), relation.alternate == nil,
                case .reference(let names) = relation.storage, names.count == 1
            {
                let target = relation.target.description
                let key = target.properties[target.keyIndices[0]]
                if key.storage == .native, let type = key.columnType { column = (names[0], type) }
            }
        case .array, .objects, .inverse: break
        }
        if let column { return column }
        throw refused(
            scope,
            "\"\(name)\" is not stored as an integer, a text or a UUID, and is no reference to what has such a key.")
    }

    /// Writes the condition of a scope, with its values as literals: it is a part of statements that have parameters of
    /// their own.
    private func scopeCondition(_ index: Int, _ dialect: any Dialect) throws -> String {
        if case .property(let name) = scopes[index].requirement {
            return try scopeCondition(scopes[index], by: name, dialect)
        }
        guard let node = try scopeNodes.conditions[index]?.get() else { return "TRUE" }
        let writer = QueryWriter(
            self, dialect: dialect, declared: nil, scopes: QueryScopes(),
            seen: SeenRows(passed: PassedScopes(passesAll: true)), inlinesValues: true)
        let table = dialect.quoted(tableName)
        let object = QueryObject(self, source: QuerySource(table), alias: table)
        do {
            return try writer.withRoot(object) { try writer.condition(node) }
        } catch let error as DatabaseError {
            throw refused(scopes[index], error.message)
        }
    }

    /// Throws if a scope of the type can't be written, whatever value it has.
    func checkOwnScopes(_ dialect: any Dialect) throws {
        try requireScopesOfOwners()
        for (index, scope) in scopes.enumerated() {
            if case .property(let name) = scope.requirement {
                _ = try scopedColumn(scope, name)
            } else {
                _ = try scopeCondition(index, dialect)
            }
        }
    }

    /// Throws if a scope can't be written: one of this type, or of one to which relations lead.
    func checkScopes(_ dialect: any Dialect) throws {
        try requireScopesOfOwners()
        for type in scopedTypes {
            for index in type.scopes.indices where dialect.scopes?.ignored.contains(type.scopes[index].name) != true {
                do { _ = try type.scopeCondition(index, dialect) } catch var error as DatabaseError {
                    if type !== self { error.message += " Relations lead from \(self.type) to \(type.type)." }
                    throw error
                }
            }
        }
    }

    /// The names of the properties that decide whether an object is inside of the scopes.
    var scopeProperties: Set<String> {
        var names: Set<String> = []
        guard !scopes.isEmpty else { return names }
        for case .success(let node)? in scopeNodes.conditions { Self.addNames(of: node, to: &names) }
        for case .property(let name) in scopes.map(\.requirement) { names.insert(name) }
        return names
    }

    private static func addNames(of node: QueryNode, to names: inout Set<String>) {
        if case .path(let path) = node { names.formUnion(path.names.prefix(1)) }
        for child in node.children { addNames(of: child, to: &names) }
    }

    /// Refuses a scope that asks for something that is not in the row itself.
    fileprivate func requireOwn(_ node: QueryNode, of scope: TableScope) throws {
        func refuse(_ path: QueryPath) -> DatabaseError {
            let name = path.names.first ?? ""
            guard let index = index(ofProperty: name) else {
                return refused(scope, "it has no property \"\(name)\". Its properties: \(ownNames).")
            }
            return refused(
                scope,
                "\"\(properties[index].name)\" is a relation or an array. Name properties with columns of their own: \(ownNames)."
            )
        }
        switch node {
        case .path(let path):
            guard let index = path.names.first.flatMap({ self.index(ofProperty: $0) }),
                case .column = properties[index].kind
            else { throw refuse(path) }
        case .hasElement(let path, _, _), .elementCount(let path, _, _): throw refuse(path)
        case .elementAggregate(let aggregate): throw refuse(aggregate.path)
        case .isHeld, .aggregate, .window, .subquery, .exists, .isInQuery, .isInTree, .treeLevel, .matches, .searchRank,
            .sql, .text, .failure, .key:
            throw refused(scope, "it asks for more than the values of one object.")
        default: for child in node.children { try requireOwn(child, of: scope) }
        }
    }

    private var ownNames: String {
        properties.filter { if case .column = $0.kind { true } else { false } }.map { "\"\($0.name)\"" }
            .joined(separator: ", ")
    }

    fileprivate func refused(_ scope: TableScope, _ sentence: String) -> DatabaseError {
        let start = "The scope \"\(scope.name)\" of \(type) can't be used: "
        return DatabaseError(
            .conflict, sentence.hasPrefix(start) ? sentence : start + sentence, table: table)
    }
}
