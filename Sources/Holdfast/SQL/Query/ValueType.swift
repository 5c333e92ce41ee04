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
        case .date(let function, let arguments): return try type(of: function, arguments)
        case .concatenation(let left, let right):
            return ValueType(type: .text, isNullable: try type(of: left).isNullable || type(of: right).isNullable)
        case .coalesce(let left, let right): return try type(ofEither: left, right)
        case .elementCount, .treeLevel: return ValueType(type: .int64)
        case .aggregate(let aggregate): return try type(of: aggregate)
        case .choice(let choice): return try type(of: choice)
        case .window(let window): return try type(of: window)
        case .elementAggregate(let aggregate): return try type(of: aggregate)
        case .subquery(let query): return try type(of: query)
        case .sql(_, let type?): return ValueType(type: type, isNullable: true)
        case .json(_, _, let type): return ValueType(type: type, isNullable: true, isInDocument: true)
        case .edited(let document, _): return try type(of: document)
        case .searchRank: return ValueType(type: .double)
        case .key, .constant, .comparison, .and, .or, .not, .isIn, .isInList, .between, .like, .match, .hasElement,
            .isHeld, .hasJSON, .hasJSONElement, .text, .sql, .exists, .isInQuery, .isInTree, .matches:
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

extension QueryWriter {
    /// The target of a path.
    enum Location {
        /// A value of its own.
        case value(ValueType)
        /// An object: one that a relation leads to, or what the scope is about.
        case object(TableDescription, isNullable: Bool)
        /// An array: of values, or of objects.
        case array(owner: TableDescription, property: Int)
        /// Something inside of the elements of an array, whose path is the first so many names.
        case insideArray(Int)
        /// Something inside of a property that is kept as JSON, whose path is the first so many names.
        case insideDocument(Int)
    }

    /// How many steps a path may have, each of which is a join.
    private static var greatestPath: Int { 60 }

    /// Finds out what a path leads to, without writing anything.
    func locate(_ path: QueryPath) throws -> Location {
        guard path.names.count <= Self.greatestPath else {
            throw DatabaseError(.syntax, "A query has a path of more than \(Self.greatestPath) names.")
        }
        let location = try locateNames(path)
        if !path.tail.isEmpty {
            // What is inside of the elements of an array is looked at when that is what the path begins at.
            switch location {
            case .insideDocument, .insideArray: break
            case .value, .object, .array: throw hasNoPositions(path)
            }
        }
        return location
    }

    private func locateNames(_ path: QueryPath) throws -> Location {
        if path.isElement { return .value(try elementType(path)) }
        let start: QueryObject
        switch try content(of: path.scope) {
        case .value(_, let type):
            guard path.names.isEmpty else { throw unknown(path, 0, in: nil) }
            return .value(type)
        case .object(let object): start = object
        }
        var (description, isNullable) = (start.description, start.isNullable)
        for (index, name) in path.names.enumerated() {
            guard let property = description.index(ofProperty: name) else {
                throw unknown(path, index, in: description)
            }
            let isLast = index == path.names.count - 1
            let mapping = description.properties[property]
            switch mapping.shape {
            case .column(let type, _):
                if !isLast || !path.tail.isEmpty, type == .json, mapping.textForm == nil, !mapping.storage.isArray {
                    return .insideDocument(index + 1)
                }
                guard isLast else { throw unknown(path, index + 1, in: nil) }
                return .value(
                    ValueType(
                        of: mapping, type, isNullable: isNullable || mapping.isNullable, in: description.table,
                        dialect))
            case .array, .objects:
                return isLast ? .array(owner: description, property: property) : .insideArray(index + 1)
            case .reference(let target, _):
                let isInverse = description.columns.relation(property)?.isInverse ?? false
                isNullable = isNullable || mapping.isNullable || isInverse || target.description.hidesRows
                description = target.description
            }
        }
        return .object(description, isNullable: isNullable)
    }

    /// The object at the end of a path of references.
    func object(at path: some Sequence<String>, in scope: QueryScope) throws -> QueryObject {
        guard case .object(var object) = try content(of: scope) else {
            throw DatabaseError(.invalidValue, "An element that is a value has no properties.")
        }
        for name in path {
            guard let property = object.description.index(ofProperty: name),
                let relation = object.description.columns.relation(property)
            else { throw DatabaseError(.invalidValue, "\"\(name)\" of \(object.description.type) is no relation.") }
            object = try object.reference(relation, self)
        }
        return object
    }

