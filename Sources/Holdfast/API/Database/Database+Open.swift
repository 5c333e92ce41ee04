extension Database {
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
    ///   ``DatabaseConfiguration/Migrations/schemaVersion``, and does not accept programs of that version.
    public static func open(_ configuration: DatabaseConfiguration) async throws -> Database {
        let core = try await DatabaseCore(configuration)
        guard let version = configuration.migrations.schemaVersion else { return Database(core: core) }
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
}
