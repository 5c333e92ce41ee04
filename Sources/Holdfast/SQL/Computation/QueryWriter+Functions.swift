extension QueryWriter {
    /// The type of what a function computes.
    func type(of function: ScalarFunction, _ arguments: [QueryNode]) throws -> ValueType {
        let types = try arguments.map { try type(of: $0) }
        guard let first = types.first else { return ValueType(type: .double) }
        let isNullable = types.contains(where: \.isNullable)
        switch function {
        case .lowercased, .uppercased, .trimmed, .substring, .replaced, .text:
            return ValueType(type: .text, isNullable: isNullable)
        case .length, .position, .sign, .bitAnd, .bitOr, .shiftedLeft, .shiftedRight:
            return ValueType(type: .int64, isNullable: isNullable)
        case .integer: return ValueType(type: .int64, isNullable: true)
        case .random: return ValueType(type: .double)
        case .double: return ValueType(type: .double, isNullable: isNullable)
        case .decimal: return ValueType(type: .decimal, isNullable: isNullable)
        case .negated, .magnitude, .rounded, .floor, .ceiling:
            return ValueType(
                type: first.type.flatMap { $0 == .float ? .float : NumberKind($0)?.type }, isNullable: isNullable)
        case .least, .greatest:
            var result = try types.dropFirst().reduce(first) { try unified($0, $1) }
            (result.textForm, result.isInDocument) = (nil, false)
            result.isNullable = types.allSatisfy(\.isNullable)
            return result
        case .nilIfEqual:
            var result = try unified(first, types[1])
            (result.textForm, result.isInDocument, result.isNullable) = (nil, false, true)
            return result
        }
    }

    /// Writes a function of values.
    func scalar(_ function: ScalarFunction, _ arguments: [QueryNode]) throws -> String {
        guard function != .random, let argument = arguments.first else { return "random()" }
        switch function {
        case .negated:
            // A negation is written as a subtraction from 0, so that its result is checked like that of a subtraction.
            return try operand(
                .arithmetic(.subtract, .value(.literal(.integer("0"))), argument), type(of: argument), isTyped: true)
        case .lowercased: return "lower(\(try text(argument))\(dialect.codePointCollation))"
        case .uppercased: return "upper(\(try text(argument))\(dialect.codePointCollation))"
        case .trimmed: return "trim(\(try text(argument)))"
        case .length: return "length(\(try text(argument)))"
        case .substring:
            let counts = try arguments.dropFirst().map {
                String(try constant($0, 0...Int64(Int32.max), "A part of a text"))
            }
            return "substr(\(try text(argument)), \(counts.joined(separator: ", ")))"
        case .replaced: return "replace(\(try arguments.map { try text($0) }.joined(separator: ", ")))"
        case .position:
            let whole = try text(argument)
            return try functions.position(of: text(arguments[1]), in: whole)
        case .integer: return try functions.integer(of: text(argument))
        case .text: return "CAST(\(try integer(argument)) AS text)"
        case .bitAnd, .bitOr:
            let left = try integer(argument)
            return "(\(left) \(function == .bitAnd ? "&" : "|") \(try integer(arguments[1])))"
        case .shiftedLeft, .shiftedRight:
            let count = try constant(arguments[1], 0...63, "A shift of bits")
            return "(\(try integer(argument)) \(function == .shiftedLeft ? "<<" : ">>") \(count))"
        case .magnitude:
            let (sql, type) = try number(argument)
            return try functions.magnitude(sql, type)
        case .sign:
            let (sql, type) = try number(argument)
            return try functions.sign(sql, type)
        case .double, .decimal:
            let own = try self.type(of: argument)
            // A decimal that a column holds as an integer is one again.
            let (sql, type) =
                own.storage.scale == nil
                ? try number(argument) : (try unscaled(try operand(argument, own, isTyped: true), own), .decimal)
            let result: ColumnType = function == .double ? .double : .decimal
            return type == result ? sql : try functions.converted(sql, from: type, to: result)
        case .rounded, .floor, .ceiling:
            let digits = try arguments.count > 1 ? constant(arguments[1], 0...30, "A number of digits") : 0
            let (sql, type) = try number(argument)
            // An integer is whole already.
            guard NumberKind(type) != .integer else { return sql }
            if function == .rounded { return try functions.rounded(sql, digits: Int(digits), type) }
            return try functions.whole(sql, up: function == .ceiling, type)
        case .least, .greatest: return try extreme(function, arguments)
        case .nilIfEqual:
            var type = try unified(self.type(of: argument), self.type(of: arguments[1]))
            guard let columnType = type.type, !type.isOfColumnType else { throw incomparable(type) }
            type.isNullable = true
            let left = exact(try operand(argument, type, isTyped: true), columnType, type)
            return "NULLIF(\(left), \(try operand(arguments[1], type, isTyped: true)))"
        case .random: return "random()"
        }
    }

    private func extreme(_ function: ScalarFunction, _ arguments: [QueryNode]) throws -> String {
        let types = try arguments.map { try self.type(of: $0) }
        let type = try types.dropFirst().reduce(types[0]) { try unified($0, $1) }
        guard let columnType = type.type, columnType.hasExtremes, !types.contains(where: \.isOfColumnType) else {
            throw incomparable(type)
        }
        let values = try arguments.map { try operand($0, type, isTyped: true) }
        return try functions.extreme(of: values, isGreatest: function == .greatest, columnType)
    }

    /// The functions that the dialect has to write.
    private var functions: any FunctionDialect {
        get throws {
            guard let functions = dialect.functions else {
                throw DatabaseError(.unsupported, "The engine lacks a function of the query. Compute in Swift.")
            }
            return functions
        }
    }

    private func text(_ node: QueryNode) throws -> String {
        try requireText(node)
        return try operand(node, ValueType(type: .text), isTyped: true)
    }

    private func number(_ node: QueryNode) throws -> (sql: String, type: ColumnType) {
        let type = try type(of: node)
        guard let columnType = type.type, NumberKind(columnType) != nil else {
            throw refused(.invalid("a number"), type)
        }
        if type.isScaled { throw scaledArithmetic(type) }
        return (try operand(node, type, isTyped: true), columnType)
    }

    private func integer(_ node: QueryNode) throws -> String {
        var type = try type(of: node)
        if type.isValue, type.type == nil { type.type = .int64 }
        guard let columnType = type.type, NumberKind(columnType) == .integer else {
            throw refused(.invalid("an integer"), type)
        }
        if type.isScaled { throw scaledArithmetic(type) }
        return "CAST(\(try operand(node, type, isTyped: true)) AS bigint)"
    }

    /// An integer that was given as a value.
    private func constant(_ node: QueryNode, _ range: ClosedRange<Int64>, _ what: String) throws -> Int64 {
        guard case .value(let value) = node,
            let cell = try encoded(value, ValueType(type: .int64)).cells.first, range.contains(cell.integer)
        else {
            throw DatabaseError(
                .invalidValue,
                "\(what) is given by an integer from \(range.lowerBound) to \(range.upperBound), as a value.")
        }
        return cell.integer
    }

    private func incomparable(_ type: ValueType) -> DatabaseError {
        DatabaseError(
            .unsupported, "A query compares \(type.shown) in a function, and its type has no order there.",
            table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
    }
}
