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
                isNullable = isNullable || mapping.isNullable || isInverse || target.description.expiry != nil
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
            case .concatenation(let left, let right): return try concatenation(left, right)
            case .coalesce(let left, let right): return try coalesce(left, right, type(of: node))
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
