public import Foundation

// Comparisons and computations that there are not, each with a sentence about what to write. They are found only where
// the type checker has found nothing else, and end its search there: see decision 0074.

/// Refuses the raw value of an enum.
extension QueryExpression where Value: Storable & RawRepresentable {
    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func == (left: QueryExpression, right: Value.RawValue) -> Condition { .never }

    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func != (left: QueryExpression, right: Value.RawValue) -> Condition { .never }

    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func < (left: QueryExpression, right: Value.RawValue) -> Condition { .never }

    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func <= (left: QueryExpression, right: Value.RawValue) -> Condition { .never }

    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func > (left: QueryExpression, right: Value.RawValue) -> Condition { .never }

    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func >= (left: QueryExpression, right: Value.RawValue) -> Condition { .never }
}

/// Refuses the raw value of an enum for an optional of one.
extension QueryExpression {
    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func == <Wrapped: Storable & RawRepresentable>(
        left: QueryExpression, right: Wrapped.RawValue
    ) -> Condition where Value == Wrapped? { .never }

    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func != <Wrapped: Storable & RawRepresentable>(
        left: QueryExpression, right: Wrapped.RawValue
    ) -> Condition where Value == Wrapped? { .never }

    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func < <Wrapped: Storable & RawRepresentable>(
        left: QueryExpression, right: Wrapped.RawValue
    ) -> Condition where Value == Wrapped? { .never }

    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func <= <Wrapped: Storable & RawRepresentable>(
        left: QueryExpression, right: Wrapped.RawValue
    ) -> Condition where Value == Wrapped? { .never }

    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func > <Wrapped: Storable & RawRepresentable>(
        left: QueryExpression, right: Wrapped.RawValue
    ) -> Condition where Value == Wrapped? { .never }

    @available(
        *, unavailable,
        message:
            "An enum is compared with one of its cases, as in `$0.status == .open`, not with a raw value. From a text: `Status(rawValue: text)`."
    )
    public static func >= <Wrapped: Storable & RawRepresentable>(
        left: QueryExpression, right: Wrapped.RawValue
    ) -> Condition where Value == Wrapped? { .never }
}

/// Refuses what is neither a value of the property's type nor a property of it.
extension QueryExpression {
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "A property is compared with a value of its own type, or with a property of that type. If one of them is an optional, write `.optional` after the other: `$0.start.optional == $0.end`."
    )
    public static func == <Other>(left: QueryExpression, right: Other) -> Condition { .never }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "A property is compared with a value of its own type, or with a property of that type. If one of them is an optional, write `.optional` after the other: `$0.start.optional == $0.end`."
    )
    public static func != <Other>(left: QueryExpression, right: Other) -> Condition { .never }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "A property is compared with a value of its own type, or with a property of that type. If one of them is an optional, write `.optional` after the other: `$0.start.optional == $0.end`."
    )
    public static func < <Other>(left: QueryExpression, right: Other) -> Condition { .never }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "A property is compared with a value of its own type, or with a property of that type. If one of them is an optional, write `.optional` after the other: `$0.start.optional == $0.end`."
    )
    public static func <= <Other>(left: QueryExpression, right: Other) -> Condition { .never }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "A property is compared with a value of its own type, or with a property of that type. If one of them is an optional, write `.optional` after the other: `$0.start.optional == $0.end`."
    )
    public static func > <Other>(left: QueryExpression, right: Other) -> Condition { .never }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "A property is compared with a value of its own type, or with a property of that type. If one of them is an optional, write `.optional` after the other: `$0.start.optional == $0.end`."
    )
    public static func >= <Other>(left: QueryExpression, right: Other) -> Condition { .never }
}

/// Refuses arithmetic with dates, which the engines keep differently.
extension QueryExpression where Value: DateValue {
    @available(
        *, unavailable,
        message:
            "There is no difference of dates in a query. Compare with a date that is computed in Swift, as in `$0.closedAt > Date.now - 3600`, keep the difference in a property, or write the condition in SQL: `Condition.sql(…)`."
    )
    public static func - <Other>(left: QueryExpression, right: Other) -> QueryExpression<Double?> {
        QueryExpression<Double?>(left.node)
    }

    @available(
        *, unavailable,
        message:
            "There is no difference of dates in a query. Compare with a date that is computed in Swift, as in `$0.closedAt > Date.now - 3600`, keep the difference in a property, or write the condition in SQL: `Condition.sql(…)`."
    )
    public static func - (left: Date, right: QueryExpression) -> QueryExpression<Double?> {
        QueryExpression<Double?>(right.node)
    }

    @available(
        *, unavailable,
        message:
            "A query adds nothing to a date. Add it in Swift to the date that it is compared with, as in `$0.closedAt > Date.now - 3600`, or write the condition in SQL: `Condition.sql(…)`."
    )
    public static func + (left: QueryExpression, right: TimeInterval) -> QueryExpression { left }
}

/// Refuses what is no object of the relation.
extension Columns {
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "A relation is compared with an object of its type, or with nil. To compare its key, write `$0.customer.hasKey(7)`."
    )
    public static func == <Other>(left: Columns, right: Other) -> Condition { .never }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "A relation is compared with an object of its type, or with nil. To compare its key, write `$0.customer.hasKey(7)`."
    )
    public static func != <Other>(left: Columns, right: Other) -> Condition { .never }
}

/// Refuses to compare an array.
extension ValueArrayColumn {
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "An array is only compared with nil. Ask about its elements, as in `$0.tags.contains(\"x\")`, or about `isEmpty` or `count`."
    )
    public static func == <Other>(left: ValueArrayColumn, right: Other) -> Condition { .never }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "An array is only compared with nil. Ask about its elements, as in `$0.tags.contains(\"x\")`, or about `isEmpty` or `count`."
    )
    public static func != <Other>(left: ValueArrayColumn, right: Other) -> Condition { .never }
}

/// Refuses to compare an array.
extension ObjectArrayColumn {
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "An array is only compared with nil. Ask about its elements, as in `$0.tags.contains(\"x\")`, or about `isEmpty` or `count`."
    )
    public static func == <Other>(left: ObjectArrayColumn, right: Other) -> Condition { .never }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "An array is only compared with nil. Ask about its elements, as in `$0.tags.contains(\"x\")`, or about `isEmpty` or `count`."
    )
    public static func != <Other>(left: ObjectArrayColumn, right: Other) -> Condition { .never }
}
