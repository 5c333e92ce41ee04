extension ConditionConvertible {
    /// The condition as a value, which is true or false: to be selected, grouped by or ordered by.
    ///
    /// ```swift
    /// .select { ($0.name, $0.books.contains { $0.price > 100 }.asBool) }
    /// // CASE WHEN EXISTS (SELECT …) THEN $2 ELSE $3 END
    /// .group { ($0.total > 1_000).asBool }
    /// ```
    ///
    /// It is never nil: a condition that asks about nil is true or false as in `where`.
    public var asBool: QueryExpression<Bool> { .if(self, then: true, else: false) }
}
