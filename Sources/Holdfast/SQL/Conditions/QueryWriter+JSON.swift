extension QueryWriter {
    /// The SQL that looks into documents.
    ///
    /// - Throws: ``DatabaseError/Code/unsupported`` if the dialect has none.
    private var documents: any DocumentDialect {
        get throws {
            if let documents = dialect.documents { return documents }
            throw DatabaseError(.unsupported, "The driver can't look into documents.", table: description.table)
        }
    }

    /// Writes a value inside a document; NULL where there is none of the type.
    func value(in document: QueryNode, _ path: JSONPath, _ type: ColumnType) throws -> String {
        let type = try scalarType(type)
        try declaration(of: document)?.require(type, at: path)
        return try documents.value(at: path, in: jsonColumn(document), as: type)
    }

    /// Writes whether a document has anything at a path, or a value of a kind.
    func isPresent(_ document: QueryNode, _ path: JSONPath, _ kind: JSONKind?) throws -> String {
        _ = try declaration(of: document)?.kind(of: path)
        return try documents.isPresent(path, in: jsonColumn(document), as: kind)
    }

    /// Writes whether a document has an array at a path, with an element that is equal to a value.
    func hasElement(_ document: QueryNode, _ path: JSONPath, _ value: QueryNode) throws -> String {
        let column = try jsonColumn(document)
        guard case .value = value else {
            if case .failure(let error) = value { throw error }
            throw DatabaseError(
                .unsupported, "A query asks whether an array in a document has an element that is no constant.",
                table: description.table)
        }
        let type = try scalarType(scalarType(ofConstant: value)?.columnType)
        try declaration(of: document)?.require(type, at: path, asEqual: true)
        let wanted = ValueType(type: type.columnType)
        let written = try operand(value, wanted, isTyped: true)
        return try documents.hasElement(at: path, in: column, equalTo: written, as: type, alias: makeAlias())
    }

    /// Writes a document with changes, one after the other.
    ///
    /// Each of several changes is written as a subquery, so that its SQL does not repeat that of the change before it.
    func edited(_ document: QueryNode, _ edits: [JSONEdit]) throws -> String {
        for edit in edits { _ = try declaration(of: document)?.kind(of: edit.path) }
        var sql = try jsonColumn(document)
        func written(_ edit: JSONEdit) throws -> String {
            guard let value = edit.value else { return try documents.removing(edit.path, from: sql) }
            let placeholder = try operand(value, ValueType(type: .json), isTyped: false)
            return try documents.setting(edit.path, in: sql, to: placeholder)
        }
        if edits.count == 1 { return try written(edits[0]) }
        var (parts, from) = ([String](), "")
        for edit in edits {
            let alias = makeAlias()
            parts.append("\(alias) AS (SELECT \(try written(edit)) AS value\(from))")
            (sql, from) = ("\(alias).value", " FROM \(alias)")
        }
        return "(WITH \(parts.joined(separator: ", ")) SELECT value\(from))"
    }

    private func scalarType(_ type: ColumnType?) throws -> JSONScalarType {
        if let type = JSONScalarType(type) { return type }
        throw DatabaseError(
            .invalidValue,
            "A query looks into a document for a value of a type that JSON does not have. Ask for a text, a truth value or a number.",
            table: description.table)
    }

    private func jsonColumn(_ node: QueryNode) throws -> String {
        if case .failure(let error) = node { throw error }
        let type = try type(of: node)
        guard case .path(let path) = node, type.type == .json, !type.storage.isArray else {
            throw DatabaseError(
                .invalidValue, "A query looks into \(type.shown), which is not kept as JSON.",
                table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
        }
        return try column(path)
    }
}
