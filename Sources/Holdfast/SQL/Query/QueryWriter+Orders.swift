extension QueryWriter {
    /// Writes the criteria, and the key of the object where they leave two the same.
    func orderTerms(_ orders: [Ordering], of object: QueryObject) throws -> [String] {
        var terms: [String] = []
        for order in orders { terms += try orderTerms(order) }
        let types = object.description.keyIndices.map { object.description.properties[$0].columnType ?? .int64 }
        for (key, type) in zip(object.key(self), types) {
            let term = dialect.ordered(key, type)
            if !terms.contains(where: { $0.hasPrefix(term + " ") || $0 == term }) { terms.append(term) }
        }
        return terms
    }

    /// Writes one criterion of an order that may be selected at a position, from 1.
    func orderTerms(_ ordering: Ordering, at position: Int?) throws -> [String] {
        guard let position else { return try orderTerms(ordering) }
        // Written to know how it is ordered, and forgotten.
        let start = mark
        defer { reset(to: start) }
        return try orderedValues(ordering).map {
            dialect.orderTerm("\(position)", isDescending: $0.isDescending, nullsFirst: $0.nullsFirst)
        }
    }

    /// Writes a value that groups are made by, so that its position stands for how it is compared.
    func group(_ sql: String, _ node: QueryNode) throws -> String {
        guard let type = try type(of: node).type else { return sql }
        return dialect.ordered(sql, type)
    }

    /// Writes one criterion of an order: of an object, one term for each part of its key.
    func orderTerms(_ ordering: Ordering) throws -> [String] {
        try orderedValues(ordering).map {
            dialect.orderTerm($0.sql, isDescending: $0.isDescending, nullsFirst: $0.nullsFirst)
        }
    }

    /// Writes what one criterion of an order compares: of an object, each part of its key.
    func orderedValues(_ ordering: Ordering) throws -> [OrderedValue] {
        func value(_ sql: String, _ type: ColumnType, isNullable: Bool) -> OrderedValue {
            let isFirst = ordering.nullPlacement.map { $0 == .first } ?? !ordering.isDescending
            return OrderedValue(
                sql, type, isDescending: ordering.isDescending, nullsFirst: isNullable ? isFirst : nil)
        }
        if let model = ordering.model, model !== root.description {
            throw DatabaseError(
                .invalidValue,
                "\(root.description.type) is ordered by a property of \(model.type). Name one of its own.",
                table: root.description.table)
        }
        if case .path(let path) = ordering.node, case .object(let description, let isNullable) = try locate(path) {
            let types = description.keyIndices.map { description.properties[$0].columnType ?? .int64 }
            return try zip(object(at: path.names, in: path.scope).key(self), types).map { key, type in
                value(dialect.ordered(key, type), type, isNullable: isNullable)
            }
        }
        let type = try type(of: ordering.node)
        guard let columnType = type.type, columnType != .json else {
            throw DatabaseError(
                .invalidValue, "A query is ordered by \"\(type.property?.name ?? "a value")\", which has no order.",
                table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
        }
        if ordering.ignoresCase {
            try requireText(ordering.node)
            let text = try operand(ordering.node, type, isTyped: true)
            let folded = dialect.ordered("lower(\(text)\(dialect.codePointCollation))", .text)
            return [value(folded, .text, isNullable: type.isNullable)]
        }
        let sql = try compared(ordering.node, type, isTyped: true)
        return [value(ordered(sql, columnType, type), columnType, isNullable: type.isNullable)]
    }
}
