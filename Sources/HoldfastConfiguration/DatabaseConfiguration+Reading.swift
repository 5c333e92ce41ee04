public import Configuration
public import Holdfast

extension DatabaseConfiguration {
    /// Reads a configuration: from the environment, files, or whatever the reader has.
    ///
    /// ```swift
    /// import HoldfastConfiguration
    ///
    /// let config = ConfigReader(provider: EnvironmentVariablesProvider()).scoped(to: "database")
    /// let db = try await Database.open(DatabaseConfiguration(reading: config, drivers: [.sqlite, .postgres]))
    /// // DATABASE_URL=postgres://app@db/prod DATABASE_MAXIMUM_CONNECTIONS=16
    /// ```
    ///
    /// | key | environment, scoped to `database` | meaning |
    /// |---|---|---|
    /// | `url` | `DATABASE_URL` | the URL, which has to be there; a secret |
    /// | `maximumConnections` | `DATABASE_MAXIMUM_CONNECTIONS` | `pool.maximumConnections` |
    /// | `checkoutTimeout` | `DATABASE_CHECKOUT_TIMEOUT` | `pool.checkoutTimeout`, in seconds |
    /// | `idleTimeout` | `DATABASE_IDLE_TIMEOUT` | `pool.idleTimeout`, in seconds |
    /// | `maximumConnectionLifetime` | `DATABASE_MAXIMUM_CONNECTION_LIFETIME` | `pool.maximumConnectionLifetime`, in seconds |
    /// | `connectTimeout` | `DATABASE_CONNECT_TIMEOUT` | `timeouts.connect`, in seconds |
    /// | `startTimeout` | `DATABASE_START_TIMEOUT` | `timeouts.start`, in seconds |
    /// | `shutdownTimeout` | `DATABASE_SHUTDOWN_TIMEOUT` | `timeouts.shutdown`, in seconds |
    /// | `statementTimeout` | `DATABASE_STATEMENT_TIMEOUT` | `timeouts.statement`, in seconds |
    /// | `lockTimeout` | `DATABASE_LOCK_TIMEOUT` | `timeouts.lock`, in seconds |
    ///
    /// What is not there stays as the driver has it.
    ///
    /// - Parameters:
    ///   - config: The reader, scoped to the keys of the database.
    ///   - drivers: The drivers to choose from, by the scheme of the URL.
    /// - Throws: The reader's error if there is no URL; `DatabaseError.Code.unsupported` for a URL of none of the
    ///   drivers, `DatabaseError.Code.cannotConnect` for one that can't be read, and
    ///   `DatabaseError.Code.invalidValue` for a time or a number that is none.
    public init(reading config: ConfigReader, drivers: [DriverType]) throws {
        let url = try config.requiredString(forKey: "url", isSecret: true)
        self = try DriverType.driver(for: url, among: drivers).configure(url)
        func seconds(_ key: ConfigKey, _ property: WritableKeyPath<DatabaseConfiguration, Duration>) throws {
            if let time = try Self.time(config, key) { self[keyPath: property] = time }
        }
        func seconds(_ key: ConfigKey, _ property: WritableKeyPath<DatabaseConfiguration, Duration?>) throws {
            if let time = try Self.time(config, key) { self[keyPath: property] = time }
        }
        if let count = config.int(forKey: "maximumConnections") { pool.maximumConnections = count }
        try seconds("checkoutTimeout", \.pool.checkoutTimeout)
        try seconds("idleTimeout", \.pool.idleTimeout)
        try seconds("maximumConnectionLifetime", \.pool.maximumConnectionLifetime)
        try seconds("connectTimeout", \.timeouts.connect)
        try seconds("startTimeout", \.timeouts.start)
        try seconds("shutdownTimeout", \.timeouts.shutdown)
        try seconds("statementTimeout", \.timeouts.statement)
        try seconds("lockTimeout", \.timeouts.lock)
    }

    private static func time(_ config: ConfigReader, _ key: ConfigKey) throws -> Duration? {
        guard let seconds = config.double(forKey: key) else { return nil }
        // Beyond a century it means "never", and is more than a duration of the runtime's timers holds.
        guard seconds >= 0, seconds < 3e9 else {
            throw DatabaseError(.invalidValue, "The configuration's \"\(key)\" is no time in seconds.")
        }
        return .seconds(seconds)
    }
}
