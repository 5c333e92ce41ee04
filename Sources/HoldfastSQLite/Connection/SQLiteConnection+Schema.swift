@_spi(Driver) import Holdfast

extension SQLiteConnection {
    func schema(_ request: SchemaRequest, timeout: Duration?) async throws -> DatabaseSchema {
        // It can be stopped as the statement by which it reads most.
        try await perform(Statement("SELECT * FROM sqlite_schema", isCached: false), timeout) { session in
            try session.schema(request)
        }
    }
}
