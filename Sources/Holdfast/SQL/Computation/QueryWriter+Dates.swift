extension QueryWriter {
    /// The type of what is computed of dates.
    func type(of function: DateFunction, _ arguments: [QueryNode]) throws -> ValueType {
        let isNullable = try arguments.contains { try type(of: $0).isNullable }
        return switch function {
        case .now: ValueType(type: .timestamp)
        case .adding, .start: ValueType(type: .timestamp, isNullable: isNullable)
        case .seconds: ValueType(type: .double, isNullable: isNullable)
        case .part: ValueType(type: .int64, isNullable: isNullable)
        }
    }

    /// Writes what is computed of dates.
    func date(_ function: DateFunction, _ arguments: [QueryNode]) throws -> String {
        if function == .now {
            guard dialect.currentTime != nil else {
                throw DatabaseError(.unsupported, "The engine does not tell the time of a statement. Give a date.")
            }
            return timed { $0.currentTime?.timestamp ?? "" }
        }
        guard let dates = dialect.dates else {
            throw DatabaseError(.unsupported, "The engine does not compute with dates. Compute in Swift.")
        }
        let date = try instant(arguments[0])
        switch function {
        // Written above.
        case .now: return date
        case .seconds: return dates.seconds(from: date, to: try instant(arguments[1]))
        case .adding: return dates.adding(seconds: try secondCount(arguments[1]), to: date)
        case .part(let part, let zone): return dates.part(part, of: date, in: zone)
        case .start(let unit, let zone): return dates.start(of: unit, date, in: zone)
        }
    }

    /// Writes a date as an instant of the engine's own type, whatever its column holds.
    private func instant(_ node: QueryNode) throws -> String {
        let type = try type(of: node)
        if type.isValue { return try operand(node, ValueType(type: .timestamp), isTyped: true) }
        switch (type.type, type.storage) {
        case (.timestamp, .native): return try operand(node, type, isTyped: true)
        case (.text, .iso8601):
            let text = try operand(node, type, isTyped: true)
            if let value = dialect.value(of: text, as: .date) { return value }
        case (_, .native):
            throw DatabaseError(
                .invalidValue, "A query computes a date of \(type.shown), which is none.", table: type.property?.table,
                properties: type.property.map { [$0.name] } ?? [])
        default: break
        }
        throw DatabaseError(
            .unsupported,
            "A query computes with the date \(type.shown), which is stored in a way of its own. Compute with it in Swift.",
            table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
    }

    /// Writes a number of seconds.
    private func secondCount(_ node: QueryNode) throws -> String {
        var type = try type(of: node)
        if type.isValue { type = ValueType(type: .double, isValue: true) }
        guard let columnType = type.type, type.storage == .native,
            NumberKind(columnType) == .integer || NumberKind(columnType) == .real
        else {
            throw DatabaseError(
                .unsupported, "A query adds \(type.shown) to a date. Give an integer or a Double, in seconds.",
                table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
        }
        return try operand(node, type, isTyped: true)
    }
}
