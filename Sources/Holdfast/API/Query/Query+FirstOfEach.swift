extension Query {
    /// Keeps the first few objects of each group with an equal value of a property, or with the same target of a
    /// relation.
    ///
    /// ```swift
    /// let latest = try await db.query(Message.self)
    ///     .first(1, ofEach: { $0.chat }, order: { [$0.at.descending] })
    ///     .fetch()
    /// // SELECT … FROM "message" AS t0 WHERE t0."id" IN (SELECT k0 FROM (SELECT t1."id" AS k0, row_number() OVER
    /// //     (PARTITION BY t1."chat_id" ORDER BY t1."at" DESC, t1."id") AS rank
    /// //     FROM "message" AS t1) AS grouped WHERE rank = 1) ORDER BY t0."id"
    /// ```
    ///
    /// The objects are chosen among those that meet all conditions of the query. Those without a value, or without a
    /// target, are a group, too. The result has the order of the query, which can be another; a limit cuts it, and
    /// `count` counts it, and its pages are those of the query's order. An index that begins with the group and goes on
    /// as the order does spares the database to sort the table.
    ///
    /// - Parameters:
    ///   - count: How many objects of each group, 0 or more.
    ///   - group: The property or the relation.
    ///   - order: The order whose first objects are kept; where it leaves two the same, and by default, that of the
    ///     keys.
    /// - Throws: When the query runs: ``DatabaseError/Code/invalidValue`` for a negative count.
    public func first<Group: Partitioning>(
        _ count: Int, ofEach group: (Columns<Model>) -> Group,
        order: (Columns<Model>) -> [Ordering] = { _ in [] }
    ) -> Query {
        first(count, ofEach: { [group($0)] }, order: order)
    }

    /// Keeps the first few objects of each group with equal values of several properties.
    ///
    /// ```swift
    /// .first(3, ofEach: { [$0.category, $0.customer] }, order: { [$0.price.descending] })
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many objects of each group, 0 or more.
    ///   - groups: The properties and relations, at least one.
    ///   - order: The order whose first objects are kept; where it leaves two the same, and by default, that of the
    ///     keys.
    public func first(
        _ count: Int, ofEach groups: (Columns<Model>) -> [any Partitioning],
        order: (Columns<Model>) -> [Ordering] = { _ in [] }
    ) -> Query {
        var query = self
        let columns = query.makeColumns()
        let groups = groups(columns)
        query.specification.distinct = groups.map(\._partition.node)
        query.specification.choice = order(columns)
        query.specification.ofEach = count
        if count < 0 || groups.isEmpty {
            query.specification.failure = DatabaseError(
                .invalidValue, "A query asks for fewer than 0 objects of each group, or for groups of nothing.")
        }
        return query
    }
}
