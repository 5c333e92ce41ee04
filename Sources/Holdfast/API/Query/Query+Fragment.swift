extension Query {
    /// Keeps only objects that meet a condition in your own SQL, in addition to earlier ones.
    ///
    /// ```swift
    /// let found = try await db.query(Person.self)
    ///     .where(sql: "\(\Person.profile) ->> 'city' = \(city)")
    ///     .order(\.name).limit(20).fetch()
    /// // SELECT … FROM "person" AS t0 WHERE (t0."profile" ->> 'city' = $1) ORDER BY t0."name" … LIMIT 20
    /// ```
    ///
    /// Relations, order and pages work as in any query. For columns of related objects, name them in a closure:
    /// ``ConditionConvertible/sql(_:)``.
    ///
    /// - Throws: When the query runs: ``DatabaseError/Code/invalidValue`` for a key path of another type, and the
    ///   engine's errors, such as ``DatabaseError/Code/syntax``.
    public func `where`(sql: QueryFragment) -> Query { `where`(Condition.sql(sql)) }

    /// Refuses paths into a property kept as JSON that are not declared.
    package func declaring(_ paths: DeclaredPaths) -> Query {
        var query = self
        query.specification.declared = paths
        query.specification.failure = specification.failure ?? paths.failure
        return query
    }
}