    /// Writes the column that a path to a value leads to.
    func column(_ path: QueryPath) throws -> String {
        if path.isElement { return try groupedElement(path) }
        guard let last = path.names.last else {
            guard case .value(let sql, _) = try content(of: path.scope) else {
                throw DatabaseError(.invalidValue, "An object is no value.")
            }
            return sql
        }
        let object = try object(at: path.names.dropLast(), in: path.scope)
        guard let property = object.description.index(ofProperty: last), let sql = object.column(property, self) else {
            throw DatabaseError(.invalidValue, "\"\(last)\" of \(object.description.type) has no column.")
        }
        return sql
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
            case .arithmetic(let operation, let left, let right): return try arithmetic(operation, left, right)
            case .function(let function, let argument): return try scalar(function, argument)
            case .date(let function, let arguments): return try date(function, arguments)
            case .concatenation(let left, let right): return try concatenation(left, right)
            case .coalesce(let left, let right): return try coalesce(left, right, type(of: node))
            case .elementCount(let path, let scope, let condition): return try elementCount(path, scope, condition)
            case .aggregate(let aggregate): return try self.aggregate(aggregate)
            case .choice(let choice): return try self.choice(choice, wanted)
            case .window(let window): return try self.window(window)
            case .elementAggregate(let aggregate): return try elementAggregate(aggregate)
            case .subquery(let query): return try value(of: query)
            case .sql(let sql, _?): return try written(sql)
            case .json(let document, let path, let type): return try value(in: document, path, type)
            case .edited(let document, let edits): return try edited(document, edits)
            case .searchRank(let object, let query): return try searchRank(object, query)
            case .treeLevel(let object, let tree): return try level(of: object, in: tree)
            case .failure(let error): throw error
            case .key, .constant, .comparison, .and, .or, .not, .isIn, .isInList, .between, .like, .match, .hasElement,
                .isHeld, .hasJSON, .hasJSONElement, .text, .sql, .exists, .isInQuery, .isInTree, .matches:
                _ = try type(of: node)
                throw DatabaseError(.syntax, "A query has a condition where it needs a value.")
            }
        }
    }

    /// Writes a value to be compared or ordered: one of a type that the engine alone knows as it is, not as text.
    func compared(_ node: QueryNode, _ wanted: ValueType, isTyped: Bool) throws -> String {
        switch node {
        case .path(let path) where try type(of: node).isOfColumnType: return try column(path)
        case .aggregate(let aggregate) where try type(of: node).isOfColumnType:
            return try extreme(aggregate)
        default: return try operand(node, wanted, isTyped: isTyped)
        }
    }

    /// Writes a value for `<` and ORDER BY.
    func ordered(_ sql: String, _ type: ColumnType, _ valueType: ValueType) -> String {
        valueType.isOfColumnType || valueType.isInDocument ? sql : dialect.ordered(sql, type)
    }

    /// Writes a value for `=` and GROUP BY: the dialect has texts compared by their code points.
    func exact(_ sql: String, _ type: ColumnType, _ valueType: ValueType) -> String {
        valueType.isInDocument ? sql : dialect.exact(sql, type)
    }

    /// A column as a value of its type: guarded where its table can hold values of any type, which few do.
    private func trusted(_ sql: String, _ type: ValueType, at path: QueryPath) throws -> String {
        if type.isOfColumnType, let text = dialect.text(ofColumnType: sql) { return text }
        if let form = type.textForm {
            if let value = dialect.value(of: sql, as: form) { return value }
            throw DatabaseError(
                .unsupported,
                "A query uses \"\(type.property?.name ?? "")\", which is stored in a form of its own, and the engine compares no such values.",
                table: type.property?.table, properties: type.property.map { [$0.name] } ?? [])
        }
        guard !path.names.isEmpty, !path.isElement, let columnType = type.type else { return sql }
        // The same date can be written in several ways, so a search for equal texts would not find all of them.
        if type.storage == .iso8601 {
            return dialect.trustedDate(sql, of: try object(at: path.names.dropLast(), in: path.scope).description.table)
        }
        // A value of another kind equals none that is asked for; and an index on the column is of use.
        if looksForEqual, columnType.equalsOnlyItsKind { return sql }
        let object = try object(at: path.names.dropLast(), in: path.scope)
        return dialect.trusted(sql, columnType, of: object.description.table)
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
