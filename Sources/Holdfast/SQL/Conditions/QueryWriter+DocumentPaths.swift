/// Paths of names that lead into documents, as condition text and conditions of names have them:
/// `profile.address.city`.
///
/// They name no type, so that of the value that they stand beside is meant.
extension QueryWriter {
    /// The document that a path of names leads into, and the path inside of it; nil for another node.
    func documentPath(_ node: QueryNode) throws -> (document: QueryNode, path: JSONPath)? {
        guard case .path(let path) = node, path.names.count > 1 || !path.tail.isEmpty,
            case .insideDocument(let count) = try locate(path)
        else { return nil }
        let document = QueryPath(scope: path.scope, Array(path.names[..<count]), position: path.position)
        let steps = path.names[count...].map(JSONPath.Step.member) + path.tail
        // In place of the path's own error, one that says where in the text it is.
        guard let inside = try? JSONPath(steps: steps) else {
            throw DatabaseError(
                .syntax,
                "A query names something in the document \"\(document.text)\" by a path that is too long, or by a name with a quotation mark, a backslash or a control character\(path.location).",
                properties: document.names)
        }
        return (.path(document), inside)
    }

    /// The value of a type that a path of names into a document leads to; nil for another node.
    func value(insideDocument node: QueryNode, as type: JSONScalarType) throws -> QueryNode? {
        try documentPath(node).map { .json($0.document, $0.path, type.columnType) }
    }

    /// The paths that may be asked for in a document; nil for any.
    func declaration(of document: QueryNode) throws -> DeclaredPaths? {
        guard let declared, case .path(let path) = document, path.names == [declared.property],
            case .object(let object) = try content(of: path.scope), object.description === description
        else { return nil }
        return declared
    }

    /// The value of the declared type that a path of names into a document leads to; nil for another node.
    func declaredValue(_ node: QueryNode) throws -> QueryNode? {
        guard declared != nil, let (document, path) = try documentPath(node),
            let type = try declaration(of: document)?.kind(of: path)?.scalarType
        else { return nil }
        return .json(document, path, type.columnType)
    }

    /// The comparison with the type of the other side, if one side leads into a document.
    func typedComparison(
        _ comparison: ComparisonOperator, _ left: QueryNode, _ right: QueryNode
    ) throws -> QueryNode? {
        if let (document, path) = try documentPath(left) {
            let type = try scalarType(of: left, beside: right, comparison)
            return .comparison(comparison, .json(document, path, type.columnType), right)
        }
        if let (document, path) = try documentPath(right) {
            let type = try scalarType(of: right, beside: left, comparison)
            return .comparison(comparison, left, .json(document, path, type.columnType))
        }
        return nil
    }

    /// Membership in a list with the types of its values, if a node leads into a document.
    func typedMembership(_ node: QueryNode, _ values: [QueryNode]) throws -> QueryNode? {
        guard let (document, path) = try documentPath(node) else { return nil }
        var lists: [JSONScalarType: [QueryNode]] = [:]
        var parts: [QueryNode] = []
        for value in values {
            if case .null = value {
                parts.append(.comparison(.equal, node, .null))
            } else {
                lists[try scalarType(of: node, beside: value, .equal), default: []].append(value)
            }
        }
        for type in [JSONScalarType.text, .boolean, .integer, .real] {
            if let list = lists[type] { parts.append(.isIn(.json(document, path, type.columnType), list)) }
        }
        return .or(parts)
    }

    /// Writes whether there is nothing at a path into a document, or `null`.
    func nullComparison(insideDocument path: QueryPath, isNegated: Bool) throws -> String {
        guard let (document, inside) = try documentPath(.path(path)) else { throw typeIsUnknown(path) }
        let isThere = QueryNode.and([.hasJSON(document, inside, nil), .not(.hasJSON(document, inside, .null))])
        return "(\(try condition(isNegated ? isThere : .not(isThere))))"
    }

    /// The error of a path into a document that stands beside nothing that tells its type.
    func typeIsUnknown(_ path: QueryPath) -> DatabaseError {
        DatabaseError(
            .invalidValue,
            "A query uses \"\(path.text)\", which is in a document, where nothing tells its type\(path.location). Compare it with a value, or name the type by json(_:as:).",
            properties: path.names)
    }

    private func scalarType(
        of node: QueryNode, beside other: QueryNode, _ comparison: ComparisonOperator
    ) throws -> JSONScalarType {
        guard let type = try scalarType(ofConstant: other) else {
            guard case .path(let path) = node else { throw JSONPath.malformed }
            throw DatabaseError(
                .invalidValue,
                "A query compares \"\(path.text)\", which is in a document, with a value of a type that JSON does not have\(path.location). Compare it with a text, a truth value or a number.",
                properties: path.names)
        }
        if type == .integer, let (document, path) = try documentPath(node),
            let declared = try declaration(of: document)?.kind(of: path), declared != .anything
        {
            return declared == .number ? .real : .integer
        }
        guard type == .integer, !comparison.isEquality, let integer = try integer(other) else { return type }
        // If one of two numbers is exact as a `Double`, they are in the same order as the nearest `Double`s.
        return integer.magnitude < 1 << 53 ? .real : .integer
    }

    /// The type of a value that a query was given; of another one, that of its column.
    ///
    /// - Returns: Nil for a type that JSON does not have.
    func scalarType(ofConstant node: QueryNode) throws -> JSONScalarType? {
        switch node {
        case .value(.literal(.integer)): .integer
        case .value(.literal(.number)): .real
        default: JSONScalarType(try type(of: node).type)
        }
    }

    /// The integer that a query was given; nil for another value.
    private func integer(_ node: QueryNode) throws -> Int64? {
        guard case .value(let value) = node else { return nil }
        return try encoded(value, ValueType()).withRow(0) { cells in
            cells.first.flatMap { $0.kind == .integer ? $0.integer : nil }
        }
    }
}
