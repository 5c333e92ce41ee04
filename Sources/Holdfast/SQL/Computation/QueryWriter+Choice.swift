extension QueryWriter {
    /// The type of a choice: that of its values, which have to be of one.
    func type(of choice: QueryChoice) throws -> ValueType {
        let values = choice.values
        var types = try values.map { try type(of: $0) }
        guard var result = types.popLast() else {
            throw DatabaseError(.syntax, "A query has a choice among nothing.")
        }
        var (isNullable, isValue) = (result.isNullable, result.isValue)
        for type in types.reversed() {
            isNullable = isNullable || type.isNullable
            isValue = isValue && type.isValue
            result = try unified(type, result)
        }
        (result.textForm, result.isInDocument, result.isValue) = (nil, false, isValue)
        result.isNullable = isNullable || choice.otherwise == nil
        if isValue { result.property = nil }
        // Nothing but numbers of condition text: whole ones, or not.
        if result.type == nil, values.contains(where: \.isNumber) {
            result.type = values.contains(where: \.isFraction) ? .double : .int64
        }
        return result
    }

    /// Writes a choice; values in it are those of the type that it stands beside, or of its own.
    func choice(_ choice: QueryChoice, _ wanted: ValueType) throws -> String {
        var type = try type(of: choice)
        // All are values: they are encoded as what they are compared with, or assigned to, is.
        if type.isValue, wanted.type != nil { type = wanted }
        guard type.type != nil else {
            throw DatabaseError(.invalidValue, "A query has a choice among nothing but nil.")
        }
        var sql = "CASE"
        for (condition, value) in choice.cases {
            sql += " WHEN \(try self.condition(condition))"
            sql += " THEN \(try operand(value, type, isTyped: true))"
        }
        if let otherwise = choice.otherwise { sql += " ELSE \(try operand(otherwise, type, isTyped: true))" }
        return "\(sql) END"
    }
}
