/// A value in each row of a query: a property, or an expression computed from properties.
///
/// ```swift
/// .where { $0.budget * 2 > 1_000 }
/// ```
///
/// You get one by naming a property in a query's closure, and from operators and methods of other expressions.
/// Comparing two values returns a ``Condition``.
public struct QueryExpression<Value>: Sendable {
    let node: QueryNode
    /// The storage in which values are encoded for comparison with it.
    let storage: ValueStorage
    /// The number of nested levels of computation.
    let levels: Int

    /// - Parameter inner: The levels of the deepest expression in it; nil where it is not computed of others.
    init(_ node: QueryNode, storage: ValueStorage = .native, around inner: Int? = nil) {
        (self.node, levels) = QueryNode.bounded(node, around: inner)
        self.storage = storage
    }
}

/// Whether a property has a value; what else it is compared with is in `QueryExpression+Comparisons.swift`.
///
/// Equality is Swift's: nil equals nil and differs from every value. `<` and its like are false if one side is nil.
/// Text is compared by Unicode code point.
extension QueryExpression where Value: Storable {
    func value(_ value: Value) -> QueryNode { QueryValue.encoding(value, storage) }

    /// Compares a property with a value; nil equals nil.
    ///
    /// ```swift
    /// .where { $0.name == "Apollo" }    // WHERE t0."name" = $1
    /// ```
    public static func == (left: QueryExpression, right: Value) -> Condition {
        Condition(.comparison(.equal, left.node, left.value(right)))
    }

    /// Compares a property with a value; nil differs from every value.
    ///
    /// ```swift
    /// .where { $0.name != "Apollo" }    // also true if the name is NULL
    /// ```
    public static func != (left: QueryExpression, right: Value) -> Condition {
        Condition(.comparison(.notEqual, left.node, left.value(right)))
    }
}

extension QueryExpression {
    /// Whether the value is nil.
    ///
    /// ```swift
    /// .where { $0.endDate == nil }    // WHERE t0."end_date" IS NULL
    /// ```
    public static func == (expression: QueryExpression, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.equal, expression.node, .null))
    }

    /// Whether the value is not nil.
    ///
    /// ```swift
    /// .where { $0.endDate != nil }    // WHERE t0."end_date" IS NOT NULL
    /// ```
    public static func != (expression: QueryExpression, none: _OptionalNilComparisonType) -> Condition {
        Condition(.comparison(.notEqual, expression.node, .null))
    }
}
