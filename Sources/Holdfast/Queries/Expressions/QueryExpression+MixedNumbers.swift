/// Refuses to compute with numbers of two types.
///
/// These are deprecated in place of unavailable: the type checker looks on for a solution without what is unavailable,
/// for 15 s where two operators follow each other (decision 0074). The query throws.
extension QueryExpression where Value: NumberValue {
    private static func mixed<Other>(_ left: QueryExpression, _ right: QueryExpression<Other>) -> QueryExpression {
        let error = DatabaseError(
            .invalidValue,
            "A query computes with a number of the type \(Value.self) and one of \(Other.self). Make them one type, by `asDouble` or `asDecimal`, and by `.optional` where the other can be nil."
        )
        return QueryExpression(.failure(error), storage: left.storage, around: Swift.max(left.levels, right.levels))
    }

    /// Refuses to add numbers of two types.
    @available(
        *, deprecated,
        message:
            "Numbers of two types don't add up: write `$0.quantity.asDecimal` or `asDouble`, and `.optional` beside an optional."
    )
    @_disfavoredOverload
    public static func + <Other: NumberValue>(
        left: QueryExpression, right: QueryExpression<Other>
    ) -> QueryExpression { mixed(left, right) }

    /// Refuses to subtract numbers of two types.
    @available(
        *, deprecated,
        message:
            "Numbers of two types are not subtracted: write `$0.quantity.asDecimal` or `asDouble`, and `.optional` beside an optional."
    )
    @_disfavoredOverload
    public static func - <Other: NumberValue>(
        left: QueryExpression, right: QueryExpression<Other>
    ) -> QueryExpression { mixed(left, right) }

    /// Refuses to multiply numbers of two types.
    @available(
        *, deprecated,
        message:
            "Numbers of two types are not multiplied: write `$0.quantity.asDecimal` or `asDouble`, and `.optional` beside an optional."
    )
    @_disfavoredOverload
    public static func * <Other: NumberValue>(
        left: QueryExpression, right: QueryExpression<Other>
    ) -> QueryExpression { mixed(left, right) }

    /// Refuses to divide numbers of two types.
    @available(
        *, deprecated,
        message:
            "Numbers of two types are not divided: write `$0.quantity.asDecimal` or `asDouble`, and `.optional` beside an optional."
    )
    @_disfavoredOverload
    public static func / <Other: NumberValue>(
        left: QueryExpression, right: QueryExpression<Other>
    ) -> QueryExpression { mixed(left, right) }
}
