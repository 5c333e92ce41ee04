import Foundation

extension QueryWriter {
    // MARK: Types

    /// The type and nullability of a value, known before it is written.
    func type(of node: QueryNode) throws -> ValueType { try nested { try ownType(of: node) } }

    private func ownType(of node: QueryNode) throws -> ValueType {
        switch node {
        case .failure(let error): throw error
        case .path(let path):
            switch try locate(path) {
            case .value(let type): return type
            case .object(let description, _):
                throw DatabaseError(
                    .invalidValue, "A query uses a \(description.type) as a value. Name one of its properties.",
                    table: description.table)
            case .array, .insideArray:
                throw DatabaseError(
                    .invalidValue,
                    "A query computes with the array \"\(path.text)\". Ask for its elements, or their count.",
                    properties: path.names)
            case .insideDocument:
                guard let value = try declaredValue(node) else { throw typeIsUnknown(path) }
                return try type(of: value)
            }
        case .value(.encoded(_, let type)): return ValueType(type: type, isValue: true)
        case .value(.open(let value)): return ValueType(type: Self.columnType(of: value), isValue: true)
        case .value(.literal(let literal)):
            return ValueType(type: literal.isText ? .text : literal.isBoolean ? .boolean : nil, isValue: true)
        case .value(.invalid(let mismatch)): throw refused(mismatch, ValueType())
        case .null: return ValueType(isNullable: true, isValue: true)
        case .arithmetic(let operation, let leftNode, let rightNode):
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
        case .function(let function, let argument):
            let argument = try type(of: argument)
            switch function {
            case .lowercased, .uppercased, .trimmed: return ValueType(type: .text, isNullable: argument.isNullable)
            case .length: return ValueType(type: .int64, isNullable: argument.isNullable)
            case .negated:
                return ValueType(
                    type: argument.type.flatMap { $0 == .float ? .float : NumberKind($0)?.type },
                    isNullable: argument.isNullable)
            }
        case .concatenation(let left, let right):
            return ValueType(type: .text, isNullable: try type(of: left).isNullable || type(of: right).isNullable)
        case .coalesce(let left, let right):
            let (left, right) = (try type(of: left), try type(of: right))
            var result = try unified(left, right)
            (result.textForm, result.isInDocument) = (nil, false)
            result.isNullable = left.isNullable && right.isNullable
            return result
        case .elementCount: return ValueType(type: .int64)
        case .aggregate(let function, let argument): return try aggregateType(function, argument)
        case .sql(_, let type?): return ValueType(type: type, isNullable: true)
        case .json(_, _, let type): return ValueType(type: type, isNullable: true, isInDocument: true)
        case .edited(let document, _): return try type(of: document)
        case .key, .constant, .comparison, .and, .or, .not, .isIn, .isInList, .between, .like, .match, .hasElement,
            .isHeld, .hasJSON, .hasJSONElement, .text, .sql:
            throw DatabaseError(.syntax, "A query has a condition, or a key, where it needs a value.")
        }
    }

    private static func columnType(of value: some Storable) -> ColumnType? {
        Swift.type(of: value)._columnType(.native)
    }

    /// The common type of two values that are compared or computed with: the type of the property, if one of them is
    /// one.
    ///
    /// A literal takes the type of the other value, or is refused if it does not fit. Two other values of different
    /// kinds are refused, since each engine would convert them in its own way.
    func unified(_ left: ValueType, _ right: ValueType) throws -> ValueType {
        if left.isValue, !right.isValue { return try unified(right, left) }
        var result = left
        result.type = left.type ?? right.type
        guard let type = result.type else { return result }
        if type == .json {
            throw refused(.invalid("comparable: what is kept as JSON can only be compared with nil"), left)
        }
        guard !right.isValue, let other = right.type else { return result }
        let isSameKind = type == other || NumberKind(type).map { $0 == NumberKind(other) } ?? false
        guard isSameKind, left.storage == right.storage else {
            let names = [left.property?.name, right.property?.name].compactMap(\.self)
            throw DatabaseError(
                .invalidValue,
                "A query brings together \(left.shown) and \(right.shown), which are of different types, or stored in different ways.",
                table: left.property?.table ?? right.property?.table, properties: names)
        }
        // For two widths of a number, the greater one is taken.
        if NumberKind(type) != nil, type != other { result.type = NumberKind(type)?.type }
        return result
    }

