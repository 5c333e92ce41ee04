public import Logging

extension DatabaseConfiguration {
    /// What is logged and counted, and what logs and errors may show.
    ///
    /// ```swift
    /// let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with {
    ///     $0.telemetry.logger = Logger(label: "catalog.database")
    /// }
    /// ```
    public struct Telemetry: Sendable {
        /// Receives the messages of the database; by default nothing is logged.
        ///
        /// No message contains a key, a bound value or a password.
        ///
        /// | Level | Message | Metadata |
        /// |---|---|---|
        /// | `warning` | a statement took longer than ``slowStatementThreshold`` | those of `trace` |
        /// | `warning` | a connection could not be opened, or was lost while it was in use | `code`, `reason`, `host`, `port` |
        /// | `warning` | a load of thousands of objects, once for each relation | `type`, `relation`, `objects` |
        /// | `warning` | in debug builds, a relation or references were loaded one by one | `relation`, `call_site`, `fetch_site` |
        /// | `warning` | in debug builds, a save left changed objects out that an array holds, once for each relation | `relation`, `changed` |
        /// | `warning` | expired objects could not be deleted; it is tried again | `table`, `code` |
        /// | `warning` | objects were left out that could not be read | `table`, `count` |
        /// | `info` | a connection was lost while it was idle; a migration waits for another, or for a lock | `host`, `port` |
        /// | `debug` | a connection was opened or closed; a transaction is retried | `host`, `port`, `process`, or `file` |
        /// | `trace` | each statement | `operation`, `table`, `duration_ms`, `rows`, `call_site`, `error`, `sql`, `shared` |
        ///
        /// Statements are logged in the calling task, so that a metadata provider finds task-local values, such as a
        /// request identifier or a span. The text of raw SQL is left out, as it may contain values. Finds by key of
        /// several tasks that share one statement are logged each in its task, with `shared`.
        public var logger = Logger(label: "holdfast", factory: { _ in SwiftLogNoOpLogHandler() })
        /// Logs a statement that takes longer than this as slow, with the file and line that called it; one second by
        /// default, nil to log none.
        ///
        /// The duration of a statement includes reading its rows, but not waiting for a connection. Of a batch, it is
        /// the limit for each thousand rows: one of ten thousand may take ten times as long.
        public var slowStatementThreshold: Duration? = .seconds(1)
        /// Keeps the times of this number of shapes of statements, as ``Database/statementStatistics``; 0 by default,
        /// for no statistics.
        ///
        /// A shape takes about a kilobyte and its text. When there are more, those that took least in all are
        /// forgotten.
        public var statementStatisticsLimit = 0
        /// Lets errors include the engine's own message, and keys unless ``showsKeys`` says otherwise, logs the text of
        /// raw SQL, and traces and statistics its literals; false by default.
        ///
        /// Use it only in tests and development.
        public var showsValues = false
        private var ownShowsKeys: Bool?
        /// Lets errors include primary keys of objects and rows, in ``DatabaseError/shownKey``; as ``showsValues`` by
        /// default.
        ///
        /// Keys that are numbers or UUIDs are often no secret where values are.
        public var showsKeys: Bool {
            get { ownShowsKeys ?? showsValues }
            set { ownShowsKeys = newValue }
        }

        /// Replaces times that mean "for ever" by a century, which can be computed with.
        mutating func boundTimes() { slowStatementThreshold = slowStatementThreshold.bounded }
    }
}
