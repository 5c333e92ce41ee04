extension DatabaseConfiguration {
    /// How many connections a database has, and how long they live.
    ///
    /// ```swift
    /// let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with { $0.pool.maximumConnections = 4 }
    /// ```
    public struct Pool: Sendable {
        /// Limits the number of open connections; 8 by default.
        ///
        /// Tasks wait when all are in use. The writing connection of SQLite comes on top.
        public var maximumConnections = 8
        /// Limits how long an operation waits for a free connection; 30 seconds by default.
        ///
        /// After it, ``DatabaseError/Code/poolTimeout`` is thrown.
        public var checkoutTimeout = Duration.seconds(30)
        /// Closes a connection that nobody has used for this time; five minutes by default, nil to keep it.
        public var idleTimeout: Duration? = .seconds(300)
        /// Replaces a connection after this time, as soon as nobody uses it; half an hour by default for PostgreSQL,
        /// and nil, to keep it, for files.
        ///
        /// A server's address, its certificate and its password are looked at when a connection is opened, so this is
        /// the longest time for which a pool stays with a server that was replaced, or a password that was changed.
        /// Connections that were opened together live up to an eighth shorter, one by one, so that they are not
        /// replaced at once.
        public var maximumConnectionLifetime: Duration?

        /// Replaces times that mean "for ever" by a century, which can be computed with.
        mutating func boundTimes() {
            checkoutTimeout = checkoutTimeout.bounded
            idleTimeout = idleTimeout.bounded
            maximumConnectionLifetime = maximumConnectionLifetime.bounded
        }
    }
}
