// Aggregates of the rows that meet a condition; those of all rows are in API/Query/Query+Aggregate.swift.

extension QueryExpression where Value: NumberValue {
    /// The sum of the values in the rows that meet a condition; nil if there are none.
    ///
    /// ```swift
    /// .select { ($0.price.sum, $0.price.sum(where: $0.isPaid)) }
    /// // SELECT sum(t0."price"), sum(t0."price") FILTER (WHERE t0."is_paid" = $1)
    /// ```
    public func sum(where condition: some ConditionConvertible) -> QueryExpression<Value.SumValue?> {
        QueryExpression<Value.SumValue?>(
            .computing(.sum, of: node, where: condition.condition.node), storage: storage)
    }

    /// The average of the values in the rows that meet a condition; nil if there are none.
    public func average(where condition: some ConditionConvertible) -> QueryExpression<Value.AverageValue?> {
        QueryExpression<Value.AverageValue?>(.computing(.average, of: node, where: condition.condition.node))
    }

    /// The standard deviation of the values that are not nil, as a sample of a greater whole; nil for fewer than two.
    ///
    /// ```swift
    /// .group { $0.city }.select { ($0.city, $0.age.standardDeviation) }
    /// // stddev_samp(t0."age"::double precision) on PostgreSQL, holdfast_standard_deviation(t0."age") on SQLite
    /// ```
    ///
    /// It is computed with numbers of 64 bits, also of decimals; the last digits depend on the order of the rows. It is
    /// nil if one of the values is infinite.
    public var standardDeviation: QueryExpression<Double?> {
        QueryExpression<Double?>(.computing(.standardDeviation, of: node))
    }

    /// The standard deviation of the values in the rows that meet a condition; nil for fewer than two.
    public func standardDeviation(where condition: some ConditionConvertible) -> QueryExpression<Double?> {
        QueryExpression<Double?>(.computing(.standardDeviation, of: node, where: condition.condition.node))
    }
}

extension QueryExpression where Value: Storable {
    /// The minimum of the values in the rows that meet a condition; nil if there are none.
    public func min(where condition: some ConditionConvertible) -> QueryExpression<Value?> {
        QueryExpression<Value?>(.computing(.minimum, of: node, where: condition.condition.node), storage: storage)
    }

    /// The maximum of the values in the rows that meet a condition; nil if there are none.
    ///
    /// ```swift
    /// .group { $0.customer.id }.select { ($0.customer.id, $0.at.max(where: $0.isPaid)) }
    /// // max(t0."at") FILTER (WHERE t0."is_paid" = $1)
    /// ```
    public func max(where condition: some ConditionConvertible) -> QueryExpression<Value?> {
        QueryExpression<Value?>(.computing(.maximum, of: node, where: condition.condition.node), storage: storage)
    }

    /// The number of values that are not nil in the rows that meet a condition.
    public func count(where condition: some ConditionConvertible) -> QueryExpression<Int> {
        QueryExpression<Int>(.computing(.count, of: node, where: condition.condition.node))
    }

    /// The number of different values that are not nil in the rows that meet a condition.
    ///
    /// ```swift
    /// .select { $0.city.distinctCount(where: $0.isMember) }
    /// // count(DISTINCT t0."city") FILTER (WHERE t0."is_member" = $1)
    /// ```
    public func distinctCount(where condition: some ConditionConvertible) -> QueryExpression<Int> {
        QueryExpression<Int>(.computing(.countDistinct, of: node, where: condition.condition.node))
    }

    /// An aggregate in your own SQL: one value of all rows, or of each group.
    ///
    /// ```swift
    /// let last = try await db.query(Ticket.self)
    ///     .select { QueryExpression<Int>.aggregate(sql: "max(\($0.version) % 10)") }.first()
    /// // SELECT (max(t0."version" % 10)) FROM "ticket" AS t0
    /// ```
    ///
    /// It can be selected and ordered by like other aggregates, and groups can be asked for it by `having`. The engine
    /// has to return what a column of the type holds, as for ``sql(_:)``.
    public static func aggregate(sql: QueryFragment) -> QueryExpression {
        let kind = QueryAggregate.Kind.sql(sql, Value._columnType(.native) ?? .text)
        return QueryExpression(.aggregate(QueryAggregate(kind: kind, argument: nil)))
    }
}

extension QueryExpression where Value: OptionalValue {
    /// The minimum of the values that are not nil in the rows that meet a condition; nil if there are none.
    public func min(where condition: some ConditionConvertible) -> QueryExpression {
        QueryExpression(.computing(.minimum, of: node, where: condition.condition.node), storage: storage)
    }

    /// The maximum of the values that are not nil in the rows that meet a condition; nil if there are none.
    public func max(where condition: some ConditionConvertible) -> QueryExpression {
        QueryExpression(.computing(.maximum, of: node, where: condition.condition.node), storage: storage)
    }
}

extension QueryExpression where Value: TextValue {
    /// The texts that are not nil one after another, with a separator between two; nil if there are none.
    ///
    /// ```swift
    /// .group { $0.city }.select { ($0.city, $0.name.stringJoined(by: ", ", order: [$0.age.descending])) }
    /// // string_agg(t0."name"::text, $1::text ORDER BY t0."age" DESC, t0."name"::text COLLATE "C") on PostgreSQL,
    /// // holdfast_joined(t0."name", ?, …) on SQLite
    /// ```
    ///
    /// - Parameters:
    ///   - separator: What comes between two of them.
    ///   - order: Their order; where it leaves two the same, and by default, that of the texts by code point.
    ///   - condition: The condition of the rows that count; by default all do.
    public func stringJoined(
        by separator: String, order: [Ordering] = [], where condition: Condition? = nil
    ) -> QueryExpression<String?> {
        let kind = QueryAggregate.Kind.joined(separator: QueryValue.encoding(separator, .native), orders: order)
        return QueryExpression<String?>(
            .aggregate(QueryAggregate(kind: kind, argument: node, condition: condition?.node)))
    }
}

extension Columns {
    /// The number of rows that meet a condition, of a group or of the whole query.
    ///
    /// ```swift
    /// .group { $0.city }.select { ($0.city, $0.rowCount, $0.rowCount(where: $0.age >= 18)) }
    /// // SELECT t0."city", count(*), count(*) FILTER (WHERE t0."age" >= $1)
    /// ```
    public func rowCount(where condition: some ConditionConvertible) -> QueryExpression<Int> {
        QueryExpression<Int>(.computing(.count, of: nil, where: condition.condition.node))
    }
}
