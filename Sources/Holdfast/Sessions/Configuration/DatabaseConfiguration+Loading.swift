extension DatabaseConfiguration {
    /// How much a fetch loads.
    ///
    /// ```swift
    /// let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with { $0.loading.maximumObjects = 50_000 }
    /// ```
    public struct Loading: Sendable {
        /// Limits how many levels of relations a load without a depth of its own follows; nil by default, for all.
        ///
        /// It applies to finds, fetches, queries, streams, reloads and objects of raw SQL. Pass `depth: .max` to follow
        /// all levels in one call. Required references, and relations of structs, are loaded beyond this depth.
        public var defaultDepth: Int?
        /// Limits the number of objects of one load, including the requested ones; nil by default, for no limit.
        ///
        /// A larger load throws ``DatabaseError/Code/unsupported`` and names the type and the relation. Objects are
        /// counted after each level of relations, so this limits how far a load goes, not the result of one statement.
        /// Each portion of a stream is a load of its own; objects of a type without relations are not counted.
        public var maximumObjects: Int?
    }
}
