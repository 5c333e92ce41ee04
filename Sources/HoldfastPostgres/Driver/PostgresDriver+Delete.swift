@_spi(Driver) import Holdfast

extension PostgresDriver {
    /// Drops the database, over a connection to another one of the server.
    func deleteDatabase(confirmingName name: String) async throws {
        let found = try await using(options) { try await $0.text("SELECT current_database()") }
        guard found.utf8.elementsEqual(name.utf8) else {
            throw DatabaseError(
                .conflict, "The database is named \"\(found)\", not \"\(name)\". Nothing was deleted.")
        }
        // The last "dbname" wins, and only the first is read as a connection string.
        var maintenance = options
        maintenance.keywords.append(("dbname", found == "postgres" ? "template1" : "postgres"))
        let drop = "DROP DATABASE \(PostgresDialect().quoted(found))"
        do {
            // The server waits up to five seconds for sessions that end, such as the one that was asked.
            try await using(maintenance) { try await $0.execute(drop) }
        } catch var error as DatabaseError where error.engineCode == "55006" {
            error.code = .conflict
            error.message = "The database \"\(found)\" is in use. Close all connections to it. Nothing was deleted."
            throw error
        }
    }

    /// Calls `body` with a connection of a driver of its own.
    private func using<Output>(
        _ options: PostgresOptions, _ body: (PostgresConnection) async throws -> sending Output
    ) async throws -> sending Output {
        let driver = try PostgresDriver(options, configuration)
        let outcome: Result<Output, any Error>
        do {
            let connection = try await driver.open(.write)
            do {
                outcome = .success(try await body(connection))
            } catch {
                outcome = .failure(error)
            }
            await connection.close()
        } catch {
            await driver.shutdown()
            throw error
        }
        await driver.shutdown()
        return try outcome.get()
    }
}

extension PostgresConnection {
    fileprivate func execute(_ sql: String) async throws {
        try await run(Statement(sql, isCached: false), .none, timeout: configuration.timeouts.statement) { rows in
            while try rows.next() != nil {}
        }
    }

    fileprivate func text(_ sql: String) async throws -> String {
        try await run(Statement(sql, isCached: false), .none, timeout: configuration.timeouts.statement) { rows in
            try rows.next().map { String(decoding: $0[0].bytes, as: UTF8.self) } ?? ""
        }
    }
}