    // MARK: Values

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - wanted: The type of the other operand, by which a value is encoded.
    ///   - isTyped: Whether the type of a parameter has to be told, since nothing else in the statement does.
    func operand(_ node: QueryNode, _ wanted: ValueType, isTyped: Bool) throws -> String {
        try nested {
            switch node {
            case .path(let path):
                if let value = try declaredValue(node) { return try operand(value, wanted, isTyped: isTyped) }
                return try trusted(column(path), type(of: node), at: path)
            case .value(let value):
                let cell = try encoded(value, wanted)
                let placeholder = bind(cell)
                guard isTyped, let type = wanted.type else { return placeholder }
                return dialect.typed(placeholder, type)
            case .null: return "NULL"
            case .arithmetic(let operation, let left, let right):
                let result = try type(of: node)
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
            case .function(let function, let argument): return try scalar(function, argument)
            case .concatenation(let left, let right):
                let text = ValueType(type: .text)
                try requireText(left)
                try requireText(right)
                let written = try operand(left, text, isTyped: true)
                return "(\(written) || \(try operand(right, text, isTyped: true)))"
            case .coalesce(let left, let right):
                let common = try type(of: node)
                let written = try operand(left, common, isTyped: true)
                return "COALESCE(\(written), \(try operand(right, common, isTyped: true)))"
            case .elementCount(let path, let scope, let condition): return try elementCount(path, scope, condition)
            case .aggregate(let function, let argument): return try aggregate(function, argument)
            case .sql(let sql, _?): return try written(sql)
            case .json(let document, let path, let type): return try value(in: document, path, type)
            case .edited(let document, let edits): return try edited(document, edits)
            case .failure(let error): throw error
            case .key, .constant, .comparison, .and, .or, .not, .isIn, .isInList, .between, .like, .match, .hasElement,
                .isHeld, .hasJSON, .hasJSONElement, .text, .sql:
                _ = try type(of: node)
                throw DatabaseError(.syntax, "A query has a condition where it needs a value.")
            }
        }
    }

    /// Writes a value to be compared or ordered: one of a type that the engine alone knows as it is, not as text.
    func compared(_ node: QueryNode, _ wanted: ValueType, isTyped: Bool) throws -> String {
        switch node {
        case .path(let path) where try type(of: node).isOfColumnType: return try column(path)
        case .aggregate(let function, let argument?) where try type(of: node).isOfColumnType:
            return try extreme(function, argument)
        default: return try operand(node, wanted, isTyped: isTyped)
        }
    }

    /// Writes a value for `<` and ORDER BY.
    func ordered(_ sql: String, _ type: ColumnType, _ valueType: ValueType) -> String {
        valueType.isOfColumnType || valueType.isInDocument ? sql : dialect.ordered(sql, type)
    }

    /// Writes a value for `=` and GROUP BY.
    func exact(_ sql: String, _ type: ColumnType, _ valueType: ValueType) -> String {
        valueType.isInDocument ? sql : dialect.exact(sql, type)
    }

