/// Full text search of types that declare it.
extension Columns {
    /// Whether the searched properties of the object have the words that a query looks for.
    ///
    /// ```swift
    /// @Table(search: ["title", "body"]) struct Article { … }
    ///
    /// let found = try await db.query(Article.self).where { $0.matches("red car") && $0.isPublished }.fetch()
    /// // WHERE holdfast_search_v1(t0."title", t0."body") @@ $1::text::tsquery AND … -- PostgreSQL
    /// // WHERE t0."id" IN (SELECT rowid FROM "holdfast_search_article_…" WHERE … MATCH ?) AND … -- SQLite
    /// ```
    ///
    /// Both engines find the same objects: those of which ``SearchQuery/matches(_:)-(String?...)`` is true. A query
    /// that looks for nothing finds nothing.
    ///
    /// The query throws ``DatabaseError/Code/invalidValue`` for a type without a `search` in its
    /// ``Table(schema:_:inherits:renamedFrom:naming:readOnly:log:indexes:checks:search:scopes:)``.
    ///
    /// - Parameter query: What is looked for; a text as somebody types it, or parts.
    public func matches(_ query: SearchQuery) -> Condition { Condition(.matches(node, query)) }

    /// Whether the searched properties of the object have what somebody has typed.
    ///
    /// ```swift
    /// .where { $0.matches(request.text) }
    /// ```
    ///
    /// - Parameter text: Any text, which ``SearchQuery/init(_:)`` reads.
    public func matches(_ text: String) -> Condition { matches(SearchQuery(text)) }

    /// How well the searched properties of the object have what a query looks for: the greater the better.
    ///
    /// ```swift
    /// let query = SearchQuery(request.text)
    /// let best = try await db.query(Article.self).where { $0.matches(query) }
    ///     .order { $0.searchRank(of: query).descending }.limit(20).fetch()
    /// // … ORDER BY CAST(ts_rank(holdfast_search_v1(t0."title", t0."body"), $2::text::tsquery) AS double…) DESC
    /// ```
    ///
    /// It is 0 for an object without a part of it. Each engine computes it in its own way (`ts_rank` of PostgreSQL,
    /// `bm25` of SQLite): the numbers and the order of two objects that both have it may differ.
    ///
    /// - Parameter query: What is looked for; parts that are to be missing don't count.
    public func searchRank(of query: SearchQuery) -> QueryExpression<Double> {
        QueryExpression(.searchRank(node, query))
    }
}
