/// The lock for schema changes, which ends with its transaction.
@_spi(Driver) public struct SchemaLock: Sendable {
    /// The statement that takes the lock if it is free, and returns whether it did.
    ///
    /// ```sql
    /// SELECT pg_try_advisory_xact_lock(…) -- PostgreSQL
    /// ```
    public var attempt: String
    /// The statements that wait for the lock without a timeout, and restore timeouts afterwards.
    public var wait: [String]

    /// - Parameters:
    ///   - attempt: Takes the lock if it is free, and returns one Boolean.
    ///   - wait: Statements that wait for the lock, run in their order.
    public init(attempt: String, wait: [String]) {
        self.attempt = attempt
        self.wait = wait
    }
}
