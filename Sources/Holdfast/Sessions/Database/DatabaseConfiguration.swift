public import Foundation
public import Logging

/// The database to open, and its options.
///
/// ```swift
/// let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with { $0.statementTimeout = .seconds(5) }
/// ```
///
/// The drivers' modules add the functions that create one: `.sqlite(path:)`, `.postgres(url:)`.
public struct DatabaseConfiguration: Sendable {
    /// Creates the driver when the database is opened, from the final configuration.
    @_spi(Driver) public var makeDriver: @Sendable (DatabaseConfiguration) throws -> any Driver

    /// The greatest number of open connections; the writing connection of SQLite comes on top.
    public var maximumConnections: Int
    /// The timeout of opening a connection; after it, ``DatabaseError/Code/cannotConnect`` is thrown.
    public var connectTimeout: Duration
    /// The time for which opening the database is tried again while it can't be reached; zero, the default, for a
    /// single attempt.
    ///
    /// Set it where the program may start before its server, or while that is being replaced. Attempts are 100
    /// milliseconds apart at first, and up to five seconds later. A password that is refused is not tried again.
    public var startTimeout: Duration
    /// The time that operations under way have when the database is closed as a service; 20 seconds by default.
    public var shutdownTimeout: Duration
    /// The timeout of waiting for a free connection; after it, ``DatabaseError/Code/poolTimeout`` is thrown.
    public var checkoutTimeout: Duration
    /// The timeout of a statement, after which ``DatabaseError/Code/statementTimeout`` is thrown; nil for no limit.
    public var statementTimeout: Duration?
    /// The time after which the change log is looked at again while somebody observes logged tables; 100 milliseconds
    /// by default.
    ///
    /// So long it takes at most until commits of other processes are noticed, unless the engine tells of them.
    public var logPollInterval: Duration
    /// The interval at which rows that have expired are deleted in the background; a minute by default, nil for never.
    ///
    /// It matters to the room that they take, not to whether they are seen: see ``Expires()``. Nothing runs unless the
    /// database is used with a type whose objects expire. The first time comes after a random part of the interval, so
    /// that processes don't work at the same time.
    public var expirySweepInterval: Duration?
    /// The clock by which objects expire; nil, the default, for that of the database.
    ///
    /// With a clock of their own, tests need not wait. Its time is bound to every statement about objects that expire.
    ///
    /// ```swift
    /// let midnight = Date(timeIntervalSince1970: 0)
    /// let configuration = DatabaseConfiguration.sqlite(.inMemory).with { $0.clock = { midnight } }
    /// ```
    public var clock: (@Sendable () -> Date)?
    /// The timeout of waiting for a lock, after which ``DatabaseError/Code/lockTimeout`` is thrown; nil for no limit.
    ///
    /// It also limits how long a save inside a transaction waits for a save of the same new object outside, which may
    /// wait for the transaction; if it is nil, ``checkoutTimeout`` does, but ten seconds at most.
    public var lockTimeout: Duration?
    /// The timeout of each wait of `migrate` for a lock on a table, after which its transaction is rolled back and run
    /// again; nil for ``lockTimeout``.
    ///
    /// On PostgreSQL, everybody who uses a table waits behind a statement that waits to alter it. This is the longest
    /// time for which that can last. The default is two seconds: longer than the server's `deadlock_timeout`, after
    /// which it ends an autovacuum that is in the way. SQLite has one lock, which `migrate` takes first.
    public var migrationLockTimeout: Duration?
    /// The time after which a `migrate` that can't get the locks on its tables throws
    /// ``DatabaseError/Code/lockTimeout``; nil for no limit.
    ///
    /// Until then it tries again and again, with pauses that grow to five seconds. The default is ten minutes. Waiting
    /// for other migrations does not count.
    public var migrationRetryLimit: Duration?
    /// The time after which an unused connection is closed; nil to keep it.
    public var idleTimeout: Duration?
    /// The time after which a connection is replaced, as soon as nobody uses it; nil to keep it.
    ///
    /// A server's address, its certificate and its password are looked at when a connection is opened, so this is the
    /// longest time for which a pool stays with a server that was replaced, or a password that was changed. It is half
    /// an hour for PostgreSQL, and nil for files. Connections that were opened together live up to an eighth shorter,
    /// one by one, so that they are not replaced at once.
    public var maximumConnectionLifetime: Duration?
    /// The number of levels of relations that a load without a depth of its own follows; nil, the default, for all.
    ///
    /// It applies to finds, fetches, queries, streams, reloads and objects of raw SQL. Pass `depth: .max` to follow all
    /// levels in one call. Required references, and relations of structs, are loaded beyond this depth.
    public var defaultDepth: Int?
    /// The greatest number of objects of one load, including the requested ones; nil, the default, for no limit.
    ///
    /// A larger load throws ``DatabaseError/Code/unsupported`` and names the type and the relation. Objects are counted
    /// after each level of relations, so this limits how far a load goes, not the result of one statement. Each portion
    /// of a stream is a load of its own; objects of a type without relations are not counted.
    public var maximumObjectsPerLoad: Int?
    /// The version of the schema that the program knows; nil to open a database of any version.
    ///
    /// Opening a database that has a greater one throws ``DatabaseError/Code/conflict``, unless that accepts this one
    /// (``Schema/acceptsProgramsFrom``). It only reads the version: `migrate` writes it, by ``Schema/version``.
    public var schemaVersion: Int?
    /// The duration after which a statement is logged as slow, with the file and line that called it; nil to log none.
    ///
    /// The default is one second. The duration of a statement includes reading its rows, but not waiting for a
    /// connection.
    public var slowStatementThreshold: Duration?
    /// The number of shapes of statements of which ``Database/statementStatistics`` keeps the times; 0, the default,
    /// for no statistics.
    ///
    /// A shape takes about a kilobyte and its text. When there are more, those that took least in all are forgotten.
    public var statementStatisticsLimit: Int
    /// Whether errors include keys and the engine's own message, and logs the text of raw SQL, and traces and
    /// statistics its literals.
    ///
    /// Use it only in tests and development.
    public var showsValues: Bool
    /// The logger of the database; by default nothing is logged.
    ///
    /// No message contains a key, a bound value or a password.
    ///
    /// | Level | Message | Metadata |
    /// |---|---|---|
    /// | `warning` | a statement took longer than ``slowStatementThreshold`` | those of `trace` |
    /// | `warning` | a connection could not be opened, or was lost while it was in use | `code`, `reason`, `host`, `port` |
    /// | `warning` | a load of thousands of objects, once for each relation | `type`, `relation`, `objects` |
    /// | `warning` | expired objects could not be deleted; it is tried again | `table`, `code` |
    /// | `warning` | objects were left out that could not be read | `table`, `count` |
    /// | `info` | a connection was lost while it was idle; a migration waits for another, or for a lock | `host`, `port` |
    /// | `debug` | a connection was opened or closed; a transaction is retried | `host`, `port`, `process`, or `file` |
    /// | `trace` | each statement | `operation`, `table`, `duration_ms`, `rows`, `call_site`, `error`, `sql`, `shared` |
    ///
    /// Statements are logged in the calling task, so that a metadata provider finds task-local values, such as a
    /// request identifier or a span. The text of raw SQL is left out, as it may contain values. Finds by key of several
    /// tasks that share one statement are logged each in its task, with `shared`.
    public var logger: Logger

