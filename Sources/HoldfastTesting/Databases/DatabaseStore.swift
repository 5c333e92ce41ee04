import Holdfast

/// Where the databases of tests are made, on one engine.
protocol DatabaseStore: Sendable {
    /// Bounds how many tests have a database at a time.
    func gate(_ engine: DriverType) async throws -> Gate

    /// Makes a database that nobody else uses.
    ///
    /// - Parameters:
    ///   - template: What it begins as.
    ///   - engine: The driver with which the template is opened.
    func makeDatabase(_ template: DatabaseTemplate, _ engine: DriverType) async throws -> StoredDatabase
}

/// A database that was made for a test.
struct StoredDatabase: Sendable {
    /// How it is opened.
    let url: String
    /// Removes it with everything in it.
    ///
    /// Connections to it may still be open if their test has leaked them.
    let remove: @Sendable () async throws -> Void
}

extension DriverType {
    /// Where databases of this engine are made, as the schemes of its URLs say.
    var store: any DatabaseStore {
        get throws {
            if schemes.contains("sqlite") { return FileStore.shared }
            if schemes.contains("postgres") { return ServerStore.shared }
            throw DatabaseError(
                .unsupported,
                "Databases for tests can be made with the drivers of SQLite and PostgreSQL, and not with this one.")
        }
    }
}
