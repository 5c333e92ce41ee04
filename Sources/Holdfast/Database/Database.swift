/// An open database: objects are saved to it, and fetched from it.
///
/// ```swift
/// let db = try await Database.open(.sqlite(path: "catalog.db"))
/// try await db.migrate(Project.self)
/// let project = Project(name: "Apollo")
/// try await db.save(project)                  // project.id is set
/// let same = try await db.find(Project.self, key: project.id!)
/// try await db.close()
/// ```
///
/// It can be shared by any number of tasks. Each operation borrows a connection for its own duration; what has to
/// happen together belongs in ``transaction(isolation:maxRetries:fileID:line:_:)``.
public final class Database: DatabaseContext {
    let core: DatabaseCore

    init(core: DatabaseCore) { self.core = core }

    public var _access: DatabaseAccess { DatabaseAccess(kind: .database(core)) }

    /// What the engine behind this database can do.
    public var capabilities: Capabilities { core.capabilities }

    /// Opens the database that `configuration` names, and connects to it once.
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect``, ``DatabaseError/Code/authenticationFailed``,
    ///   ``DatabaseError/Code/corrupt`` or ``DatabaseError/Code/unsupported`` (an engine that is too old, or not UTF-8).
    public static func open(_ configuration: DatabaseConfiguration) async throws -> Database {
        Database(core: try await DatabaseCore(configuration))
    }

    /// Opens the database that `url` names, with whichever of `drivers` answers to its scheme.
    ///
    /// ```swift
    /// let db = try await Database.open(environment["DATABASE_URL"] ?? "sqlite:dev.db", drivers: [.sqlite, .postgres])
    /// ```
    ///
    /// - Parameters:
    ///   - url: Such as `sqlite:catalog.db` or `postgres://app@db/prod`.
    ///   - drivers: The drivers to choose from.
    ///   - configure: Changes to the configuration that the URL gives.
    public static func open(
        _ url: String, drivers: [DriverType], configure: (inout DatabaseConfiguration) -> Void = { _ in }
    ) async throws -> Database {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard let driver = drivers.first(where: { $0.schemes.contains(scheme) }) else {
            let known = drivers.flatMap(\.schemes).map { "\($0):" }.joined(separator: ", ")
            throw DatabaseError(
                .unsupported, "The database URL has none of the schemes of the drivers given: \(known).")
        }
        return try await open(driver.configure(url).with(configure))
    }

    /// Opens a database, lends it to `body`, and closes it whatever happens.
    @discardableResult
    public static func withDatabase<Output>(
        _ configuration: DatabaseConfiguration,
        _ body: nonisolated(nonsending) (Database) async throws -> Output
    ) async throws -> Output {
        try await lend(open(configuration), body)
    }

    /// Opens the database that `url` names, lends it to `body`, and closes it whatever happens.
    @discardableResult
    public static func withDatabase<Output>(
        _ url: String, drivers: [DriverType],
        _ body: nonisolated(nonsending) (Database) async throws -> Output
    ) async throws -> Output {
        try await lend(open(url, drivers: drivers), body)
    }

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

    /// Waits for what is under way, closes every connection, and refuses everything afterwards.
    ///
    /// Closing again waits for the first close and does nothing more.
    ///
    /// It waits for transactions and streams for as long as they take; ``close(within:)`` does not.
    ///
    /// - Throws: ``DatabaseError/Code/nestedCheckout`` inside a transaction of this database, or inside a loop over one of
    ///   its streams, which it would wait for.
    public func close() async throws {
        try CurrentLease.check(core.id)
        try core.streams.check()
        await core.close()
    }

    /// Waits for what is under way, but only for so long; then stops it, closes every connection, and refuses everything
    /// afterwards.
    ///
    /// ```swift
    /// try await db.close(within: .seconds(20))   // a server that was told to stop
    /// ```
    ///
    /// From the deadline on, whoever waits for a connection gets ``DatabaseError/Code/closed``; a statement that is under
    /// way ends with ``DatabaseError/Code/cancelled``, as if its task had been cancelled; and what a transaction or a
    /// stream does next throws ``DatabaseError/Code/closed``, so that it is rolled back. A closure that goes on without the
    /// database is waited for one more second. Its connection is closed when it returns.
    ///
    /// - Parameter limit: How long to wait for what is under way.
    /// - Throws: ``DatabaseError/Code/nestedCheckout`` as ``close()`` does.
    public func close(within limit: Duration) async throws {
        try CurrentLease.check(core.id)
        try core.streams.check()
        await core.close(within: limit)
    }
}