    /// Creates a configuration with the defaults of a small server.
    ///
    /// - Parameter makeDriver: Creates the driver when the database is opened.
    @_spi(Driver) public init(makeDriver: @escaping @Sendable (DatabaseConfiguration) throws -> any Driver) {
        self.makeDriver = makeDriver
        self.maximumConnections = 8
        self.connectTimeout = .seconds(10)
        self.startTimeout = .zero
        self.shutdownTimeout = .seconds(20)
        self.checkoutTimeout = .seconds(30)
        self.statementTimeout = nil
        self.logPollInterval = .milliseconds(100)
        self.expirySweepInterval = .seconds(60)
        self.clock = nil
        self.lockTimeout = .seconds(10)
        self.migrationLockTimeout = .seconds(2)
        self.migrationRetryLimit = .seconds(600)
        self.idleTimeout = .seconds(300)
        self.maximumConnectionLifetime = nil
        self.defaultDepth = nil
        self.maximumObjectsPerLoad = nil
        self.schemaVersion = nil
        self.slowStatementThreshold = .seconds(1)
        self.statementStatisticsLimit = 0
        self.showsValues = false
        self.logger = Logger(label: "holdfast", factory: { _ in SwiftLogNoOpLogHandler() })
    }

    /// Returns a changed copy.
    ///
    /// ```swift
    /// let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with { $0.showsValues = true }
    /// ```
    public func with(_ change: (inout DatabaseConfiguration) -> Void) -> DatabaseConfiguration {
        var copy = self
        change(&copy)
        return copy
    }

