/// How each row that an upsert returns tells whether it was inserted: see ``Dialect/upsertMark``.
@_spi(Driver) public struct UpsertMark: Sendable {
    /// What a row returns: 1 if it was inserted, and 0 if it was there.
    ///
    /// ```sql
    /// (xmax = 0)::int::bigint -- PostgreSQL
    /// ```
    public let isInserted: String
    /// What is asked of a row that is there before it is changed, and always true; nil for nothing.
    public let note: String?

    /// Creates a mark.
    public init(isInserted: String, note: String? = nil) {
        self.isInserted = isInserted
        self.note = note
    }
}
