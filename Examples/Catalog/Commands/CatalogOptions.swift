import ArgumentParser
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

/// What every command takes.
struct CatalogOptions: ParsableArguments {
    @Option(
        name: .customLong("db"),
        help:
            "The database: a URL such as sqlite:catalog.db or postgres://user:password@host/name, or a file for SQLite."
    )
    var database = "catalog.db"

    @Flag(help: "Print JSON.")
    var json = false

    /// Opens the database, prepares its tables, and closes it afterwards.
    func withCatalog<Output>(
        _ body: nonisolated(nonsending) (Database) async throws -> Output
    ) async throws -> Output {
        func prepared(_ db: Database) async throws -> Output {
            try await db.migrate(DebianPackage.self, Maintainer.self, Section.self)
            return try await body(db)
        }
        guard namesScheme else {
            return try await Database.withDatabase(.sqlite(path: database)) { try await prepared($0) }
        }
        return try await Database.withDatabase(database, drivers: [.sqlite, .postgres]) { try await prepared($0) }
    }

    /// Whether the database is given as a URL, and not as the path of a file.
    private var namesScheme: Bool {
        guard let colon = database.firstIndex(of: ":") else { return false }
        return database[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+") }
    }
}
