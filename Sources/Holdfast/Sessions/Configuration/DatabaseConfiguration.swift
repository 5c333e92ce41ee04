/// The database to open, and its options, in groups.
///
/// ```swift
/// let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with {
///     $0.timeouts.statement = .seconds(5)
///     $0.telemetry.showsValues = true
/// }
/// ```
///
/// The drivers' modules add the functions that create one: `.sqlite(path:)`, `.postgres(url:)`. The defaults are those
/// of a small server.
public struct DatabaseConfiguration: Sendable {
    /// Creates the driver when the database is opened, from the final configuration.
    @_spi(Driver) public var makeDriver: @Sendable (DatabaseConfiguration) throws -> any Driver

    /// How many connections there are, and how long they live.
    public var pool = Pool()
    /// How long connecting, opening, closing, statements and waits for locks may take.
    public var timeouts = Timeouts()
    /// What the program knows of the schema, and how long `migrate` waits for others.
    public var migrations = Migrations()
    /// How much a fetch loads.
    public var loading = Loading()
    /// When objects expire, and when their rows are deleted.
    public var expiry = Expiry()
    /// How the change log is read.
    public var changeLog = ChangeLog()
    /// What is logged and counted, and what logs and errors may show.
    public var telemetry = Telemetry()

    /// The functions of the program that queries call, where the engine runs in its process; a server has its own.
    ///
    /// ```swift
    /// $0.functions.append(similarity.computed { (a: String, b: String) in commonTrigrams(a, b) })
    /// ```
    ///
    /// Opening a database throws ``DatabaseError/Code/invalidValue`` for a name that the engine or another function of
    /// the program has.
    public var functions: [ProgramFunction] = []

    /// Creates a configuration with the defaults of a small server.
    ///
    /// - Parameter makeDriver: Creates the driver when the database is opened.
    @_spi(Driver) public init(makeDriver: @escaping @Sendable (DatabaseConfiguration) throws -> any Driver) {
        self.makeDriver = makeDriver
    }

    /// Returns a changed copy.
    ///
    /// ```swift
    /// let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with { $0.pool.maximumConnections = 4 }
    /// ```
    public func with(_ change: (inout DatabaseConfiguration) -> Void) -> DatabaseConfiguration {
        var copy = self
        change(&copy)
        return copy
    }

    /// The configuration with times that can be computed with: those that mean "for ever" are a century.
    var withBoundedTimes: DatabaseConfiguration {
        with {
            $0.pool.boundTimes()
            $0.timeouts.boundTimes()
            $0.migrations.boundTimes()
            $0.expiry.boundTimes()
            $0.changeLog.boundTimes()
            $0.telemetry.boundTimes()
        }
    }
}
