/// Conditions that are built at run time from the names of properties.
extension Condition {
    /// A comparison of a property with a value.
    public enum Comparison: Sendable {
        /// Equal; nil equals nil.
        case equal
        /// Different; nil differs from every value.
        case notEqual
        /// Less; false if one side is nil.
        case less
        /// Less or equal; false if one side is nil.
        case lessOrEqual
        /// Greater; false if one side is nil.
        case greater
        /// Greater or equal; false if one side is nil.
        case greaterOrEqual

        var comparison: ComparisonOperator {
            switch self {
            case .equal: .equal
            case .notEqual: .notEqual
            case .less: .less
            case .lessOrEqual: .lessOrEqual
            case .greater: .greater
            case .greaterOrEqual: .greaterOrEqual
            }
        }
    }
}

extension ConditionConvertible where Self == Condition {
    /// Compares a property with a value.
    ///
    /// ```swift
    /// .where(.compare("lead.age", .greater, 60))    // WHERE t1."age" > $1
    /// ```
    ///
    /// - Parameters:
    ///   - property: Its name, or a path of names joined by dots. A path through an array tests whether one element
    ///     matches.
    ///   - comparison: The comparison.
    ///   - value: The value, of the property's type or of one that fits it, such as an integer for a Double.
    public static func compare(
        _ property: String, _ comparison: Condition.Comparison, _ value: some Storable & Sendable
    ) -> Condition {
        Condition(.comparison(comparison.comparison, path(property), QueryValue.opening(value)))
    }

    /// Whether a property or a relation is nil.
    ///
    /// ```swift
    /// .where(.isNil("lead"))    // WHERE t0."lead_id" IS NULL
    /// ```
    public static func isNil(_ property: String) -> Condition { Condition(.comparison(.equal, path(property), .null)) }

    /// Whether a property has one of the values.
    ///
    /// ```swift
    /// .where(.isIn("name", ["Apollo", "Gemini"]))
    /// ```
    public static func isIn(_ property: String, _ values: some Sequence<some Storable & Sendable>) -> Condition {
        Condition(.isIn(path(property), values.map { QueryValue.opening($0) }))
    }

    /// Whether a text matches a pattern: see ``QueryExpression/like(_:caseSensitive:)``.
    ///
    /// ```swift
    /// .where(.like("name", "Ap%"))
    /// ```
    public static func like(_ property: String, _ pattern: String, caseSensitive: Bool = false) -> Condition {
        Condition(.like(path(property), pattern: QueryValue.opening(pattern), isCaseSensitive: caseSensitive))
    }

    /// Whether an array contains the value as an element, or a text contains it literally.
    ///
    /// ```swift
    /// .where(.contains("tags", "moon"))
    /// ```
    public static func contains(_ property: String, _ value: some Storable & Sendable) -> Condition {
        Condition(.match(.contains, path(property), QueryValue.opening(value), isCaseSensitive: true))
    }

    private static func path(_ property: String) -> QueryNode {
        .path(QueryPath(named: property))
    }
}
