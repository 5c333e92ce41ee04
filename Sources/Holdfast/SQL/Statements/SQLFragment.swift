/// A piece of SQL with its values: interpolated values become bound parameters, never text.
///
/// ```swift
/// let fragment: SQLFragment = "SELECT name FROM \(Project.self) WHERE status = \(status)"
/// // SELECT name FROM "project" WHERE status = ?      (SQLite)
/// // SELECT name FROM "project" WHERE status = $1     (PostgreSQL)
/// ```
///
/// Only literals become text; anything else needs `unsafe`.
public struct SQLFragment: Sendable {
    enum Piece: Sendable {
        case text(String)
        case name(String)
        case table(TableName)
        case parameter
        /// A list without values, of a type.
        case emptyList(ColumnType)
    }

    var pieces: [Piece] = []
    var parameters = CellEncoder(width: 0)
    /// The first interpolated value that can't be stored.
    var failure: DatabaseError?

    /// Creates SQL from a string that is not a literal.
    ///
    /// Make sure that it contains no input.
    ///
    /// ```swift
    /// let fragment = SQLFragment(unsafe: try String(contentsOfFile: "report.sql", encoding: .utf8))
    /// ```
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
            case .table(let name): sql += dialect.quoted(name)
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

        /// Binds a value as a parameter.
        ///
        /// ```swift
        /// "WHERE budget > \(limit)"    // WHERE budget > $1
        /// ```
        public mutating func appendInterpolation<Value: Storable>(_ value: Value) { fragment.bind(value) }

        /// Binds a value as a parameter, or NULL.
        ///
        /// ```swift
        /// "SET note = \(note)"    // SET note = $1
        /// ```
        public mutating func appendInterpolation<Value: Storable>(_ value: Value?) { fragment.bind(value) }

        /// Binds each value, separated by commas, for `IN (…)`.
        ///
        /// ```swift
        /// "WHERE city IN (\(cities))"    // WHERE city IN ($1, $2)
        /// ```
        ///
        /// An empty array becomes a subquery without rows, so `IN` is false and `NOT IN` true.
        public mutating func appendInterpolation<Value: Storable>(_ values: [Value]) {
            if values.isEmpty { fragment.pieces.append(.emptyList(Value._columnType(.native) ?? .text)) }
            for (index, value) in values.enumerated() {
                if index > 0 { fragment.pieces.append(.text(", ")) }
                fragment.bind(value)
            }
        }

        /// Inserts the quoted name of a type's table.
        ///
        /// ```swift
        /// "SELECT count(*) FROM \(Project.self)"    // SELECT count(*) FROM "project"
        /// ```
        public mutating func appendInterpolation<Model: TableObject>(_ type: Model.Type) {
            fragment.pieces.append(.table(Model.ownMapping.description.tableName))
        }

        /// Inserts the quoted names of all columns of a type's table, separated by commas.
        ///
        /// ```swift
        /// "SELECT \(columns: Project.self, of: "p") FROM \(Project.self) AS p"    // SELECT "p"."id", "p"."name" …
        /// ```
        ///
        /// - Parameters:
        ///   - type: The type.
        ///   - alias: The alias of the table in the statement, if it has one.
        public mutating func appendInterpolation<Model: TableObject>(columns type: Model.Type, of alias: String? = nil)
        {
            for (index, column) in Model.ownMapping.description.columns.all.enumerated() {
                if index > 0 { fragment.pieces.append(.text(", ")) }
                if let alias { fragment.pieces += [.name(alias), .text(".")] }
                fragment.pieces.append(.name(column.name))
            }
        }

        /// Inserts the quoted name of a property's column.
        ///
        /// ```swift
        /// "ORDER BY \(column: \Project.startDate)"    // ORDER BY "start_date"
        /// ```
        ///
        /// - Parameters:
        ///   - property: The property, which must have exactly one column.
        ///   - alias: The alias of the table in the statement, if it has one.
        public mutating func appendInterpolation<Model: TableObject>(
            column property: PartialKeyPath<Model>, of alias: String? = nil
        ) {
            let description = Model.ownMapping.description
            do {
                let index = try description.requiredIndex(of: property)
                let columns = description.columns.all.filter { $0.property == index }
                guard let column = columns.first, columns.count == 1, !description.properties[index].shape.hasTable
                else {
                    throw DatabaseError(
                        .invalidValue,
                        "\"\(description.properties[index].name)\" of \(description.type) is not stored in one column.",
                        table: description.table, properties: [description.properties[index].name])
                }
                if let alias { fragment.pieces += [.name(alias), .text(".")] }
                fragment.pieces.append(.name(column.name))
            } catch {
                fragment.failure = fragment.failure ?? error as? DatabaseError
            }
        }

        /// Inserts another fragment with its values.
        ///
        /// ```swift
        /// let isRich: SQLFragment = "budget > \(1_000)"
        /// let fragment: SQLFragment = "SELECT name FROM project WHERE \(isRich)"
        /// ```
        public mutating func appendInterpolation(_ other: SQLFragment) { fragment.append(other) }

        /// Inserts a quoted name of a table or column.
        ///
        /// ```swift
        /// "ORDER BY \(identifier: name)"    // ORDER BY "name"
        /// ```
        public mutating func appendInterpolation(identifier name: String) { fragment.pieces.append(.name(name)) }

        /// Inserts text into the SQL, unchecked.
        ///
        /// Make sure that it contains no input.
        ///
        /// ```swift
        /// "ORDER BY name \(unsafe: isAscending ? "ASC" : "DESC")"
        /// ```
        public mutating func appendInterpolation(unsafe sql: String) { fragment.pieces.append(.text(sql)) }

        @available(*, unavailable, message: "Only Storable values can be bound in SQL.")
        @_disfavoredOverload
        public mutating func appendInterpolation<Value>(_ value: Value) {}
    }
}
