extension QueryWriter {
    /// Writes a condition.
    ///
    /// Where the condition is false, the SQL may be NULL instead; ``negation(_:)`` takes care of that.
    func condition(_ node: QueryNode) throws -> String {
        try nested {
            switch node {
            case .failure(let error): throw error
            case .text(let text): return try condition(ConditionParser.parse(text))
            case .sql(let sql, nil): return try written(sql)
            case .hasJSON(let document, let path, let kind): return try isPresent(document, path, kind)
            case .hasJSONElement(let document, let path, let value): return try hasElement(document, path, value)
            case .sql(_, .boolean), .json(_, _, .boolean):
                return try comparison(.equal, node, .value(.literal(.boolean(true))))
            case .constant(let value): return value ? "TRUE" : "FALSE"
            case .and(let nodes): return try joined(parts(of: nodes, isAnd: true), by: " AND ", none: "TRUE")
            case .or(let nodes): return try joined(parts(of: nodes, isAnd: false), by: " OR ", none: "FALSE")
            case .not(let node): return try negation(node)
            case .comparison(let comparison, let left, let right): return try self.comparison(comparison, left, right)
            case .isIn(let node, let values): return try isIn(node, values)
            case .isInList(let node, let list): return try isIn(node, list)
            case .between(let node, let low, let high): return try between(node, low, high)
            case .like(let node, let pattern, let isCaseSensitive):
                return try like(node, pattern, isCaseSensitive: isCaseSensitive)
            case .match(let match, let node, let part, let isCaseSensitive):
                return try self.match(match, node, part, isCaseSensitive: isCaseSensitive)
            case .hasElement(let path, let scope, let node):
                return try hasElement(path, scope, node, isNegated: false)
            case .isHeld(let holder): return try isHeld(holder, isNegated: false)
            case .path(let path):
                // A property that is true or false.
                return try comparison(.equal, .path(path), .value(.literal(.boolean(true))))
            case .value, .key, .null, .arithmetic, .function, .concatenation, .coalesce, .elementCount, .aggregate,
                .sql, .json, .edited:
                throw DatabaseError(
                    .syntax, "A query has a value where it needs a condition. Compare it with something.")
            }
        }
    }

    private func joined(_ nodes: [QueryNode], by word: String, none: String) throws -> String {
        if nodes.count == 1 { return try parenthesized(nodes[0]) }
        return nodes.isEmpty ? none : balanced(try nodes.map { try parenthesized($0) }, word)
    }

    /// Joins so many that an engine's parser would go too deep by halves.
    private func balanced(_ parts: [String], _ word: String) -> String {
        guard parts.count > 64 else { return parts.joined(separator: word) }
        let half = parts.count / 2
        return "(\(balanced(Array(parts[..<half]), word)))\(word)(\(balanced(Array(parts[half...]), word)))"
    }

    /// A condition with parentheses, where it is one of several parts.
    private func parenthesized(_ node: QueryNode) throws -> String {
        let sql = try condition(node)
        return switch node {
        case .and, .or, .text, .between: "(\(sql))"
        default: sql
        }
    }

    private func between(_ node: QueryNode, _ low: QueryNode, _ high: QueryNode) throws -> String {
        // For an array, a single element has to lie between the two bounds.
        if case .path(let path) = node, let element = try anyElement(path) {
            let inner = QueryNode.path(element.rest)
            return try condition(.hasElement(element.path, scope: element.scope, .between(inner, low, high)))
        }
        return try condition(
            .and([.comparison(.greaterOrEqual, node, low), .comparison(.lessOrEqual, node, high)]))
    }

    /// Writes that a condition is not true: never unknown.
    func negation(_ node: QueryNode) throws -> String { try nested { try negated(node) } }

    private func negated(_ node: QueryNode) throws -> String {
        switch node {
        case .not(let node): return try parenthesized(node)
        case .constant(let value): return try condition(.constant(!value))
        case .comparison(.equal, let left, let right) where try !isAboutElements(left, right):
            return try comparison(.notEqual, left, right)
        case .comparison(.notEqual, let left, let right) where try !isAboutElements(left, right):
            return try comparison(.equal, left, right)
        case .hasElement(let path, let scope, let node): return try hasElement(path, scope, node, isNegated: true)
        case .isHeld(let holder): return try isHeld(holder, isNegated: true)
        case .text(let text): return try negation(ConditionParser.parse(text))
        default: return "(\(try condition(node))) IS NOT TRUE"
        }
    }