    /// A column, guarded where its table can hold values of any type.
    private func trusted(_ sql: String, _ type: ValueType, at path: QueryPath) throws -> String {
        if type.isOfColumnType, let text = dialect.text(ofColumnType: sql) { return text }
        if let form = type.textForm {
            if let value = dialect.value(of: sql, as: form) { return value }
            throw DatabaseError(
                .unsupported,
                "A query uses \"\(type.property?.name ?? "")\", which is stored in a form of its own, and the engine compares no such values.",
                table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
        }
        guard !path.names.isEmpty, let columnType = type.type else { return sql }
        // The same date can be written in several ways, so a search for equal texts would not find all of them.
        if type.storage == .iso8601 {
            return dialect.trustedDate(sql, of: try object(at: path.names.dropLast(), in: path.scope).description.table)
        }
        // A value of another kind equals none that is asked for; and an index on the column is of use.
        if looksForEqual, columnType.equalsOnlyItsKind { return sql }
        let object = try object(at: path.names.dropLast(), in: path.scope)
        return dialect.trusted(sql, columnType, of: object.description.table)
    }

    private func scalar(_ function: ScalarFunction, _ argument: QueryNode) throws -> String {
        if function == .negated {
            // A negation is written as a subtraction from 0, so that its result is checked like that of a subtraction.
            return try operand(
                .arithmetic(.subtract, .value(.literal(.integer("0"))), argument), type(of: argument), isTyped: true)
        }
        try requireText(argument)
        let text = try operand(argument, ValueType(type: .text), isTyped: true)
        switch function {
        case .lowercased: return "lower(\(text)\(dialect.codePointCollation))"
        case .uppercased: return "upper(\(text)\(dialect.codePointCollation))"
        case .trimmed: return "trim(\(text))"
        case .length, .negated: return "length(\(text))"
        }
    }

    func requireText(_ node: QueryNode) throws {
        let type = try type(of: node)
        guard type.type == .text || type.type == nil && !type.isNumberLiteral, type.storage == .native else {
            throw refused(.invalid("text"), type)
        }
    }

    // MARK: Encoding

    /// Encodes a value as the property is that it stands beside.
    func encoded(_ value: QueryValue, _ wanted: ValueType) throws -> ParameterBuffer {
        do {
            switch value {
            case .encoded(let buffer, let type):
                guard
                    wanted.type == nil || type == wanted.type
                        || NumberKind(type).map({ $0 == wanted.type.flatMap(NumberKind.init) }) == true
                else { throw mismatch(wanted) }
                return try checked(buffer, wanted)
            case .invalid(let mismatch): throw mismatch
            case .open(let value): return try checked(Self.encoded(open: value, wanted), wanted)
            case .literal(let literal): return try checked(literal.encoded(as: wanted), wanted)
            }
        } catch let mismatch as CellMismatch {
            throw refused(mismatch, wanted)
        }
    }

    private func mismatch(_ wanted: ValueType) -> CellMismatch {
        .invalid("of the property's type, \(wanted.type.map { "\($0)" } ?? "unknown")")
    }

    /// Encodes a value whose type was not checked when the query was written.
    private static func encoded(open value: some Storable, _ wanted: ValueType) throws -> ParameterBuffer {
        var encoder = CellEncoder(width: 1)
        // A text beside a UUID that is stored as text is that UUID.
        let own = wanted.storage.isText && value is String ? nil : Swift.type(of: value)._columnType(wanted.storage)
        guard let type = wanted.type else {
            try value._encode(into: &encoder, .native)
            return encoder.buffer
        }
        if own == type
            || own.flatMap(NumberKind.init) == .integer && NumberKind(type) == .integer && wanted.storage == .native
        {
            try value._encode(into: &encoder, wanted.storage)
            return encoder.buffer
        }
        // An integer beside a property of another kind of number is that number.
        try value._encode(into: &encoder, .native)
        if let cell = encoder.buffer.cells.first, cell.kind == .integer {
            return try QueryLiteral.integer(String(cell.integer)).encoded(as: wanted)
        }
        if let cell = encoder.buffer.cells.first, cell.kind == .real, type == .float {
            // As a literal beside a Float is.
            return try QueryLiteral.number(String(cell.real)).encoded(as: wanted)
        }
        if let text = value as? String, own == .text || type != .text || wanted.storage.isText {
            return try QueryLiteral.text(text).encoded(as: wanted)
        }
        throw CellMismatch.invalid("of the property's type")
    }

    /// Refuses an integer that the property could never hold, on every engine alike.
    private func checked(_ buffer: ParameterBuffer, _ wanted: ValueType) throws -> ParameterBuffer {
        guard wanted.property != nil, let cell = buffer.cells.first, cell.kind == .integer else { return buffer }
        guard wanted.type?.integers?.contains(cell.integer) != false else {
            throw CellMismatch.invalid("in the range of the property's type")
        }
        return buffer
    }

    /// The error of a value that does not fit; it does not carry the value.
    func refused(_ mismatch: CellMismatch, _ wanted: ValueType) -> DatabaseError {
        let context = wanted.property.map { "compared with \"\($0.name)\" of \"\($0.table)\" " } ?? ""
        return DatabaseError(
            .invalidValue, "A value in a query \(context)\(mismatch.sentence).", table: wanted.property?.table,
            properties: wanted.property.map { [$0.name] } ?? [])
    }

    private func notANumber(_ type: ValueType) -> DatabaseError { refused(.invalid("a number"), type) }

    private func scaledArithmetic(_ type: ValueType) -> DatabaseError {
        DatabaseError(
            .unsupported,
            "A query computes with \"\(type.property?.name ?? "")\", which is stored in a way of its own. Compute with it in Swift.",
            table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
    }
}

/// A kind of number in arithmetic.
enum NumberKind: Hashable, Sendable {
    case integer
    case real
    case decimal

    init?(_ type: ColumnType) {
        switch type {
        case .int16, .int32, .int64: self = .integer
        case .float, .double: self = .real
        case .decimal: self = .decimal
        case .boolean, .text, .blob, .timestamp, .uuid, .json: return nil
        }
    }

    /// The type in which such numbers are computed.
    var type: ColumnType {
        switch self {
        case .integer: .int64
        case .real: .double
        case .decimal: .decimal
        }
    }
}

extension ColumnType {
    /// Whether a value in a column of any types is equal to one of this type only if it is of the same kind.
    fileprivate var equalsOnlyItsKind: Bool {
        switch self {
        case .int16, .int32, .int64, .float, .double, .text, .blob: true
        case .boolean, .decimal, .timestamp, .uuid, .json: false
        }
    }
}

extension ValueType {
    /// The description of the value in errors.
    var shown: String { property.map { "\"\($0.name)\"" } ?? "what it computes" }
    /// Whether the number in the column is not the value itself.
    var isScaled: Bool { storage != .native }
    fileprivate var isNumberLiteral: Bool { type == nil && property == nil && !isNullable }
}

extension QueryNode {
    /// Whether it is a number with a fraction, as condition text has it.
    fileprivate var isFraction: Bool { if case .value(.literal(.number)) = self { true } else { false } }
}
