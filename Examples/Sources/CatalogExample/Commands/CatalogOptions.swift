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

    /// Opens the database to read it, and closes it afterwards; what isn't there is an error, and is not made.
    func withCatalog<Output>(
        _ body: nonisolated(nonsending) (Database) async throws -> Output
    ) async throws -> Output {
        try await withDatabase(.readOnly, body)
    }

    /// Opens the database to write to it, prepares its tables, and closes it afterwards.
    func withNewCatalog<Output>(
        _ body: nonisolated(nonsending) (Database) async throws -> Output
    ) async throws -> Output {
        try await withDatabase(.create) { db in
            try await db.migrate(DebianPackage.self, Maintainer.self, Section.self)
            return try await body(db)
        }
    }

    private func withDatabase<Output>(
        _ mode: SQLiteMode, _ body: nonisolated(nonsending) (Database) async throws -> Output
    ) async throws -> Output {
        guard namesScheme else {
            return try await Database.withDatabase(.sqlite(path: database, mode: mode)) { try await body($0) }
        }
        return try await Database.withDatabase(database, drivers: [.sqlite(mode: mode), .postgres]) {
            try await body($0)
        }
    }

    /// Whether the database is given as a URL, and not as the path of a file.
    private var namesScheme: Bool {
        guard let colon = database.firstIndex(of: ":") else { return false }
        return database[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+") }
    }
}
