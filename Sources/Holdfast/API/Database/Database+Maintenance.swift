extension Database {
    /// Reclaims the space of deleted and changed rows.
    ///
    /// ```swift
    /// try await db.vacuum(Project.self)
    /// // VACUUM "project", "project_tags"     (PostgreSQL)
    /// // VACUUM                               (SQLite)
    /// ```
    ///
    /// PostgreSQL makes the room usable for new rows, while others read and write; it also does so by itself now and
    /// then. SQLite writes the whole file anew, whatever the types, so that it becomes smaller: meanwhile nobody else
    /// can write, and the disk needs room for a second copy. The statement timeout applies. It can't run in a
    /// transaction, nor through a pooler of PostgreSQL that shares sessions.
    ///
    /// - Parameters:
    ///   - types: The types whose tables and join tables are meant; none for all tables of the database.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/unsupported`` if the engine has nothing like it.
    public func vacuum(
        _ types: any TableObject.Type..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        guard core.capabilities.vacuums else {
            throw DatabaseError(
                .unsupported,
                "Tables can't be vacuumed here: the engine has no such statement, or a transaction pooler shares its "
                    + "sessions. Vacuum over a connection to the server itself.")
        }
        try await maintain(dialect: { $0.vacuum($1) }, types, LeasePurpose("vacuum", at: CallSite(fileID, line)))
    }

    /// Lets the engine look at the values of tables, so that it chooses good plans for queries.
    ///
    /// ```swift
    /// try await db.analyze(Project.self)
    /// // ANALYZE "project", "project_tags"
    /// ```
    ///
    /// It also refreshes ``DatabaseSchema/Table/rowEstimate``. PostgreSQL reads a sample while others read and write,
    /// and does so by itself after many changes. SQLite reads all indexes, during which nobody else can write, and
    /// never does it by itself; open connections keep using the statistics that they have already read.
    ///
    /// - Parameters:
    ///   - types: The types whose tables and join tables are meant; none for all tables of the database.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/unsupported`` if the engine has nothing like it.
    public func analyze(
        _ types: any TableObject.Type..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await maintain(dialect: { $0.analyze($1) }, types, LeasePurpose("analyze", at: CallSite(fileID, line)))
    }

    private func maintain(
        dialect statements: (any Dialect, [TableName]) -> [String]?, _ types: [any TableObject.Type],
        _ purpose: LeasePurpose
    ) async throws {
        var tables: [TableName] = []
        for type in types {
            let names = type.ownDescription.definitions.map { TableName(schema: $0.schema, $0.name) }
            tables += names.filter { !tables.contains($0) }
        }
        guard let statements = statements(core.dialect, tables) else {
            throw DatabaseError(.unsupported, "The engine has no such statement, or its driver does not know it.")
        }
        try await DatabaseAccess(kind: .database(core)).perform(.maintenance, purpose: purpose) { session, _ in
            for sql in statements { try await session.execute(Statement(sql, isCached: false)) }
        }
    }

    /// Deletes a database with everything in it.
    ///
    /// ```swift
    /// try await Database.deleteDatabase(.sqlite(path: "data/catalog.db"), confirmingName: "catalog.db")
    /// try await Database.deleteDatabase(.postgres(url: "postgres://admin@db/catalog"), confirmingName: "catalog")
    /// // DROP DATABASE "catalog"
    /// ```
    ///
    /// The deletion can't be undone. It is refused while anybody is connected, so close the database first. On SQLite,
    /// the file is deleted with its `-wal` and `-shm` files, under a lock that can't be had while a connection in
    /// write-ahead-log mode is open; an idle program that uses another journal mode goes unnoticed.
    /// PostgreSQL drops the database with all its schemas, over a connection to the database `postgres`; the role has
    /// to own it, and the server waits up to five seconds for sessions to end.
    ///
    /// - Parameters:
    ///   - configuration: The database.
    ///   - name: The name of the database of PostgreSQL, or of the file of SQLite without its directory, so that no
    ///     wrong configuration deletes anything.
    /// - Throws: ``DatabaseError/Code/conflict`` if the database has another name or is in use;
    ///   ``DatabaseError/Code/notFound`` if there is no such file; ``DatabaseError/Code/cannotConnect`` if there is no
    ///   such database; ``DatabaseError/Code/unsupported`` for a database in memory, and if the driver deletes none.
    public static func deleteDatabase(_ configuration: DatabaseConfiguration, confirmingName name: String) async throws
    {
        let driver = try configuration.makeDriver(configuration)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await driver.deleteDatabase(confirmingName: name))
        } catch {
            outcome = .failure(error)
        }
        await driver.shutdown()
        try outcome.get()
    }
}