    /// Whether one side of a comparison stands for any element of an array, so that the opposite comparison is not the
    /// negation.
    private func isAboutElements(_ nodes: QueryNode...) throws -> Bool {
        try nodes.contains { node in
            guard case .path(let path) = node else { return false }
            return try anyElement(path) != nil
        }
    }

    // MARK: Comparison

    private func comparison(_ comparison: ComparisonOperator, _ left: QueryNode, _ right: QueryNode) throws -> String {
        if case .null = right { return try nullComparison(comparison, left) }
        if case .null = left { return try nullComparison(comparison, right) }
        for (node, makeOther) in [
            (left, { QueryNode.comparison(comparison, $0, right) }), (right, { .comparison(comparison, left, $0) }),
        ] as [(QueryNode, (QueryNode) -> QueryNode)] {
            if case .path(let path) = node, let element = try anyElement(path) {
                return try condition(.hasElement(element.path, scope: element.scope, makeOther(.path(element.rest))))
            }
        }
        if let keys = try keyComparison(comparison, left, right) { return keys }
        if let typed = try typedComparison(comparison, left, right) { return try condition(typed) }
        let (leftType, rightType) = (try type(of: left), try type(of: right))
        let common = try unified(leftType, rightType)
        try requireSameType(leftType, rightType)
        let isNullable = (leftType.isNullable, rightType.isNullable)
        let isPlain = isColumn(left) || isColumn(right)
        looksForEqual = comparison.isEquality
        defer { looksForEqual = false }
        let written = try (compared(left, common, isTyped: !isPlain), compared(right, common, isTyped: !isPlain))
        guard let type = common.type else {
            return "\(written.0) \(comparison.rawValue) \(written.1)"
        }
        if comparison.isEquality {
            let (left, right) = (exact(written.0, type, common), written.1)
            switch (comparison, isNullable) {
            case (.equal, (true, true)): return dialect.isSame(left, right, isNegated: false)
            case (.notEqual, (true, _)), (.notEqual, (_, true)): return dialect.isSame(left, right, isNegated: true)
            default: return "\(left) \(comparison.rawValue) \(right)"
            }
        }
        return "\(ordered(written.0, type, common)) \(comparison.rawValue) \(written.1)"
    }

    /// Refuses to compare a value of a type that the engine alone knows with a text that the query computes or reads.
    private func requireSameType(_ left: ValueType, _ right: ValueType) throws {
        guard left.isOfColumnType != right.isOfColumnType, !left.isValue, !right.isValue else { return }
        let own = left.isOfColumnType ? left : right
        throw DatabaseError(
            .invalidValue,
            "A query compares \(own.shown), whose column has a type of its own, with a text of the database. Compare it with a value, or with a column of that type.",
            table: own.property?.table, properties: own.property.map { [$0.name] } ?? [])
    }

    private func isColumn(_ node: QueryNode) -> Bool {
        if case .path = node { true } else { false }
    }

    private func nullComparison(_ comparison: ComparisonOperator, _ node: QueryNode) throws -> String {
        guard comparison.isEquality else {
            throw DatabaseError(
                .invalidValue, "A query asks whether something comes before or after nil. Compare it with a value.")
        }
        let isNegated = comparison == .notEqual
        let word = isNegated ? "IS NOT NULL" : "IS NULL"
        switch node {
        case .null: return isNegated ? "FALSE" : "TRUE"
        case .path(let path):
            switch try locate(path) {
            case .value: return "\(try column(path)) \(word)"
            case .object: return "\(try object(at: path.names, in: path.scope).key(self)[0]) \(word)"
            case .array:
                let isNil = try isNil(array: path)
                return isNegated ? "(\(isNil)) IS NOT TRUE" : isNil
            case .insideArray:
                guard let element = try insideArray(path) else { return "FALSE" }
                return try condition(
                    .hasElement(element.path, scope: element.scope, .comparison(comparison, .path(element.rest), .null))
                )
            case .insideDocument: return try nullComparison(insideDocument: path, isNegated: isNegated)
            }
        default: return "\(try operand(node, type(of: node), isTyped: true)) \(word)"
        }
    }

