/// A value that rows are ordered by.
@_spi(Driver) public struct OrderedValue: Sendable {
    /// The value as ``QueryDialect/ordered(_:_:)`` has it compared.
    public let sql: String
    /// The type of the value.
    public let type: ColumnType
    /// Whether greater values come first.
    public let isDescending: Bool
    /// Whether NULLs come before all values; nil where there are none.
    public let nullsFirst: Bool?

    /// Creates a value to order by.
    public init(_ sql: String, _ type: ColumnType, isDescending: Bool, nullsFirst: Bool?) {
        (self.sql, self.type, self.isDescending, self.nullsFirst) = (sql, type, isDescending, nullsFirst)
    }
}
