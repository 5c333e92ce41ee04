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

/// Refuses to add and subtract what is no date.
extension QueryExpression where Value: DateValue {
    @available(
        *, unavailable,
        message:
            "From a date in a query, only another one is subtracted. For the date some time before it, write `$0.closedAt.adding(.seconds(-3600))`; for the seconds since a date that you have, `-$0.closedAt.seconds(until: date)`."
    )
    public static func - (left: QueryExpression, right: TimeInterval) -> QueryExpression<Double?> {
        QueryExpression<Double?>(left.node)
    }

    @available(
        *, unavailable,
        message:
            "From a date in a query, only another one is subtracted. For the date some time before it, write `$0.closedAt.adding(.seconds(-3600))`; for the seconds since a date that you have, `-$0.closedAt.seconds(until: date)`."
    )
    public static func - (left: QueryExpression, right: Date) -> QueryExpression<Double?> {
        QueryExpression<Double?>(left.node)
    }

    @available(
        *, unavailable,
        message:
            "For the seconds from a date in a query to one that you have, write `$0.closedAt.seconds(until: date)`."
    )
    public static func - (left: Date, right: QueryExpression) -> QueryExpression<Double?> {
        QueryExpression<Double?>(right.node)
    }

    @available(
        *, unavailable,
        message: "To add a time to a date in a query, write `$0.closedAt.adding(.seconds(3600))`."
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
