import ArgumentParser
import Floor
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// A database that a process of ours works on: a file, or a schema of a server's database.
struct DatabaseLocation: ParsableArguments {
    @Option(help: "What it is a database of.") var engine: Engine
    @Option(help: "The file, or the URL of the server's database.") var database: String
    @Option(help: "The schema, on a server.") var schema = ""
}

extension DatabaseLocation {
    /// As every contestant opens it: on SQLite in WAL, with `synchronous` NORMAL.
    ///
    /// - Parameter trusts: Whether the schema is trusted, which SQLite before 3.41 wants for indexes of JSON.
    func configuration(connections: Int, trusts: Bool = false) -> DatabaseConfiguration {
        switch engine {
        case .sqlite:
            .sqlite(path: database, synchronous: .normal, trustsSchema: trusts).with {
                $0.pool.maximumConnections = connections
            }
        case .postgres:
            .postgres(url: database, schema: schema).with { $0.pool.maximumConnections = connections }
        }
    }

    func openFloor(connections: Int = 1) -> OpaquePointer {
        switch engine {
        case .sqlite: floor_open_sqlite(database, Int32(connections))
        case .postgres: floor_open_postgres(database, schema, Int32(connections))
        }
    }

    /// Makes the tables, as Holdfast does for its own models.
    ///
    /// - Parameter logging: Whether their changes are logged.
    func migrate(logging: Bool = false) async throws {
        let types: [any TableObject.Type] = [Item.self, Project.self, Node.self, Package.self]
        try await Database.withDatabase(configuration(connections: 1)) { db in
            try await db.migrate(Schema(types: types, logging: logging ? types : []))
        }
    }
}
