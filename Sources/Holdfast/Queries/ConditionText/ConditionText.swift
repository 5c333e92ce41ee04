/// The text of a condition, with the values that belong to it: never spliced, always bound.
struct ConditionText: Sendable {
    enum Piece: Sendable {
        case text(String)
        case operand(QueryNode)
        /// Values in a list, for `IN`.
        case operands([QueryNode])
        /// A condition of its own, as if in parentheses.
        case condition(QueryNode)
        /// A function of the program's own, by the parts of its name, and the type of what it computes.
        case function([String], ColumnType)
    }

    var pieces: [Piece] = []
    /// The functions of the program's own that it can name, and the types of what they compute.
    var functions: [String: ColumnType] = [:]
    /// The levels of the deepest condition among the pieces; nil where there is none.
    var levels: Int?
}

/// Condition text: comparisons of properties with values, joined by AND and OR.
///
/// ```swift
/// let grownUp: Condition = "age >= \(18) AND lastName LIKE \(pattern)"
/// ```
///
/// - Comparisons: `=` (or `==`), `<>` (or `!=`), `<`, `<=`, `>`, `>=`, `[NOT] LIKE`, `[NOT] IN (…)`,
///   `[NOT] BETWEEN … AND …`, `IS [NOT] NULL`, `IS [NOT] EMPTY` of arrays, `[NOT] CONTAINS` of arrays and texts.
/// - Joined by `AND`, `OR`, `NOT` and parentheses, arithmetic by `+ - * / %`, bits of integers by `& | << >>`, texts by
///   `||`.
/// - Functions: `lower`, `upper`, `trim`, `length` of texts, `count` of arrays, `coalesce(priority, 0)` of values, and
///   those of numbers, texts and dates that closures have. A ``DatabaseFunction`` is called where it is interpolated:
///   `"\(similarity)(name, 'Smith') > 0.3"`; see also ``init(parsing:calling:)``.
/// - Choices: `CASE WHEN total > 100 THEN 'big' ELSE 'small' END = 'big'`. Integers as texts, and texts as the integers
///   that they write: `CAST(number AS TEXT)`, `CAST(houseNumber AS INTEGER)`.
/// - Values: interpolated ones, which are bound; `12`, `-1.5`, `'text'` (a quote in it doubled), `TRUE`, `FALSE`,
///   `NULL`.
/// - Properties by their Swift names, also along relations: `lead.lastName`. Put a name that is also a word of the
///   grammar in double quotes. A path through an array tests whether one element matches: `meetings.minutes > 60`.
/// - Values inside properties that are kept as JSON, by names and positions: `profile.orders[0].sku = 'x'`. What is
///   compared is a value of the type of the other side, as ``QueryExpression/json(_:as:)`` has it; numbers are ordered
///   as numbers, and a whole number equals no other. `IS NULL` is where there is nothing, or `null`; `CONTAINS` asks
///   for an element of an array.
///
/// Words of the grammar can be in any case. Nothing in an interpolated value can become part of the text. A text that
/// can't be read, or names an unknown property, throws ``DatabaseError/Code/syntax`` when the query runs, with the
/// position of what is wrong: a value counts as one character.
extension Condition: ExpressibleByStringInterpolation {
    /// Creates a condition from text that is not a literal in the program, such as text from a settings file.
    ///
    /// It can ask for any property of the model; what comes from outside belongs in an interpolated value instead.
    public init(parsing text: String) { self.init(.text(ConditionText(pieces: [.text(text)]))) }

    public init(stringLiteral text: String) { self.init(parsing: text) }

    public init(stringInterpolation: StringInterpolation) {
        self.init(.text(stringInterpolation.text), around: stringInterpolation.text.levels)
    }

    /// Collects the literals and values of condition text.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ConditionText()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { text.pieces.append(.text(literal)) }

        /// Binds a value.
        public mutating func appendInterpolation(_ value: some Storable & Sendable) {
            text.pieces.append(.operand(QueryValue.opening(value)))
        }

        /// Binds a value, or NULL.
        public mutating func appendInterpolation<Value: Storable & Sendable>(_ value: Value?) {
            text.pieces.append(.operand(value.map { QueryValue.opening($0) } ?? .null))
        }

        /// Binds each of the values: for `IN`, with or without parentheses around.
        public mutating func appendInterpolation(_ values: [some Storable & Sendable]) {
            text.pieces.append(.operands(values.map { QueryValue.opening($0) }))
        }

        /// Binds the key of an object.
        public mutating func appendInterpolation<Model: TableObject>(_ object: Model) {
            text.pieces.append(.operand(.key(of: object)))
        }

        /// Binds a key.
        public mutating func appendInterpolation(_ key: Key) { text.pieces.append(.operand(.key(key))) }

        /// Another condition, as if in parentheses.
        public mutating func appendInterpolation(_ condition: Condition) {
            text.pieces.append(.condition(condition.node))
            text.levels = max(text.levels ?? 0, condition.levels)
        }

        @available(*, unavailable, message: "Only Storable values that are Sendable can be bound in a condition.")
        @_disfavoredOverload
        public mutating func appendInterpolation<Value>(_ value: Value) {}
    }
}

/// Conditions in an array: joined by AND, or by what stands between them.
///
/// ```swift
/// ["age > \(18)", "name LIKE \(pattern)"]              // both
/// ["age > \(18)", "OR", "name LIKE \(pattern)"]        // one of them
/// [["age > \(18)", "OR", "isMarried"], "name <> 'x'"]  // mixed, by nesting
/// ```
///
/// One array is joined in one way: a word in it, `AND` or `OR`, says so for all of its conditions.
extension Condition: ExpressibleByArrayLiteral {
    public init(arrayLiteral conditions: Condition...) { self.init(joining: conditions) }

    /// Joins conditions, as an array literal does.
    public init(joining conditions: [Condition]) {
        var words: Set<String> = []
        var parts: [Condition] = []
        for condition in conditions {
            if let word = condition.joiningWord { words.insert(word) } else { parts.append(condition) }
        }
        switch words {
        case [], ["AND"]: self = .all(parts)
        case ["OR"]: self = .any(parts)
        default:
            self.init(
                .failure(
                    DatabaseError(
                        .syntax,
                        "An array of conditions has both AND and OR, so that what belongs together is unclear. Put one part in an array of its own."
                    )))
        }
    }

    /// The word, if the condition is no more than one that joins others.
    private var joiningWord: String? {
        guard case .text(let text) = node, text.pieces.count == 1, case .text(let word) = text.pieces[0] else {
            return nil
        }
        let upper = word.uppercased().filter { !$0.isWhitespace }
        return upper == "AND" || upper == "OR" ? upper : nil
    }
}
