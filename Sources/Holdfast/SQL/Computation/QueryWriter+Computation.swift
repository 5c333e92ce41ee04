extension QueryWriter {
    /// The type of what arithmetic computes.
    func type(
        of operation: ArithmeticOperator, _ leftNode: QueryNode, _ rightNode: QueryNode
    ) throws -> ValueType {
        let (left, right) = (try type(of: leftNode), try type(of: rightNode))
        var result = try unified(left, right)
        (result.textForm, result.isInDocument) = (nil, false)
        // Two constants: whole numbers, or not.
        if result.type == nil { result.type = [leftNode, rightNode].contains { $0.isFraction } ? .double : .int64 }
        guard let type = result.type, let kind = NumberKind(type) else { throw notANumber(result) }
        if left.isScaled || right.isScaled { throw scaledArithmetic(result) }
        // As in Swift, arithmetic on floats has a float as its result.
        let isFloat = [left, right].allSatisfy { $0.isValue || $0.type == .float }
        result.type = isFloat && type == .float ? .float : kind.type
        result.storage = .native
        result.property = nil
        result.isValue = false
        let divides = operation == .divide || operation == .remainder
        result.isNullable = left.isNullable || right.isNullable || divides
        return result
    }

    /// The type of a value that stands for another one that may be nil.
    func type(ofEither left: QueryNode, _ right: QueryNode) throws -> ValueType {
        let (left, right) = (try type(of: left), try type(of: right))
        var result = try unified(left, right)
        (result.textForm, result.isInDocument) = (nil, false)
        result.isNullable = left.isNullable && right.isNullable
        return result
    }

    /// Writes arithmetic.
    func arithmetic(_ operation: ArithmeticOperator, _ left: QueryNode, _ right: QueryNode) throws -> String {
        let result = try type(of: .arithmetic(operation, left, right))
        var operandType = try unified(type(of: left), type(of: right))
        operandType.type = result.type
        guard let type = result.type, let kind = NumberKind(type) else { throw notANumber(result) }
        if operation == .remainder, kind != .integer {
            throw refused(.invalid("an integer: only integers have a remainder"), operandType)
        }
        if operation == .divide, kind == .decimal {
            throw DatabaseError(
                .unsupported, "Decimals can't be divided in a query: engines round the result differently.")
        }
        operandType.storage = .native
        let left = try operand(left, operandType, isTyped: true)
        return dialect.arithmetic(operation, left, try operand(right, operandType, isTyped: true), type)
    }

    /// Writes two texts as one.
    func concatenation(_ left: QueryNode, _ right: QueryNode) throws -> String {
        let text = ValueType(type: .text)
        try requireText(left)
        try requireText(right)
        let written = try operand(left, text, isTyped: true)
        return "(\(written) || \(try operand(right, text, isTyped: true)))"
    }

    /// Writes a value, or another one if it is nil.
    func coalesce(_ left: QueryNode, _ right: QueryNode, _ common: ValueType) throws -> String {
        let written = try operand(left, common, isTyped: true)
        return "COALESCE(\(written), \(try operand(right, common, isTyped: true)))"
    }

    func requireText(_ node: QueryNode) throws {
        let type = try type(of: node)
        guard type.type == .text || type.type == nil && !type.isNumberLiteral, type.storage == .native else {
            throw refused(.invalid("text"), type)
        }
    }

    private func notANumber(_ type: ValueType) -> DatabaseError { refused(.invalid("a number"), type) }

    func scaledArithmetic(_ type: ValueType) -> DatabaseError {
        DatabaseError(
            .unsupported,
            "A query computes with \(type.shown), which is stored in a way of its own. Make a scaled decimal a plain one by `asDecimal`, or compute in Swift.",
            table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
    }
}

extension ValueType {
    fileprivate var isNumberLiteral: Bool { type == nil && property == nil && !isNullable }
}

extension QueryNode {
    /// Whether it is a number with a fraction, as condition text has it.
    var isFraction: Bool { if case .value(.literal(.number)) = self { true } else { false } }

    /// Whether it is a number, as condition text has it.
    var isNumber: Bool { if case .value(.literal(.integer)) = self { true } else { isFraction } }
}
