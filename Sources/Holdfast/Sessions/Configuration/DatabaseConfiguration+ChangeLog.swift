extension DatabaseConfiguration {
    /// How the change log is read: see ``Database/changes(of:after:limit:)``.
    ///
    /// ```swift
    /// let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with {
    ///     $0.changeLog.pollInterval = .seconds(1)
    /// }
    /// ```
    public struct ChangeLog: Sendable {
        /// Looks at the change log again after this time, while somebody observes logged tables; 100 milliseconds by
        /// default.
        ///
        /// So long it takes at most until commits of other processes are noticed, unless the engine tells of them.
        public var pollInterval = Duration.milliseconds(100)

        /// Replaces times that mean "for ever" by a century, which can be computed with.
        mutating func boundTimes() { pollInterval = pollInterval.bounded }
    }
}
