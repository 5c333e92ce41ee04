extension DatabaseSchema {
    /// An index or a trigger that goes with its table, and the statement that makes it.
    ///
    /// ```swift
    /// DatabaseSchema.Dependent(
    ///     name: "note_title_idx", sql: #"CREATE INDEX "note_title_idx" ON "note" ("title")"#, isTrigger: false)
    /// ```
    @_spi(Driver) public struct Dependent: Hashable, Sendable {
        /// The name of the index or trigger.
        public var name: String
        /// The statement.
        public var sql: String
        /// Whether it is a trigger.
        public var isTrigger: Bool
        /// Whether the statement is that of the engine; after a rename that has not run yet, it may be another one.
        var isExact = true

        /// Creates an index or a trigger by its statement.
        public init(name: String, sql: String, isTrigger: Bool) {
            (self.name, self.sql, self.isTrigger) = (name, sql, isTrigger)
        }
    }
}
