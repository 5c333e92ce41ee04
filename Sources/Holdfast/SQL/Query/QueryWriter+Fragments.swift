extension QueryWriter {
    /// Writes SQL of the caller's, in parentheses.
    func written(_ sql: QueryFragment) throws -> String {
        if let failure = sql.failure { throw failure }
        let parts = try sql.pieces.map { piece -> String in
            switch piece {
            case .text(let text): return text
            case .value(let value): return bind(value)
            case .emptyList(let type): return "SELECT CAST(NULL AS \(dialect.storedTypeName(type))) WHERE FALSE"
            case .property(let owner, let name):
                guard owner === description else {
                    throw DatabaseError(
                        .invalidValue,
                        "A query of \(description.type) has SQL with \"\(name)\" of \(owner.type). Name related properties in a closure.",
                        table: description.table, properties: [name])
                }
                return try column(QueryPath(scope: .root, [name]))
            case .function(let names): return names.map(dialect.quoted).joined(separator: ".")
            case .argument(let node):
                let type = try type(of: node)
                guard !type.isScaled, type.textForm == nil else {
                    throw DatabaseError(
                        .unsupported,
                        "A query calls a function with \(type.shown), which is stored in a way of its own. Call it with a property that is stored natively.",
                        table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
                }
                return try operand(node, type, isTyped: true)
            case .expression(.path(let path)):
                // As it is stored, whatever it is: a document, or a type that the engine alone knows.
                return try column(path)
            case .expression(let node): return try operand(node, try type(of: node), isTyped: true)
            }
        }
        return "(\(parts.joined()))"
    }
}
