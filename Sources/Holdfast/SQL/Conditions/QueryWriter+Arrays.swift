extension QueryWriter {
    /// An array as a table of its elements.
    struct Elements {
        let source: QuerySource
        /// The columns that hold the owner's key.
        let owner: [String]
        let content: ScopeContent
        /// The reference by which the elements hold the owner's key, if they are objects that hold it themselves.
        var reference: Relation? = nil
    }

    func elements(of property: Int, in description: TableDescription) throws -> Elements {
        let mapping = description.properties[property]
        let alias = makeAlias()
        func qualified(_ names: [String]) -> [String] { names.map { "\(alias).\(dialect.quoted($0))" } }
        func source(_ table: TableName) -> QuerySource { QuerySource("\(dialect.quoted(table)) AS \(alias)") }
        if case .array(let type, let isNullable, _) = mapping.shape,
            let table = description.columns.joinTables[property]
        {
            let value = ValueType(of: mapping, type, isNullable: isNullable, in: description.table, dialect)
            return Elements(
                source: source(table.name), owner: qualified(table.ownerColumns),
                content: .value(sql: qualified([JoinTable.valueColumn])[0], value))
        }
        guard let relation = description.columns.relation(property) else {
            throw DatabaseError(.invalidValue, "\"\(mapping.name)\" of \(description.type) is no array.")
        }
        let target = relation.target.description
        func through(_ table: JoinTable, near: [String], far: [String]) -> Elements {
            let source = source(table.name)
            return Elements(
                source: source, owner: qualified(near),
                content: .object(.element(target, source: source, key: qualified(far), self)))
        }
        switch relation.storage {
        case .joinTable(let table):
            return through(table, near: table.ownerColumns, far: table.elementColumns.map(\.name))
        case .inverseJoinTable(_, let table):
            return through(table, near: table.elementColumns.map(\.name), far: table.ownerColumns)
        case .inverseReference(let property, let columns):
            let source = QuerySource(self.source(of: target, as: alias))
            return Elements(
                source: source, owner: qualified(columns),
                content: .object(QueryObject(target, source: source, alias: alias)),
                reference: target.columns.relation(property))
        case .reference:
            throw DatabaseError(.invalidValue, "\"\(mapping.name)\" of \(description.type) is no array.")
        }
    }

    func array(at path: QueryPath) throws -> (owner: QueryObject, property: Int) {
        let location = try locate(path)
        if case .value(let type) = location, type.storage.isArray {
            throw DatabaseError(
                .unsupported,
                "\"\(path.text)\" is an array in one column, of whose elements no query knows. Ask by SQL, or let the array have a table.",
                table: type.property?.table, properties: path.names)
        }
        guard case .array(_, let property) = location else {
            throw DatabaseError(.invalidValue, "\"\(path.text)\" is no array.")
        }
        return (try object(at: path.names.dropLast(), in: path.scope), property)
    }

    /// What an element of an array is, where only types are asked for.
    func elementContent(at path: QueryPath) throws -> ScopeContent {
        guard case .array(let owner, let property) = try locate(path) else {
            let (owner, property) = try array(at: path)
            return try elements(of: property, in: owner.description).content
        }
        let mapping = owner.properties[property]
        if case .array(let type, let isNullable, _) = mapping.shape {
            return .value(sql: "", ValueType(of: mapping, type, isNullable: isNullable, in: owner.table, dialect))
        }
        guard let relation = owner.columns.relation(property) else {
            throw DatabaseError(.invalidValue, "\"\(mapping.name)\" of \(owner.type) is no array.")
        }
        return .object(QueryObject(relation.target.description, source: QuerySource(""), alias: ""))
    }

    /// Writes whether an array has an element that meets a condition.
    func hasElement(_ path: QueryPath, _ scope: QueryScope, _ condition: QueryNode?, isNegated: Bool) throws -> String {
        if let outer = try insideArray(path) {
            let node = QueryNode.hasElement(
                outer.path, scope: outer.scope, .hasElement(outer.rest, scope: scope, condition))
            return try isNegated ? self.negation(node) : self.condition(node)
        }
        let (owner, property) = try array(at: path)
        let elements = try elements(of: property, in: owner.description)
        let key = owner.held(by: elements.reference, self)
        let isList = !isNegated && key.count == 1
        let written = try condition.map { node in
            try withElement(scope, elements.content) { try self.condition(node) }
        }
        if isList {
            let filter = written.map { " WHERE \($0)" } ?? ""
            return "\(key[0]) IN (SELECT \(elements.owner[0]) FROM \(elements.source.sql)\(filter))"
        }
        let conditions = matches(elements.owner, key) + (written.map { ["(\($0))"] } ?? [])
        return (isNegated ? "NOT " : "")
            + "EXISTS (SELECT 1 FROM \(elements.source.sql) WHERE \(conditions.joined(separator: " AND ")))"
    }

    /// Writes the number of elements that meet a condition.
    func elementCount(_ path: QueryPath, _ scope: QueryScope, _ condition: QueryNode?) throws -> String {
        let (owner, property) = try array(at: path)
        let elements = try elements(of: property, in: owner.description)
        let key = owner.held(by: elements.reference, self)
        let written = try condition.map { node in
            try withElement(scope, elements.content) { try self.condition(node) }
        }
        let conditions = matches(elements.owner, key) + (written.map { ["(\($0))"] } ?? [])
        return "(SELECT count(*) FROM \(elements.source.sql) WHERE \(conditions.joined(separator: " AND ")))"
    }

    func matches(_ expressions: [String], _ others: [String]) -> [String] {
        zip(expressions, others).map { "\($0) = \($1)" }
    }

    /// Whether an array is nil: what its column on the owner says.
    func isNil(array path: QueryPath) throws -> String {
        let (owner, property) = try array(at: path)
        // An array that can't be nil itself is nil after a reference that leads nowhere.
        guard let column = owner.column(property, self) else {
            return owner.isNullable ? "\(owner.key(self)[0]) IS NULL" : "FALSE"
        }
        return "\(column) IS NOT TRUE"
    }

    /// Divides a path that goes through an array: into that of the array, and the rest in a scope of its own.
    func insideArray(_ path: QueryPath) throws -> (path: QueryPath, scope: QueryScope, rest: QueryPath)? {
        guard case .insideArray(let count) = try locate(path) else { return nil }
        let scope = QueryScope.element(bindsNames: false)
        return (
            QueryPath(scope: path.scope, Array(path.names[..<count]), position: path.position), scope,
            QueryPath(scope: scope, Array(path.names[count...]), tail: path.tail, position: path.position)
        )
    }

    /// Resolves an array that itself stands for its elements.
    func anyElement(_ path: QueryPath) throws -> (path: QueryPath, scope: QueryScope, rest: QueryPath)? {
        if case .array = try locate(path) {
            let scope = QueryScope.element(bindsNames: false)
            return (path, scope, QueryPath(scope: scope, position: path.position))
        }
        return try insideArray(path)
    }
}
