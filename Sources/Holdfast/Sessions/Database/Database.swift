/// An open database, which saves and fetches objects.
///
/// ```swift
/// let db = try await Database.open(.sqlite(path: "catalog.db"))
/// try await db.migrate(Project.self)
/// let project = Project(name: "Apollo")
/// try await db.save(project)                  // project.id is set
/// let same = try await db.find(Project.self, key: project.id ?? 0)
/// try await db.close()
/// ```
///
/// Any number of tasks can share it. Each operation borrows a connection while it runs. Use
/// ``transaction(isolation:maxRetries:fileID:line:_:)`` for operations that belong together.
public final class Database: DatabaseContext {
    let core: DatabaseCore

    init(core: DatabaseCore) { self.core = core }

    public var _access: DatabaseAccess { DatabaseAccess(kind: .database(core)) }

    /// The features of the engine.
    public var capabilities: Capabilities { core.capabilities }

    /// Opens a database by a configuration, and connects to it once.
    ///
    /// ```swift
    /// let db = try await Database.open(.sqlite(path: "catalog.db"))
    /// let server = try await Database.open(.postgres(url: "postgres://app@db.example.org/catalog"))
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect``, ``DatabaseError/Code/authenticationFailed``,
    ///   ``DatabaseError/Code/corrupt`` or ``DatabaseError/Code/unsupported`` (an engine that is too old, or not
    ///   UTF-8); ``DatabaseError/Code/conflict`` if the database is newer than
    ///   ``DatabaseConfiguration/schemaVersion``, and does not accept programs of that version.
    public static func open(_ configuration: DatabaseConfiguration) async throws -> Database {
        let core = try await DatabaseCore(configuration)
        guard let version = configuration.schemaVersion else { return Database(core: core) }
        do {
            let database = Database(core: core)
            _ = try SchemaVersion.standing(of: version...version, to: try await database.acceptedSchemaVersions())
            return database
        } catch {
            await core.close()
            throw error
        }
    }

    /// Opens a database by its URL, with the driver that supports the URL's scheme.
    ///
    /// ```swift
    /// let db = try await Database.open(environment["DATABASE_URL"] ?? "sqlite:dev.db", drivers: [.sqlite, .postgres])
    /// ```
    ///
    /// - Parameters:
    ///   - url: Such as `sqlite:catalog.db` or `postgres://app@db/prod`.
    ///   - drivers: The drivers to choose from.
    ///   - configure: Changes the configuration from the URL.
    public static func open(
        _ url: String, drivers: [DriverType], configure: (inout DatabaseConfiguration) -> Void = { _ in }
    ) async throws -> Database {
        try await open(DriverType.driver(for: url, among: drivers).configure(url).with(configure))
    }

    /// Opens a database, passes it to `body`, and always closes it.
    ///
    /// ```swift
    /// try await Database.withDatabase(.sqlite(path: "catalog.db")) { db in
    ///     try await db.migrate(Project.self)
    /// }
    /// ```
    @discardableResult
    public static func withDatabase<Output>(
        _ configuration: DatabaseConfiguration,
        _ body: nonisolated(nonsending) (Database) async throws -> Output
    ) async throws -> Output {
        try await lend(open(configuration), body)
    }

    /// Opens a database by its URL, passes it to `body`, and always closes it.
    @discardableResult
    public static func withDatabase<Output>(
        _ url: String, drivers: [DriverType],
        _ body: nonisolated(nonsending) (Database) async throws -> Output
    ) async throws -> Output {
        try await lend(open(url, drivers: drivers), body)
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private static func lend<Output>(
        _ database: Database, _ body: nonisolated(nonsending) (Database) async throws -> Output
    ) async throws -> Output {
        let output: Output
        do {
            output = try await body(database)
        } catch {
            try await database.close()
            throw error
        }
        try await database.close()
        return output
    }

    /// Waits for running operations and closes every connection.
    ///
    /// Later operations throw ``DatabaseError/Code/closed``.
    ///
    /// A second call waits for the first one.
    ///
    /// It waits for transactions and streams, however long they take; ``close(within:)`` limits the time.
    ///
    /// - Throws: ``DatabaseError/Code/nestedCheckout`` inside a transaction of this database, or inside a loop over one
    ///   of its streams, since it would wait for itself.
    public func close() async throws {
        try CurrentLease.check(core.id)
        try core.streamTasks.check()
        await core.close()
    }

    /// Waits for running operations for a limited time, then stops them and closes every connection.
    ///
    /// ```swift
    /// try await db.close(within: .seconds(20))   // when a server shuts down
    /// ```
    ///
    /// After the deadline, operations that wait for a connection throw ``DatabaseError/Code/closed``. Running
    /// statements end with ``DatabaseError/Code/cancelled``, as if their tasks had been cancelled. The next operation
    /// of a transaction or a stream throws ``DatabaseError/Code/closed``, so that it rolls back. A closure that
    /// continues without the database gets one more second; its connection is closed when it returns.
    ///
    /// - Parameter limit: The time to wait for running operations.
    /// - Throws: ``DatabaseError/Code/nestedCheckout``, as ``close()`` does.
    public func close(within limit: Duration) async throws {
        try CurrentLease.check(core.id)
        try core.streamTasks.check()
        await core.close(within: limit)
    }

    /// Closes the database as ``close(within:)`` does, in the time that its configuration leaves at a shutdown.
    package func closeAtShutdown() async throws { try await close(within: core.configuration.shutdownTimeout) }
}
