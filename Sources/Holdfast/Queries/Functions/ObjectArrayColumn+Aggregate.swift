/// Functions of the elements.
extension ObjectArrayColumn {
    /// The sum of a value of the elements, or of those that meet a condition; 0 if there are none.
    ///
    /// ```swift
    /// .where { $0.entries.sum { $0.minutes } where: { $0.isPaid == true } > 60 }
    /// // (SELECT COALESCE(sum(t1."minutes"), 0) FROM "entry" AS t1 WHERE t1."ticket_id" = t0."id" AND (…)) > $1
    /// ```
    public func sum<Value: NumberValue>(
        _ value: (Columns<Target>) -> QueryExpression<Value>,
        where condition: ((Columns<Target>) -> Condition)? = nil
    ) -> QueryExpression<Value.SumValue> {
        aggregate(.sum, value, condition)
    }

    /// The average of a value of the elements, or of those that meet a condition; nil if there are none.
    public func average<Value: NumberValue>(
        _ value: (Columns<Target>) -> QueryExpression<Value>,
        where condition: ((Columns<Target>) -> Condition)? = nil
    ) -> QueryExpression<Value.AverageValue?> {
        aggregate(.average, value, condition)
    }

    /// The minimum of a value of the elements, or of those that meet a condition; nil if there are none.
    public func min<Value: Storable>(
        _ value: (Columns<Target>) -> QueryExpression<Value>,
        where condition: ((Columns<Target>) -> Condition)? = nil
    ) -> QueryExpression<Value?> {
        aggregate(.minimum, value, condition)
    }

    /// The minimum of an optional value of the elements, or of those that meet a condition; nil if none has one.
    public func min<Value: Storable>(
        _ value: (Columns<Target>) -> QueryExpression<Value?>,
        where condition: ((Columns<Target>) -> Condition)? = nil
    ) -> QueryExpression<Value?> {
        aggregate(.minimum, value, condition)
    }

    /// The maximum of a value of the elements, or of those that meet a condition; nil if there are none.
    ///
    /// ```swift
    /// .select { ($0.name, $0.messages.max { $0.at }) }
    /// // (SELECT max(t1."at") FROM "message" AS t1 WHERE t1."chat_id" = t0."id")
    /// ```
    public func max<Value: Storable>(
        _ value: (Columns<Target>) -> QueryExpression<Value>,
        where condition: ((Columns<Target>) -> Condition)? = nil
    ) -> QueryExpression<Value?> {
        aggregate(.maximum, value, condition)
    }

    /// The maximum of an optional value of the elements, or of those that meet a condition; nil if none has one.
    public func max<Value: Storable>(
        _ value: (Columns<Target>) -> QueryExpression<Value?>,
        where condition: ((Columns<Target>) -> Condition)? = nil
    ) -> QueryExpression<Value?> {
        aggregate(.maximum, value, condition)
    }

    private func aggregate<Value, Result>(
        _ function: AggregateFunction, _ value: (Columns<Target>) -> QueryExpression<Value>,
        _ condition: ((Columns<Target>) -> Condition)?
    ) -> QueryExpression<Result> {
        if let failure { return QueryExpression<Result>(.failure(failure)) }
        let scope = QueryScope.element()
        let element = Columns<Target>(QueryPath(scope: scope))
        let value = value(element)
        let node = ElementAggregate(
            path: path, scope: scope, function: function, value: value.node, condition: condition?(element).node)
        return QueryExpression<Result>(
            .elementAggregate(node), storage: function == .average ? .native : value.storage, around: value.levels)
    }
}

/// Functions of the elements.
extension ValueArrayColumn where Element: NumberValue {
    /// The sum of the elements; 0 if there are none.
    ///
    /// ```swift
    /// .where { $0.scores.sum > 100 }
    /// // (SELECT COALESCE(sum(t1."value"), 0) FROM "person_scores" AS t1 WHERE t1."owner_id" = t0."id") > $1
    /// ```
    public var sum: QueryExpression<Element.SumValue> { aggregate(.sum, storage) }

    /// The average of the elements; nil if there are none.
    public var average: QueryExpression<Element.AverageValue?> { aggregate(.average, .native) }
}

extension ValueArrayColumn {
    /// The minimum of the elements; nil if there are none.
    public var min: QueryExpression<Element?> { aggregate(.minimum, storage) }

    /// The maximum of the elements; nil if there are none.
    public var max: QueryExpression<Element?> { aggregate(.maximum, storage) }

    private func aggregate<Result>(
        _ function: AggregateFunction, _ storage: ValueStorage
    ) -> QueryExpression<Result> {
        if let failure { return QueryExpression<Result>(.failure(failure)) }
        let scope = QueryScope.element()
        let node = ElementAggregate(
            path: path, scope: scope, function: function, value: .path(QueryPath(scope: scope)), condition: nil)
        return QueryExpression<Result>(.elementAggregate(node), storage: storage)
    }
}
