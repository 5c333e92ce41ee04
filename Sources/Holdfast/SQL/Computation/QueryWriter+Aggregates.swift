extension QueryWriter {
    /// Returns the type of an aggregate.
    func aggregateType(_ function: AggregateFunction, _ argument: QueryNode?) throws -> ValueType {
        if function == .count || function == .countDistinct { return ValueType(type: .int64) }
        guard let argument else { throw DatabaseError(.syntax, "A query computes an aggregate of nothing.") }
        let own = try type(of: argument)
        guard let type = own.type else {
            throw DatabaseError(.invalidValue, "A query computes an aggregate of a constant.")
        }
        switch function {
        case .count, .countDistinct: return ValueType(type: .int64)
        case .sum, .average:
            guard let kind = NumberKind(type) else { throw unsuitable(function, own) }
            if own.storage != .native {
                throw DatabaseError(
                    .unsupported,
                    "A query computes with \"\(own.property?.name ?? "")\", which is stored in a way of its own. Compute with it in Swift.",
                    table: own.property?.table, properties: own.property.map { [$0.name] } ?? [])
            }
            if function == .sum { return ValueType(type: kind.type, isNullable: true) }
            return ValueType(type: kind == .decimal ? .decimal : .double, isNullable: true)
        case .minimum, .maximum:
            if !type.hasExtremes { throw unsuitable(function, own) }
            return ValueType(
                type: type, storage: own.storage, isNullable: true, textForm: own.isOfColumnType ? .ofColumnType : nil)
        }
    }

    func aggregate(_ function: AggregateFunction, _ argument: QueryNode?) throws -> String {
        _ = try aggregateType(function, argument)
        guard let argument else { return "count(*)" }
        if case .path(let path) = argument, case .object = try locate(path) {
            let key = try object(at: path.names, in: path.scope).key(self)[0]
            return function == .countDistinct ? "count(DISTINCT \(key))" : "count(\(key))"
        }
        let own = try type(of: argument)
        guard let type = own.type else { throw unsuitable(function, own) }
        if function == .minimum || function == .maximum {
            let sql = try extreme(function, argument)
            return own.isOfColumnType ? dialect.text(ofColumnType: sql) ?? sql : sql
        }
        let sql = try compared(argument, own, isTyped: true)
        return switch function {
        case .count, .minimum, .maximum: "count(\(sql))"
        case .countDistinct: "count(DISTINCT \(exact(sql, type, own)))"
        case .sum: dialect.sum(sql, type)
        case .average: dialect.average(sql, type)
        }
    }

    /// Writes the least or the greatest value, one of a type that the engine alone knows as it is.
    func extreme(_ function: AggregateFunction, _ argument: QueryNode) throws -> String {
        let own = try type(of: argument)
        guard let type = own.type else { throw unsuitable(function, own) }
        let sql = ordered(try compared(argument, own, isTyped: true), type, own)
        return function == .maximum ? "max(\(sql))" : "min(\(sql))"
    }

    private func unsuitable(_ function: AggregateFunction, _ type: ValueType) -> DatabaseError {
        DatabaseError(
            .unsupported,
            "The \(function) of \"\(type.property?.name ?? "a value")\" can't be computed: its type has none.",
            table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
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
