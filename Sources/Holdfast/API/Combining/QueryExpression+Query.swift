extension ValueSelection {
    /// The value of the first row, as a value of a query around this one; nil where there is no row.
    ///
    /// ```swift
    /// let rows = try await db.query(Customer.self).select { customer in
    ///     (customer.name, Query(Order.self).where { $0.customerID == customer.id }.select { $0.total.sum }.value)
    /// }.fetch()
    /// // SELECT t0."name", (SELECT sum(t1."total") FROM "order" AS t1 WHERE t1."customer_id" = t0."id") …
    /// ```
    ///
    /// It can be selected, compared, computed with and ordered by. Of several rows, the first in the order of the query
    /// is taken, on each engine:
    ///
    /// ```sql
    /// (SELECT t1."text" FROM "comment" AS t1 WHERE … ORDER BY t1."at" DESC, t1."id" LIMIT 1)
    /// ```
    ///
    /// A query of groups names nothing of its rows in queries inside of its `select`, `having` and `order`; it throws
    /// ``DatabaseError/Code/unsupported``, as an aggregate does that is not of the inner query's own values.
    @_disfavoredOverload
    public var value: QueryExpression<Value?> {
        QueryExpression<Value?>(.subquery(subquery), storage: storage, around: levels)
    }

    /// The query for its values as one inside of another.
    fileprivate var subquery: QuerySubquery { selection.query.inside(.value(selection.nodes[0])) }
    fileprivate var levels: Int { selection.query.specification.levels }
}

extension ValueSelection where Value: OptionalValue {
    /// The value of the first row, as a value of a query around this one; nil where there is no row, and where it is
    /// nil.
    public var value: QueryExpression<Value> {
        QueryExpression<Value>(.subquery(subquery), storage: storage, around: levels)
    }
}

extension QueryExpression {
    /// Whether the value is one of those that a query gives.
    ///
    /// ```swift
    /// .where { $0.id.in(Query(Membership.self).where { $0.club == "chess" }.select { $0.userID }) }
    /// // WHERE t0."id" IN (SELECT t1."user_id" FROM "membership" AS t1 WHERE t1."club" = $1)
    /// ```
    ///
    /// It is true or false, as for an array: a nil that the query gives is equal to nil and to nothing else, so that
    /// `!` of the condition finds all other values, where SQL's `NOT IN` would find none. The query can have an order
    /// with a limit, and name the columns of the closure around it.
    public func `in`<Model: TableObject>(_ values: ValueSelection<Model, Value>) -> Condition where Value: Storable {
        Condition(.isInQuery(node, values.subquery), around: Swift.max(levels, values.levels))
    }

    /// Whether the optional value is one of those that a query gives; false for nil.
    public func `in`<Model: TableObject, Wrapped: Storable>(
        _ values: ValueSelection<Model, Wrapped>
    ) -> Condition where Value == Wrapped? {
        Condition(.isInQuery(node, values.subquery), around: Swift.max(levels, values.levels))
    }

    /// Whether the value is one of those that a query gives, nil among them or not.
    public func `in`<Model: TableObject>(_ values: ValueSelection<Model, Value?>) -> Condition where Value: Storable {
        Condition(.isInQuery(node, values.subquery), around: Swift.max(levels, values.levels))
    }
}

extension Columns {
    /// Whether the object is one of those that a query finds; compares keys.
    ///
    /// ```swift
    /// .where { $0.customer.in(Query(Customer.self).where { $0.city == "Bonn" }.order(\.visits).limit(9)) }
    /// // WHERE t0."customer_id" IN (SELECT t1."id" FROM "customer" AS t1 WHERE … ORDER BY … LIMIT 9)
    /// ```
    public func `in`(_ query: Query<Model>) -> Condition {
        Condition(.isInQuery(node, query.inside(.keys)), around: query.specification.levels)
    }
}
