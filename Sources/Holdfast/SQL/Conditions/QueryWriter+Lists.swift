extension QueryWriter {
    func isIn(_ node: QueryNode, _ values: [QueryNode]) throws -> String {
        if case .path(let path) = node, let element = try anyElement(path) {
            return try condition(.hasElement(element.path, scope: element.scope, .isIn(.path(element.rest), values)))
        }
        for case .failure(let error) in values { throw error }
        if let (path, description, _) = try objectPath(node) {
            var keys = ParameterBuffer(width: description.keyIndices.count)
            for value in values { keys.appendRow(0, of: try key(value, of: description)) }
            let keyParts = try object(at: path.names, in: path.scope).key(self)
            let types = description.keyIndices.map { description.properties[$0].columnType ?? .int64 }
            let sql = dialect.isIn(Array(zip(keyParts, types)).map { (name: $0, type: $1) }, from: nextPosition)
            for list in keys.asLists.lists { bind(list: list) }
            return sql
        }
        if let typed = try typedMembership(node, values) { return "(\(try condition(typed)))" }
        let type = try type(of: node)
        var list = QueryValueList()
        for value in values {
            switch value {
            case .null: list.hasNull = true
            case .value(let value): list.values.appendRow(0, of: try encoded(value, type))
            default: return "(\(try condition(.or(values.map { .comparison(.equal, node, $0) }))))"
            }
        }
        return try isIn(node, list)
    }

    func isIn(_ node: QueryNode, _ list: QueryValueList) throws -> String {
        let type = try type(of: node)
        if let failure = list.failure { throw refused(failure, type) }
        guard let columnType = type.type, columnType != .json else { throw refused(.invalid("comparable"), type) }
        looksForEqual = true
        defer { looksForEqual = false }
        if type.isOfColumnType { return try isIn(ofColumnType: node, type, list) }
        let left = exact(try operand(node, type, isTyped: !isColumn(node)), columnType, type)
        var sql = inlinesValues ? isOne(of: list.values, left) : ""
        if !inlinesValues {
            sql = dialect.isIn([(name: left, type: columnType)], from: bind(list: list.values))
        }
        guard list.hasNull, type.isNullable else { return sql }
        return "(\(sql) OR \(try nullComparison(.equal, node)))"
    }

    /// Compares with values one by one, since only beside the column does the engine make values of its type of texts.
    private func isIn(ofColumnType node: QueryNode, _ type: ValueType, _ list: QueryValueList) throws -> String {
        let left = try compared(node, type, isTyped: false)
        let sql = isOne(of: list.values, left)
        guard list.hasNull, type.isNullable else { return sql }
        return "(\(sql) OR \(try nullComparison(.equal, node)))"
    }

    private func isOne(of list: ParameterBuffer, _ left: String) -> String {
        let values = list.rowIndices.map { bind(list.selecting([$0])) }.joined(separator: ", ")
        return values.isEmpty ? "FALSE" : "\(left) IN (\(values))"
    }
}
