/// Comparisons by order, and of two properties.
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
