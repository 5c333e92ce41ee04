/// The time at which a statement began, as SQL that an engine computes once for it: see ``Dialect/currentTime``.
@_spi(Driver) public struct CurrentTime: Sendable {
    /// The instant as a column of the type ``ColumnType/timestamp`` holds it.
    ///
    /// ```sql
    /// statement_timestamp() -- PostgreSQL
    /// ```
    public let timestamp: String
    /// Microseconds since 1970, as an integer.
    public let microseconds: String

    /// Creates a time.
    public init(timestamp: String, microseconds: String) {
        self.timestamp = timestamp
        self.microseconds = microseconds
    }

    /// The time in a storage of dates, rounded down: what equals it or comes before it has passed.
    ///
    /// - Returns: Nil for a storage whose values are not in the order of time, or not to be had in SQL.
    func value(in storage: ValueStorage) -> String? {
        switch storage {
        case .native: timestamp
        case .seconds: "\(microseconds) / 1000000"
        case .milliseconds: "\(microseconds) / 1000"
        case .secondsSince1970: "\(microseconds) / 1000000.0"
        case .millisecondsSince1970: "\(microseconds) / 1000.0"
        case .secondsSince2001, .exact: "\(microseconds) / 1000000.0 - 978307200.0"
        default: nil
        }
    }
}
