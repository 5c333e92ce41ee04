extension QueryWriter {
    /// Writes a comparison of what is no plain column and no value: elements of arrays, objects, and what is inside of
    /// documents; nil for other values.
    func comparisonOfOthers(
        _ comparison: ComparisonOperator, _ left: QueryNode, _ right: QueryNode
    ) throws -> String? {
        for (node, makeOther) in [
            (left, { QueryNode.comparison(comparison, $0, right) }), (right, { .comparison(comparison, left, $0) }),
        ] as [(QueryNode, (QueryNode) -> QueryNode)] {
            if case .path(let path) = node, let element = try anyElement(path) {
                return try condition(.hasElement(element.path, scope: element.scope, makeOther(.path(element.rest))))
            }
        }
        if let keys = try keyComparison(comparison, left, right) { return keys }
        return try typedComparison(comparison, left, right).map { try condition($0) }
    }

    func nullComparison(_ comparison: ComparisonOperator, _ node: QueryNode) throws -> String {
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

    func objectPath(_ node: QueryNode) throws -> (QueryPath, TableDescription, Bool)? {
        guard case .path(let path) = node, case .object(let description, let isNullable) = try locate(path) else {
            return nil
        }
        return (path, description, isNullable)
    }

    /// The key that stands beside an object: a key, or the value of one that has one part.
    func key(_ node: QueryNode, of description: TableDescription) throws -> ParameterBuffer {
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
}
