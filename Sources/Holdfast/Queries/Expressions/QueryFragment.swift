/// A piece of your own SQL in a query: columns are named by expressions or key paths, and values are bound.
///
/// ```swift
/// .where(sql: "\(\Person.profile) ->> 'city' = \(city)")
/// // WHERE (t0."profile" ->> 'city' = $1)
/// .where { $0.age >= 18 && Condition.sql("\($0.name) ~ \(pattern)") }
/// .order { QueryExpression<Int>.sql("length(\($0.name))").descending }
/// ```
///
/// The text is the engine's: what it means on another engine is for you to see to. Only literals become text; anything
/// else is a column or a parameter. On SQLite, a `?` in the text would be a parameter, so write none.
public struct QueryFragment: Sendable {
    enum Piece: Sendable {
        case text(String)
        case expression(QueryNode)
        /// A property of a type.
        case property(TableDescription, String)
        case value(ParameterBuffer)
        /// A list without values, of a type.
        case emptyList(ColumnType)
        /// The name of a function, and of the schema before it.
        case function([String])
        /// What a function is called with.
        case argument(QueryNode)
    }

    private(set) var pieces: [Piece] = []
    /// The first part that can't be written.
    private(set) var failure: DatabaseError?

    /// The columns and expressions in it.
    var expressions: [QueryNode] {
        pieces.compactMap { piece in
            switch piece {
            case .expression(let node), .argument(let node): node
            case .text, .property, .value, .emptyList, .function: nil
            }
        }
    }

    /// Creates SQL from a string that is not a literal.
    ///
    /// Make sure that it contains no input.
    public init(unsafe sql: String) { pieces = [.text(sql)] }

    private init() {}

    /// The call of a function with values that were written as text.
    static func calling(_ name: [String], of arguments: [QueryNode]) -> QueryFragment {
        calling(
            name,
            arguments.map { argument in
                var fragment = QueryFragment()
                fragment.pieces = [.expression(argument)]
                return fragment
            })
    }

    /// The call of a function.
    static func calling(_ name: [String], _ arguments: [QueryFragment]) -> QueryFragment {
        var call = QueryFragment()
        call.pieces = [.function(name), .text("(")]
        for (index, argument) in arguments.enumerated() {
            if index > 0 { call.pieces.append(.text(", ")) }
            call.pieces += argument.pieces.compactMap { piece in
                switch piece {
                case .expression(let node): .argument(node)
                case .text(""): nil
                case .text, .property, .value, .emptyList, .function, .argument: piece
                }
            }
            call.failure = call.failure ?? argument.failure
        }
        call.pieces.append(.text(")"))
        return call
    }
}

extension QueryFragment: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self.init(unsafe: value) }

    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

    /// Collects the parts of an interpolated ``QueryFragment``.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql = QueryFragment()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { sql.pieces.append(.text(literal)) }

        /// Writes a property, or what is computed from properties.
        ///
        /// ```swift
        /// .where { Condition.sql("\($0.lead.lastName) ILIKE \(pattern)") }    // t1."last_name" ILIKE $1
        /// ```
        public mutating func appendInterpolation<Value>(_ expression: QueryExpression<Value>) {
            sql.pieces.append(.expression(expression.node))
        }

        /// Writes the column of a property of the queried type.
        ///
        /// ```swift
        /// .where(sql: "\(\Person.name) ILIKE \(pattern)")    // t0."name" ILIKE $1
        /// ```
        public mutating func appendInterpolation<Model: TableObject, Value>(_ property: KeyPath<Model, Value>) {
            do {
                let description = Model.ownDescription
                let index = try description.requiredIndex(of: property)
                sql.pieces.append(.property(description, description.properties[index].name))
            } catch {
                sql.failure = sql.failure ?? error as? DatabaseError
            }
        }

        /// Binds a value as a parameter.
        public mutating func appendInterpolation<Value: Storable>(_ value: Value) { bind(value) }

        /// Binds a value as a parameter, or NULL.
        public mutating func appendInterpolation<Value: Storable>(_ value: Value?) { bind(value) }

        /// Binds each value, separated by commas, for `IN (…)`; none for an empty array, in which nothing is.
        public mutating func appendInterpolation<Value: Storable>(_ values: [Value]) {
            if values.isEmpty { sql.pieces.append(.emptyList(Value._columnType(.native) ?? .text)) }
            for (index, value) in values.enumerated() {
                if index > 0 { sql.pieces.append(.text(", ")) }
                bind(value)
            }
        }

        private mutating func bind(_ value: some Storable) {
            var encoder = CellEncoder(width: 1)
            do {
                try value._encode(into: &encoder, .native)
                sql.pieces.append(.value(encoder.buffer))
            } catch {
                let sentence = (error as? CellMismatch)?.sentence ?? "was refused by its conversion"
                sql.failure = sql.failure ?? DatabaseError(.invalidValue, "A value bound in SQL \(sentence).")
            }
        }
    }
}

// Of the protocol, so that `.sql("…")` is found where a closure returns any condition.
extension ConditionConvertible where Self == Condition {
    /// A condition in your own SQL; unknown counts as false, also where it is negated.
    ///
    /// ```swift
    /// .where { $0.isOpen == true && !Condition.sql("\($0.name) ~ \(pattern)") }
    /// ```
    public static func sql(_ sql: QueryFragment) -> Condition { Condition(.sql(sql, nil)) }
}

extension QueryExpression where Value: Storable {
    /// A value in your own SQL, to be compared, ordered by, or selected.
    ///
    /// ```swift
    /// let lengths = try await db.query(Person.self).select { QueryExpression<Int>.sql("length(\($0.name))") }.fetch()
    /// ```
    ///
    /// It is a value of each row. SQL that computes one value of all rows, such as `max(…)`, is ``aggregate(sql:)``:
    /// here, the query would order its one row by the key of a row, which PostgreSQL refuses.
    ///
    /// The engine has to return what a column of the type holds: on SQLite, a `Date` is an integer of microseconds, a
    /// `UUID` a blob of 16 bytes, and a `Decimal` a text.
    public static func sql(_ sql: QueryFragment) -> QueryExpression {
        QueryExpression(.sql(sql, Value._columnType(.native) ?? .text))
    }
}
