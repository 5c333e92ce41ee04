@_spi(Driver) public import Holdfast

/// SQLite at one file, the plain way: a queue for each connection, and no more than the contract asks for.
struct PlainDriver: Driver {
    let path: String
    let configuration: DatabaseConfiguration
    let dialect: any Dialect = PlainDialect()
    let sharing = ConnectionSharing.singleWriter

    func connect(_ role: ConnectionRole) async throws -> any DriverConnection {
        try await PlainConnection(configuration).opened(path, role)
    }
}

extension DatabaseConfiguration {
    /// The SQLite database in the file at `path`.
    public static func plainSQLite(path: String) -> DatabaseConfiguration {
        DatabaseConfiguration { PlainDriver(path: path, configuration: $0) }
    }
}
