extension DatabaseConfiguration {
    /// How long connecting, opening, closing, statements and waits for locks may take.
    ///
    /// ```swift
    /// let configuration = DatabaseConfiguration.postgres(url: url).with { $0.timeouts.statement = .seconds(5) }
    /// ```
    ///
    /// The time that an operation waits for a connection is ``DatabaseConfiguration/Pool/checkoutTimeout``.
    public struct Timeouts: Sendable {
        /// Limits how long opening a connection takes; 10 seconds by default.
        ///
        /// After it, ``DatabaseError/Code/cannotConnect`` is thrown.
        public var connect = Duration.seconds(10)
        /// Tries to open the database again for this time while it can't be reached; zero by default, for a single
        /// attempt.
        ///
        /// Set it where the program may start before its server, or while that is being replaced. Attempts are 100
        /// milliseconds apart at first, and up to five seconds later. A password that is refused is not tried again.
        public var start = Duration.zero
        /// Gives operations under way this time to end when the database is closed as a service; 20 seconds by default.
        public var shutdown = Duration.seconds(20)
        /// Limits how long a statement takes; nil by default, for no limit.
        ///
        /// After it, ``DatabaseError/Code/statementTimeout`` is thrown.
        public var statement: Duration?
        /// Limits how long a statement waits for a lock; 10 seconds by default, nil for no limit.
        ///
        /// After it, ``DatabaseError/Code/lockTimeout`` is thrown. It also limits how long a save inside a transaction
        /// waits for a save of the same new object outside, which may wait for the transaction; if it is nil,
        /// ``DatabaseConfiguration/Pool/checkoutTimeout`` does, but ten seconds at most.
        public var lock: Duration? = .seconds(10)

        /// Replaces times that mean "for ever" by a century, which can be computed with.
        mutating func boundTimes() {
            connect = connect.bounded
            start = start.bounded
            shutdown = shutdown.bounded
            statement = statement.bounded
            lock = lock.bounded
        }
    }
}
