/// The type and nullability of a value, known before it is written.
struct ValueType {
    /// The type of the column; nil for a value that fits any type, such as a literal.
    var type: ColumnType?
    var storage = ValueStorage.native
    var isNullable = false
    /// The form of text in its column, which is read as a value of the type.
    var textForm: TextForm?
    /// Whether it is a literal, which takes the type of the value that it is compared or computed with.
    var isValue = false
    /// Whether it is inside a document, and compared as it is written.
    var isInDocument = false
    /// The property that it is, for errors.
    var property: (name: String, table: String)?
}

extension ValueType {
    /// The type of a property, or of the elements of an array property, in a query.
    init(
        of property: PropertyMapping, _ type: ColumnType, isNullable: Bool, in table: String, _ dialect: any Dialect
    ) {
        self.init(
            type: property.textForm?.type ?? type, storage: property.queryStorage, isNullable: isNullable,
            textForm: property.textForm, property: (property.name, table))
        // Where columns have no such types, the text is a text like others.
        if isOfColumnType, dialect.text(ofColumnType: "") == nil { textForm = nil }
    }

    /// Whether it has a type that only the engine knows, and the engine compares it by that type.
    var isOfColumnType: Bool { textForm == .ofColumnType }

    /// The description of the value in errors.
    var shown: String { property.map { "\"\($0.name)\"" } ?? "what it computes" }
    /// Whether the number in the column is not the value itself.
    var isScaled: Bool { storage != .native }
}

extension QueryWriter {
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
        case .arithmetic(let operation, let left, let right): return try type(of: operation, left, right)
        case .function(let function, let argument): return try type(of: function, argument)
        case .concatenation(let left, let right):
            return ValueType(type: .text, isNullable: try type(of: left).isNullable || type(of: right).isNullable)
        case .coalesce(let left, let right): return try type(ofEither: left, right)
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

    /// Refuses to compare a value of a type that the engine alone knows with a text that the query computes or reads.
    func requireSameType(_ left: ValueType, _ right: ValueType) throws {
        guard left.isOfColumnType != right.isOfColumnType, !left.isValue, !right.isValue else { return }
        let own = left.isOfColumnType ? left : right
        throw DatabaseError(
            .invalidValue,
            "A query compares \(own.shown), whose column has a type of its own, with a text of the database. Compare it with a value, or with a column of that type.",
            table: own.property?.table, properties: own.property.map { [$0.name] } ?? [])
    }
}
