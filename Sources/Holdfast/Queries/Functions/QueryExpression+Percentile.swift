import Foundation

// Percentiles of numbers lie between two values where none is at the place; of dates they are one of those that are
// there.

extension QueryExpression where Value: NumberValue {
    /// The median of the values that are not nil: the one in the middle, or the mean of the two there; nil of none.
    ///
    /// ```swift
    /// .group { $0.city }.select { ($0.city, $0.age.median) }
    /// // percentile_cont($1) WITHIN GROUP (ORDER BY (t0."age")::double precision) on PostgreSQL,
    /// // holdfast_percentile(t0."age", ?) on SQLite
    /// ```
    public var median: QueryExpression<Double?> { percentile(0.5) }

    /// The median of the values in the rows that meet a condition; nil of none.
    public func median(where condition: some ConditionConvertible) -> QueryExpression<Double?> {
        percentile(0.5, where: condition)
    }

    /// The number below which a fraction of the values lie; nil if there are none.
    ///
    /// ```swift
    /// let slow = try await db.query(Visit.self).select { $0.milliseconds.percentile(0.95) }.first()
    /// ```
    ///
    /// Of n values, in their order, it is at the place `fraction * (n - 1)`, counted from 0: between two of them, it is
    /// as far from one to the other. Values that are nil don't count. It is computed with numbers of 64 bits, also of
    /// decimals, and is nil where infinite values leave it undefined.
    ///
    /// - Parameter fraction: 0 to 1; with another number the query throws ``DatabaseError/Code/invalidValue``.
    public func percentile(_ fraction: Double) -> QueryExpression<Double?> {
        QueryExpression<Double?>(.percentile(fraction, of: node, isDiscrete: false, where: nil))
    }

    /// The number below which a fraction of the values lie in the rows that meet a condition; nil if there are none.
    ///
    /// ```swift
    /// .select { $0.milliseconds.percentile(0.95, where: $0.isCached == false) }
    /// // percentile_cont($1) WITHIN GROUP (ORDER BY …) FILTER (WHERE t0."is_cached" = $2)
    /// ```
    public func percentile(
        _ fraction: Double, where condition: some ConditionConvertible
    ) -> QueryExpression<Double?> {
        QueryExpression<Double?>(.percentile(fraction, of: node, isDiscrete: false, where: condition.condition.node))
    }
}

extension QueryExpression where Value: DateValue {
    /// The median of the dates that are not nil, which is one of them: of two in the middle the earlier one; nil of
    /// none.
    public var median: QueryExpression<Date?> { percentile(0.5) }

    /// The median of the dates in the rows that meet a condition; nil of none.
    public func median(where condition: some ConditionConvertible) -> QueryExpression<Date?> {
        percentile(0.5, where: condition)
    }

    /// The first date that at least a fraction of the dates are not after; nil if there are none.
    ///
    /// ```swift
    /// .group { $0.product.id }.select { ($0.product.id, $0.soldAt.percentile(0.9)) }
    /// // percentile_disc($1) WITHIN GROUP (ORDER BY t0."sold_at") on PostgreSQL,
    /// // holdfast_percentile_of(t0."sold_at", ?) on SQLite
    /// ```
    ///
    /// - Parameter fraction: 0 to 1; with another number the query throws ``DatabaseError/Code/invalidValue``.
    public func percentile(_ fraction: Double) -> QueryExpression<Date?> {
        QueryExpression<Date?>(.percentile(fraction, of: node, isDiscrete: true, where: nil), storage: storage)
    }

    /// The first date that at least a fraction of the dates are not after, in the rows that meet a condition; nil if
    /// there are none.
    public func percentile(_ fraction: Double, where condition: some ConditionConvertible) -> QueryExpression<Date?> {
        QueryExpression<Date?>(
            .percentile(fraction, of: node, isDiscrete: true, where: condition.condition.node), storage: storage)
    }
}

extension QueryNode {
    fileprivate static func percentile(
        _ fraction: Double, of argument: QueryNode, isDiscrete: Bool, where condition: QueryNode?
    ) -> QueryNode {
        guard (0...1).contains(fraction) else {
            return .failure(
                DatabaseError(.invalidValue, "A query asks for a percentile at \(fraction). Give a number from 0 to 1.")
            )
        }
        return .aggregate(
            QueryAggregate(
                kind: .percentile(fraction, isDiscrete: isDiscrete), argument: argument, condition: condition))
    }
}
