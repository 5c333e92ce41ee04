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

/// Comparisons with a value and with another property.
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

extension QueryExpression where Value: Storable {
    /// Whether the property is less than the value; false if it is nil.
    ///
    /// ```swift
    /// .where { $0.budget < 1_000 }    // WHERE t0."budget" < $1
    /// ```
    public static func < (left: QueryExpression, right: Value) -> Condition {
        Condition(.comparison(.less, left.node, left.value(right)))
    }

    /// Whether the property is less than or equal to the value; false if it is nil.
    public static func <= (left: QueryExpression, right: Value) -> Condition {
        Condition(.comparison(.lessOrEqual, left.node, left.value(right)))
    }

    /// Whether the property is greater than the value; false if it is nil.
    ///
    /// ```swift
    /// .where { $0.budget > 1_000 }    // WHERE t0."budget" > $1
    /// ```
    public static func > (left: QueryExpression, right: Value) -> Condition {
        Condition(.comparison(.greater, left.node, left.value(right)))
    }

    /// Whether the property is greater than or equal to the value; false if it is nil.
    public static func >= (left: QueryExpression, right: Value) -> Condition {
        Condition(.comparison(.greaterOrEqual, left.node, left.value(right)))
    }

    /// Compares a value with a property; nil equals nil.
    @_disfavoredOverload
    public static func == (left: Value, right: QueryExpression) -> Condition { right == left }
    /// Compares a value with a property; nil differs from every value.
    @_disfavoredOverload
    public static func != (left: Value, right: QueryExpression) -> Condition { right != left }
    /// Whether the value is less than the property; false if that is nil.
    @_disfavoredOverload
    public static func < (left: Value, right: QueryExpression) -> Condition { right > left }
    /// Whether the value is less than or equal to the property; false if that is nil.
    @_disfavoredOverload
    public static func <= (left: Value, right: QueryExpression) -> Condition { right >= left }
    /// Whether the value is greater than the property; false if that is nil.
    @_disfavoredOverload
    public static func > (left: Value, right: QueryExpression) -> Condition { right < left }
    /// Whether the value is greater than or equal to the property; false if that is nil.
    @_disfavoredOverload
    public static func >= (left: Value, right: QueryExpression) -> Condition { right <= left }

    /// Compares two properties; nil equals nil.
    ///
    /// ```swift
    /// .where { $0.city == $0.birthplace }    // IS NOT DISTINCT FROM on PostgreSQL, IS on SQLite
    /// ```
    public static func == (left: QueryExpression, right: QueryExpression) -> Condition {
        Condition(.comparison(.equal, left.node, right.node))
    }

    /// Compares two properties; nil differs from every value.
    public static func != (left: QueryExpression, right: QueryExpression) -> Condition {
        Condition(.comparison(.notEqual, left.node, right.node))
    }

    /// Whether the left property is less than the right one; false if one is nil.
    ///
    /// ```swift
    /// .where { $0.start < $0.end }    // WHERE t0."start" < t0."end"
    /// ```
    public static func < (left: QueryExpression, right: QueryExpression) -> Condition {
        Condition(.comparison(.less, left.node, right.node))
    }

    /// Whether the left property is less than or equal to the right one; false if one is nil.
    public static func <= (left: QueryExpression, right: QueryExpression) -> Condition {
        Condition(.comparison(.lessOrEqual, left.node, right.node))
    }

    /// Whether the left property is greater than the right one; false if one is nil.
    public static func > (left: QueryExpression, right: QueryExpression) -> Condition {
        Condition(.comparison(.greater, left.node, right.node))
    }

    /// Whether the left property is greater than or equal to the right one; false if one is nil.
    public static func >= (left: QueryExpression, right: QueryExpression) -> Condition {
        Condition(.comparison(.greaterOrEqual, left.node, right.node))
    }
}

extension Ordering {
    init(_ node: QueryNode, isDescending: Bool) { self.init(.expression(node), isDescending: isDescending) }

    /// What objects are ordered by, as a part of a query.
    var node: QueryNode {
        switch criterion {
        case .property(let path): .path(QueryPath(named: path))
        case .keyPath: keyPathNode
        // Nothing else is made into one.
        case .expression(let node): node as? QueryNode ?? .null
        }
    }
}

extension QueryExpression {
    /// The ascending order of the value.
    ///
    /// ```swift
    /// .order { [$0.name.ascending] }    // ORDER BY t0."name" COLLATE "C"
    /// ```
    public var ascending: Ordering { Ordering(node, isDescending: false) }

    /// The descending order of the value.
    ///
    /// ```swift
    /// .order { [$0.budget.descending] }    // ORDER BY t0."budget" DESC
    /// ```
    public var descending: Ordering { Ordering(node, isDescending: true) }
}

extension Columns {
    /// The ascending order of the object's key.
    public var ascending: Ordering { Ordering(node, isDescending: false) }

    /// The descending order of the object's key.
    public var descending: Ordering { Ordering(node, isDescending: true) }
}