    /// Compares objects by their keys, if one side is an object.
    private func keyComparison(
        _ comparison: ComparisonOperator, _ left: QueryNode, _ right: QueryNode
    ) throws -> String? {
        guard let (leftPath, description, isNullable) = try objectPath(left) else {
            guard try objectPath(right) != nil else { return nil }
            return try keyComparison(comparison, right, left)
        }
        guard comparison.isEquality else {
            throw DatabaseError(
                .invalidValue, "A query asks which of two objects comes first. Compare their properties.")
        }
        let isEqual = comparison == .equal
        if let (rightPath, other, isOtherNullable) = try objectPath(right) {
            guard other === description else {
                throw DatabaseError(
                    .invalidValue,
                    "A query compares a \(description.type) with a \(other.type). Compare objects of one type.")
            }
            let (left, right) = (
                try object(at: leftPath.names, in: leftPath.scope).key(self),
                try object(at: rightPath.names, in: rightPath.scope).key(self)
            )
            let parts = zip(left, right).map { left, right in
                switch (isEqual, isNullable && isOtherNullable, isNullable || isOtherNullable) {
                case (true, false, _): "\(left) = \(right)"
                case (true, true, _): dialect.isSame(left, right, isNegated: false)
                case (false, _, true): dialect.isSame(left, right, isNegated: true)
                case (false, _, false): "\(left) <> \(right)"
                }
            }
            return grouped(parts, isEqual ? " AND " : " OR ")
        }
        let key = try self.key(right, of: description)
        let keyParts = try object(at: leftPath.names, in: leftPath.scope).key(self)
        let parts = keyParts.indices.map { index in
            var part = ParameterBuffer(width: 1)
            key.withRow(0) { part.append(copying: $0[index]) }
            if isEqual { return "\(keyParts[index]) = \(bind(part))" }
            return isNullable
                ? dialect.isSame(keyParts[index], bind(part), isNegated: true) : "\(keyParts[index]) <> \(bind(part))"
        }
        return grouped(parts, isEqual ? " AND " : " OR ")
    }

    private func grouped(_ parts: [String], _ word: String) -> String {
        parts.count == 1 ? parts[0] : "(\(parts.joined(separator: word)))"
    }

    private func objectPath(_ node: QueryNode) throws -> (QueryPath, TableDescription, Bool)? {
        guard case .path(let path) = node, case .object(let description, let isNullable) = try locate(path) else {
            return nil
        }
        return (path, description, isNullable)
    }

    /// The key that stands beside an object: a key, or the value of one that has one part.
    private func key(_ node: QueryNode, of description: TableDescription) throws -> ParameterBuffer {
        switch node {
        case .failure(let error): throw error
        case .key(let key): return try description.parameters(of: key)
        case .value(let value) where description.keyIndices.count == 1:
            let property = description.properties[description.keyIndices[0]]
            let type = ValueType(
                type: property.columnType, storage: property.storage, property: (property.name, description.table))
            return try encoded(value, type)
        default:
            throw DatabaseError(
                .invalidValue,
                "A query compares a \(description.type) with something that is neither an object nor a key.",
                table: description.table)
        }
    }

    // MARK: Lists

    private func isIn(_ node: QueryNode, _ values: [QueryNode]) throws -> String {
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

    private func isIn(_ node: QueryNode, _ list: QueryValueList) throws -> String {
        let type = try type(of: node)
        if let failure = list.failure { throw refused(failure, type) }
        guard let columnType = type.type, columnType != .json else { throw refused(.invalid("comparable"), type) }
        looksForEqual = true
        defer { looksForEqual = false }
        if type.isOfColumnType { return try isIn(ofColumnType: node, type, list) }
        let left = exact(try operand(node, type, isTyped: !isColumn(node)), columnType, type)
        let sql = dialect.isIn([(name: left, type: columnType)], from: nextPosition)
        bind(list: list.values)
        guard list.hasNull, type.isNullable else { return sql }
        return "(\(sql) OR \(try nullComparison(.equal, node)))"
    }

    /// Compares with values one by one, since only beside the column does the engine make values of its type of texts.
    private func isIn(ofColumnType node: QueryNode, _ type: ValueType, _ list: QueryValueList) throws -> String {
        let left = try compared(node, type, isTyped: false)
        let values = list.values.rowIndices.map { bind(list.values.selecting([$0])) }.joined(separator: ", ")
        let sql = values.isEmpty ? "FALSE" : "\(left) IN (\(values))"
        guard list.hasNull, type.isNullable else { return sql }
        return "(\(sql) OR \(try nullComparison(.equal, node)))"
    }
}