    /// The configuration with times that can be computed with: those that mean "for ever" are a century.
    var withBoundedTimes: DatabaseConfiguration {
        with {
            $0.connectTimeout = connectTimeout.bounded
            $0.startTimeout = startTimeout.bounded
            $0.shutdownTimeout = shutdownTimeout.bounded
            $0.checkoutTimeout = checkoutTimeout.bounded
            $0.statementTimeout = statementTimeout.bounded
            $0.logPollInterval = logPollInterval.bounded
            $0.expirySweepInterval = expirySweepInterval.bounded
            $0.lockTimeout = lockTimeout.bounded
            $0.migrationLockTimeout = migrationLockTimeout.bounded
            $0.migrationRetryLimit = migrationRetryLimit.bounded
            $0.idleTimeout = idleTimeout.bounded
            $0.maximumConnectionLifetime = maximumConnectionLifetime.bounded
            $0.slowStatementThreshold = slowStatementThreshold.bounded
        }
    }
}

/// A driver that ``Database/open(_:drivers:configure:)`` selects by the scheme of a URL: `.sqlite`, `.postgres`.
///
/// ```swift
/// let db = try await Database.open("sqlite:dev.db", drivers: [.sqlite, .postgres])
/// ```
public struct DriverType: Sendable {
    /// The URL schemes of the driver, in lower case: `sqlite`, `postgres`.
    public let schemes: [String]
    /// Creates a configuration from a URL with one of the schemes.
    public let configure: @Sendable (_ url: String) throws -> DatabaseConfiguration
    /// Writes the SQL of the engine, for statements that are printed without a database.
    let dialect: any Dialect

    /// Creates a driver type; the module of a driver does so once.
    ///
    /// ```swift
    /// extension DriverType {
    ///     public static var myEngine: DriverType {
    ///         DriverType(schemes: ["my"], dialect: MyDialect()) { try .myEngine(url: $0) }
    ///     }
    /// }
    /// ```
    @_spi(Driver) public init(
        schemes: [String], dialect: any Dialect,
        configure: @escaping @Sendable (_ url: String) throws -> DatabaseConfiguration
    ) {
        self.schemes = schemes
        self.configure = configure
        self.dialect = dialect
    }

    /// The driver that supports the scheme of a URL.
    package static func driver(for url: String, among drivers: [DriverType]) throws -> DriverType {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        if let driver = drivers.first(where: { $0.schemes.contains(scheme) }) { return driver }
        let known = drivers.flatMap(\.schemes).map { "\($0):" }.joined(separator: ", ")
        throw DatabaseError(.unsupported, "The database URL has none of the schemes of the drivers given: \(known).")
    }
}
