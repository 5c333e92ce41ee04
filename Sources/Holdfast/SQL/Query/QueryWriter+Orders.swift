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
