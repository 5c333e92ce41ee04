public import Foundation

extension DatabaseConfiguration {
    /// When objects expire, and when their rows are deleted: see ``Expires()``.
    ///
    /// ```swift
    /// let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with { $0.expiry.sweepInterval = nil }
    /// ```
    public struct Expiry: Sendable {
        /// Deletes rows that have expired in the background, once in this time; a minute by default, nil for never.
        ///
        /// It matters to the room that they take, not to whether they are seen. Nothing runs unless the database is
        /// used with a type whose objects expire. The first time comes after a random part of the interval, so that
        /// processes don't work at the same time.
        public var sweepInterval: Duration? = .seconds(60)
        /// Tells the time by which objects expire; nil by default, for the clock of the database.
        ///
        /// With a clock of their own, tests need not wait. Its time is bound to every statement about objects that
        /// expire.
        ///
        /// ```swift
        /// let midnight = Date(timeIntervalSince1970: 0)
        /// let configuration = DatabaseConfiguration.sqlite(.inMemory).with { $0.expiry.clock = { midnight } }
        /// ```
        public var clock: (@Sendable () -> Date)?

        /// Replaces times that mean "for ever" by a century, which can be computed with.
        mutating func boundTimes() { sweepInterval = sweepInterval.bounded }
    }
}
