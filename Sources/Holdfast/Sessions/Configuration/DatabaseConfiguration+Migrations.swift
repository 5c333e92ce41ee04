extension DatabaseConfiguration {
    /// What the program knows of the schema, and how long `migrate` waits for others.
    ///
    /// ```swift
    /// let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with { $0.migrations.schemaVersion = 7 }
    /// ```
    public struct Migrations: Sendable {
        /// Limits each wait of `migrate` for a lock on a table; 2 seconds by default, nil for the
        /// ``DatabaseConfiguration/Timeouts/lock`` timeout.
        ///
        /// After it, the transaction of the migration is rolled back and run again. On PostgreSQL, everybody who uses a
        /// table waits behind a statement that waits to alter it. This is the longest time for which that can last. The
        /// default is longer than the server's `deadlock_timeout`, after which it ends an autovacuum that is in the
        /// way. SQLite has one lock, which `migrate` takes first.
        public var lockTimeout: Duration? = .seconds(2)
        /// Limits how long `migrate` tries again to get the locks on its tables; ten minutes by default, nil for no
        /// limit.
        ///
        /// After it, ``DatabaseError/Code/lockTimeout`` is thrown. Until then it tries again and again, with pauses
        /// that grow to five seconds. Waiting for other migrations does not count, except on SQLite, whose one lock
        /// does not tell who holds it and why.
        public var retryLimit: Duration? = .seconds(600)
        /// Refuses to open a database whose schema has a greater version than this; nil by default, to open one of any
        /// version.
        ///
        /// Opening it throws ``DatabaseError/Code/conflict``, unless it accepts programs of this version
        /// (``Schema/acceptsProgramsFrom``). The option only has the version read: `migrate` writes it, by
        /// ``Schema/version``.
        public var schemaVersion: Int?

        /// Replaces times that mean "for ever" by a century, which can be computed with.
        mutating func boundTimes() {
            lockTimeout = lockTimeout.bounded
            retryLimit = retryLimit.bounded
        }
    }
}
