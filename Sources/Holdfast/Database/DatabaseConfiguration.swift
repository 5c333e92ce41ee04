public import Logging

/// Which database to open, and how.
///
/// Driver modules add the ways to make one: `.sqlite(path:)`, `.postgres(url:)`.
public struct DatabaseConfiguration: Sendable {
    /// What makes the driver when the database is opened; given this configuration as it then is.
    public var makeDriver: @Sendable (DatabaseConfiguration) throws -> any Driver

    /// The greatest number of connections open at once; where an engine has a single writer, that one comes on top.
    public var maximumConnections: Int
    /// How long a connection may take to open.
    public var connectTimeout: Duration
    /// How long to wait for a free connection before ``DatabaseError/Code/poolTimeout``.
    public var checkoutTimeout: Duration
    /// How long a statement may run before ``DatabaseError/Code/statementTimeout``; nil for no limit.
    public var statementTimeout: Duration?
    /// How long to wait for a lock before ``DatabaseError/Code/lockTimeout``; nil for no limit.
    ///
    /// A save inside a transaction also waits for no longer than this, or than ``checkoutTimeout`` where it is nil, for a
    /// save of the same new object that is under way outside of it.
    public var lockTimeout: Duration?
    /// How long a connection may stay unused before it is closed; nil to keep it.
    public var idleTimeout: Duration?
    /// How many levels of relations a load follows that is not given a depth itself; nil, the default, for all.
    ///
    /// It holds for finds, fetches, queries, streams, reloads and objects of raw SQL. `depth: .max` follows all levels in one call. What an
    /// object can't be made without, and what structs hold, is loaded beyond.
    public var defaultDepth: Int?
    /// How many objects one load may bring, those included that it was asked for; nil, the default, for any number.
    ///
    /// A load that brings more throws ``DatabaseError/Code/unsupported``, and names the type and the relation. It is counted after each
    /// level of relations, so this bounds how far a load goes, not what one statement returns; of a stream, each portion is a
    /// load of its own, and those of a type without relations are not counted.
    public var maximumObjectsPerLoad: Int?
    /// How long a statement may take before it is logged as slow, with the place that called it; nil for any time.
    ///
    /// One second by default. A statement takes until its rows have been read; waiting for a connection does not count.
    public var slowStatementThreshold: Duration?
    /// Whether errors show keys, bound values and the engine's own words, and the log the text of raw SQL.
    ///
    /// Meant for tests and development.
    public var showsValues: Bool
    /// Where the database logs; nowhere by default.
    ///
    /// No message holds a key, a bound value or a password.
    ///
    /// | Level | Message | Metadata |
    /// |---|---|---|
    /// | `warning` | a statement took longer than ``slowStatementThreshold`` | those of `trace` |
    /// | `warning` | a connection could not be opened, or was lost while it was in use | `code`, `reason`, `host`, `port` |
    /// | `warning` | a load brought thousands of objects, once for each relation | `type`, `relation`, `objects` |
    /// | `info` | a connection was lost while it was idle; a migration waits for another | `host`, `port` |
    /// | `debug` | a connection was opened or closed; a transaction is run again | `host`, `port`, `process`, or `file` |
    /// | `trace` | each statement | `operation`, `table`, `duration_ms`, `rows`, `call_site`, `error`, `sql` |
    ///
    /// Statements are logged in the task that called, so that a metadata provider finds that task's values: a request's
    /// identifier, a span. The text of raw SQL is left out, as it may hold values. Finds by key are traced one by one, which takes
    /// the faster ways to run them away.
    public var logger: Logger

    /// Creates a configuration with the defaults of a small server.
    ///
    /// - Parameter makeDriver: Makes the driver when the database is opened.
    public init(makeDriver: @escaping @Sendable (DatabaseConfiguration) throws -> any Driver) {
        self.makeDriver = makeDriver
        self.maximumConnections = 8
        self.connectTimeout = .seconds(10)
        self.checkoutTimeout = .seconds(30)
        self.statementTimeout = nil
        self.lockTimeout = .seconds(10)
        self.idleTimeout = .seconds(300)
        self.defaultDepth = nil
        self.maximumObjectsPerLoad = nil
        self.slowStatementThreshold = .seconds(1)
        self.showsValues = false
        self.logger = Logger(label: "holdfast", factory: { _ in SwiftLogNoOpLogHandler() })
    }

    /// A copy with changes: `.sqlite(path: "x.db").with { $0.showsValues = true }`.
    public func with(_ change: (inout DatabaseConfiguration) -> Void) -> DatabaseConfiguration {
        var copy = self
        change(&copy)
        return copy
    }
}

/// A kind of database that can be named by a URL, for ``Database/open(_:drivers:configure:)``.
public struct DriverType: Sendable {
    /// The URL schemes it answers to, in lower case: `sqlite`, `postgres`.
    public let schemes: [String]
    /// Reads a URL of one of the schemes.
    public let configure: @Sendable (_ url: String) throws -> DatabaseConfiguration

    /// Creates a kind of database: what a driver module does, once.
    public init(schemes: [String], configure: @escaping @Sendable (_ url: String) throws -> DatabaseConfiguration) {
        self.schemes = schemes
        self.configure = configure
    }
}
