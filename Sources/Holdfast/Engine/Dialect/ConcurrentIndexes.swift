/// How an engine builds the indexes of filled tables while others write.
///
/// Such a statement runs outside of transactions, and waits for those of others. So whoever builds holds a lock of its
/// session, and whoever wants that lock asks for it again and again, and never waits in a statement: the builder would
/// wait for that.
@_spi(Driver) public struct ConcurrentIndexes: Sendable {
    /// The word after CREATE INDEX and DROP INDEX: `CONCURRENTLY`.
    public var keyword: String
    /// The statement that takes the session's lock of builders if it is free, and returns whether it did.
    public var attempt: String
    /// The statement that releases this lock.
    public var release: String
    /// The statement that takes the lock for the rest of a transaction if it is free, so that nobody builds meanwhile,
    /// and returns whether it did.
    public var exclusion: String
    /// The statement that puts away the timeouts of a session, which is closed afterwards.
    public var withoutTimeouts: String

    /// Creates a description.
    public init(keyword: String, attempt: String, release: String, exclusion: String, withoutTimeouts: String) {
        (self.keyword, self.attempt, self.release) = (keyword, attempt, release)
        (self.exclusion, self.withoutTimeouts) = (exclusion, withoutTimeouts)
    }
}
