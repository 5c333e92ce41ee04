extension ConditionConvertible where Self == Condition {
    /// Whether there is an object of a type, with or without a relation, that meets a condition.
    ///
    /// ```swift
    /// let answered = try await db.query(Ticket.self)
    ///     .where { ticket in .exists(Comment.self) { $0.ticketID == ticket.id && $0.at > ticket.openedAt } }
    ///     .fetch()
    /// // WHERE EXISTS (SELECT 1 FROM "comment" AS t1 WHERE t1."ticket_id" = t0."id" AND t1."at" > t0."opened_at")
    /// ```
    ///
    /// The closure can name the columns of the closures around it, also of a query for the same type. `!` makes it
    /// `NOT EXISTS`. Objects that have expired, and those that are left out of results, are none, as in a query of
    /// their own.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - condition: The condition, of the columns of one object.
    public static func exists<Model: TableObject>(
        _ type: Model.Type, where condition: (Columns<Model>) -> some ConditionConvertible
    ) -> Condition { exists(Query(type).where(condition)) }

    /// Whether a query finds an object.
    ///
    /// ```swift
    /// .where { ticket in .exists(Query(Comment.self).where { $0.ticketID == ticket.id }.offset(2)) }
    /// // WHERE EXISTS (SELECT 1 FROM "comment" AS t1 WHERE t1."ticket_id" = t0."id" ORDER BY … OFFSET 2)
    /// ```
    ///
    /// The database of the query does not matter: it is that of the query around it.
    public static func exists<Model: TableObject>(_ query: Query<Model>) -> Condition {
        Condition(.exists(query.inside(.keys)), around: query.specification.levels)
    }
}

extension Query {
    /// The query as one inside of another.
    func inside(_ output: QuerySubquery.Output) -> QuerySubquery {
        QuerySubquery(specification, of: Model.ownDescription, output, view: view)
    }

    /// The number of objects, as a value of a query around this one.
    ///
    /// ```swift
    /// let busy = try await db.query(Ticket.self)
    ///     .order { ticket in Query(Comment.self).where { $0.ticketID == ticket.id }.rowCount.descending }
    ///     .fetch()
    /// // ORDER BY (SELECT count(*) FROM "comment" AS t1 WHERE t1."ticket_id" = t0."id") DESC, t0."id"
    /// ```
    ///
    /// Inside of other queries, it takes the place of ``count(fileID:line:)``.
    public var rowCount: QueryExpression<Int> {
        QueryExpression<Int>(.subquery(inside(.count)), around: specification.levels)
    }
}
