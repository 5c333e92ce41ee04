/// A piece of SQL with the values that belong to it: interpolated values become bound parameters, never text.
///
/// ```swift
/// let fragment: SQLFragment = "SELECT name FROM \(Project.self) WHERE status = \(status)"
/// // SELECT name FROM "project" WHERE status = ?      (SQLite)
/// // SELECT name FROM "project" WHERE status = $1     (PostgreSQL)
/// ```
///
/// Text comes in only as a literal; anything else has to say `unsafe`.
public struct SQLFragment: Sendable {
    enum Piece: Sendable {
        case text(String)
        case name(String)
        case parameter
        /// A list without values, of a type.
        case emptyList(ColumnType)
    }

    var pieces: [Piece] = []
    var parameters = CellEncoder(width: 0)
    /// The first interpolated value that can't be stored.
    var failure: DatabaseError?

    /// SQL from a string that is not a literal: whoever calls it answers for what is in it.
    public init(unsafe sql: String) { pieces = [.text(sql)] }

    init() {}

    /// The text in `dialect`, and the parameters as one row.
    func render(_ dialect: any Dialect) throws -> (sql: String, parameters: ParameterBuffer) {
        if let failure { throw failure }
        var sql = ""
        var position = 0
        for piece in pieces {
            switch piece {
            case .text(let text): sql += text
            case .name(let name): sql += dialect.quoted(name)
            case .emptyList(let type): sql += "SELECT CAST(NULL AS \(dialect.storedTypeName(type))) WHERE FALSE"
            case .parameter:
                position += 1
                sql += dialect.placeholder(position)
            }
        }
        var buffer = ParameterBuffer(width: position)
        buffer.cells = parameters.buffer.cells
        buffer.bytes = parameters.buffer.bytes
        return (sql, buffer)
    }

    mutating func append(_ other: SQLFragment) {
        pieces += other.pieces
        let offset = UInt64(parameters.buffer.bytes.count)
        for var cell in other.parameters.buffer.cells {
            if cell.hasBytes { cell.payload += offset }
            parameters.buffer.cells.append(cell)
        }
        parameters.buffer.bytes += other.parameters.buffer.bytes
        failure = failure ?? other.failure
    }

    mutating func bind(_ value: some Storable) {
        pieces.append(.parameter)
        do {
            try value._encode(into: &parameters, .native)
        } catch {
            let sentence = (error as? CellMismatch)?.sentence ?? "was refused by its conversion"
            failure = failure ?? DatabaseError(.invalidValue, "A value bound in SQL \(sentence).")
        }
    }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self.init(unsafe: value) }

    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.fragment }

    /// Collects the literals and values of an interpolated ``SQLFragment``.
    public struct StringInterpolation: StringInterpolationProtocol {
        var fragment = SQLFragment()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { fragment.pieces.append(.text(literal)) }

        /// Binds `value` as a parameter.
        public mutating func appendInterpolation<Value: Storable>(_ value: Value) { fragment.bind(value) }

        /// Binds `value` as a parameter, or NULL.
        public mutating func appendInterpolation<Value: Storable>(_ value: Value?) { fragment.bind(value) }

        /// Binds each of `values`, separated by commas: for `IN (…)`.
        ///
        /// No values give a subquery without rows: nothing is in it, and everything is not.
        public mutating func appendInterpolation<Value: Storable>(_ values: [Value]) {
            if values.isEmpty { fragment.pieces.append(.emptyList(Value._columnType(.native) ?? .text)) }
            for (index, value) in values.enumerated() {
                if index > 0 { fragment.pieces.append(.text(", ")) }
                fragment.bind(value)
            }
        }

        /// The quoted name of the table of `type`.
        public mutating func appendInterpolation<Model: TableObject>(_ type: Model.Type) {
            fragment.pieces.append(.name(Model.ownMapping.description.table))
        }

        /// The quoted names of all columns of the table of `type`, separated by commas.
        ///
        /// - Parameters:
        ///   - type: The type.
        ///   - alias: The name that the statement gives the table, if it gives it one.
        public mutating func appendInterpolation<Model: TableObject>(columns type: Model.Type, of alias: String? = nil)
        {
            for (index, column) in Model.ownMapping.description.columns.columns.enumerated() {
                if index > 0 { fragment.pieces.append(.text(", ")) }
                if let alias { fragment.pieces += [.name(alias), .text(".")] }
                fragment.pieces.append(.name(column.name))
            }
        }

        /// The quoted name of the column that holds a property: `\(column: \Project.name)`.
        ///
        /// - Parameters:
        ///   - property: The property, of which there has to be just one column.
        ///   - alias: The name that the statement gives the table, if it gives it one.
        public mutating func appendInterpolation<Model: TableObject>(
            column property: PartialKeyPath<Model>, of alias: String? = nil
        ) {
            let description = Model.ownMapping.description
            do {
                let index = try description.requiredIndex(of: property)
                let columns = description.columns.columns.filter { $0.property == index }
                guard let column = columns.first, columns.count == 1, !description.properties[index].shape.hasTable
                else {
                    throw DatabaseError(
                        .invalidValue,
                        "\"\(description.properties[index].name)\" of \(description.type) is not kept in one column.",
                        table: description.table, properties: [description.properties[index].name])
                }
                if let alias { fragment.pieces += [.name(alias), .text(".")] }
                fragment.pieces.append(.name(column.name))
            } catch {
                fragment.failure = fragment.failure ?? error as? DatabaseError
            }
        }

        /// Another fragment, with its values.
        public mutating func appendInterpolation(_ other: SQLFragment) { fragment.append(other) }

        /// A name of a table or column, quoted.
        public mutating func appendInterpolation(identifier name: String) { fragment.pieces.append(.name(name)) }

        /// Text that becomes part of the SQL as it is: whoever writes it answers for what is in it.
        public mutating func appendInterpolation(unsafe sql: String) { fragment.pieces.append(.text(sql)) }

        @available(*, unavailable, message: "Only Storable values can be bound in SQL.")
        @_disfavoredOverload
        public mutating func appendInterpolation<Value>(_ value: Value) {}
    }
}
