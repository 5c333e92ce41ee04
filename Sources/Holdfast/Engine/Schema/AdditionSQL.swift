/// How an engine looks for an addition of a schema, and drops it.
///
/// ```sql
/// SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = 'open_note' -- SQLite
/// DROP VIEW "open_note"
/// ```
@_spi(Driver) public struct AdditionSQL: Hashable, Sendable {
    /// The query that returns a row if it is there.
    public var isThere: String
    /// The statement that drops it, if no data are lost with it.
    public var drop: String?
    /// The statement that makes it, if the name says all.
    public var create: String?

    /// Creates the statements about an addition.
    public init(isThere: String, drop: String? = nil, create: String? = nil) {
        (self.isThere, self.drop, self.create) = (isThere, drop, create)
    }
}
