extension QueryWriter {
    /// Writes a value inside a document; NULL where there is none of the type.
    func value(in document: QueryNode, _ path: JSONPath, _ type: ColumnType) throws -> String {
        try require(dialect.value(in: jsonColumn(document), path, as: type))
    }

    /// Writes whether a document has anything at a path.
    func isPresent(_ document: QueryNode, _ path: JSONPath) throws -> String {
        try require(dialect.isPresent(path, in: jsonColumn(document)))
    }

    private func require(_ sql: String?) throws -> String {
        if let sql { return sql }
        throw DatabaseError(.unsupported, "The driver can't look into documents.", table: description.table)
    }

    private func jsonColumn(_ node: QueryNode) throws -> String {
        if case .failure(let error) = node { throw error }
        let type = try type(of: node)
        guard case .path(let path) = node, type.type == .json else {
            throw DatabaseError(
                .invalidValue, "A query looks into \(type.shown), which is not kept as JSON.",
                table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
        }
        return try column(path)
    }
}
