/// A type whose values can be nil: the optionals of ``Storable`` types.
public protocol OptionalValue: Storable {}

extension Optional: OptionalValue where Wrapped: Storable {}

extension QueryExpression where Value: Storable {
    /// The value as an optional, for comparisons with optional values, and for values behind optional relations.
    ///
    /// ```swift
    /// .select { ($0.name, $0.lead.lastName.optional) }
    /// ```
    public var optional: QueryExpression<Value?> {
        QueryExpression<Value?>(node, storage: storage, around: levels)
    }

    /// Whether the value is one of `values`, which are bound as one list of any length.
    ///
    /// ```swift
    /// .where { $0.status.in([.planned, .running]) }
    /// ```
    // A range of integers is a sequence, too; as a range, it is two comparisons, and may have no end.
    @_disfavoredOverload
    public func `in`(_ values: some Sequence<Value>) -> Condition {
        Condition(.isInList(node, QueryValueList(values, storage)))
    }
}

extension QueryExpression {
    /// Whether the optional value is one of `values`; false for nil.
    @_disfavoredOverload
    public func `in`<Wrapped: Storable>(_ values: some Sequence<Wrapped>) -> Condition where Value == Wrapped? {
        Condition(.isInList(node, QueryValueList(values, storage)))
    }

    /// Returns the value, or another one if it is nil.
    ///
    /// ```swift
    /// .where { ($0.priority ?? 0) > 3 }    // coalesce(t0."priority", $1) > $2
    /// ```
    public static func ?? <Wrapped: Storable>(
        left: QueryExpression, right: Wrapped
    ) -> QueryExpression<Wrapped> where Value == Wrapped? {
        QueryExpression<Wrapped>(
            .coalesce(left.node, QueryValue.encoding(right, left.storage)), storage: left.storage,
            around: left.levels)
    }

    /// Returns the value, or that of another property if it is nil.
    public static func ?? <Wrapped: Storable>(
        left: QueryExpression, right: QueryExpression<Wrapped>
    ) -> QueryExpression<Wrapped> where Value == Wrapped? {
        QueryExpression<Wrapped>(
            .coalesce(left.node, right.node), storage: left.storage, around: Swift.max(left.levels, right.levels))
    }

    /// Returns the value, or that of another property if it is nil; nil if both are.
    ///
    /// ```swift
    /// .select { $0.nickname ?? $0.firstName }    // coalesce(t0."nickname", t0."first_name")
    /// ```
    public static func ?? <Wrapped: Storable>(
        left: QueryExpression, right: QueryExpression
    ) -> QueryExpression where Value == Wrapped? {
        QueryExpression(
            .coalesce(left.node, right.node), storage: left.storage, around: Swift.max(left.levels, right.levels))
    }
}
