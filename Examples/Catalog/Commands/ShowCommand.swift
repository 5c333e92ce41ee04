import ArgumentParser
import Holdfast

/// Prints packages whole.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a package with all its fields.")

    @Argument(help: "The name of a package, with an architecture if only that one is meant: libc6 or libc6:amd64.")
    var name: String

    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let packages = try await options.withCatalog { try await find(in: $0) }
        guard !packages.isEmpty else { throw CatalogError.noPackage(name) }
        if options.json {
            try Output.printJSON(packages)
        } else {
            print(packages.map(\.sheet).joined(separator: "\n\n"))
        }
    }

    private func find(in db: Database) async throws -> [DebianPackage] {
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2 {
            return try await db.find(DebianPackage.self, key: Key(parts[0], parts[1])).map { [$0] } ?? []
        }
        let sql: SQLFragment = "SELECT * FROM \(DebianPackage.self) WHERE name = \(name) ORDER BY architecture"
        return try await db.sql(sql).fetch(DebianPackage.self)
    }
}

/// What a command could not do.
enum CatalogError: Error, CustomStringConvertible {
    case noPackage(String)

    var description: String {
        switch self {
        case .noPackage(let name):
            "The catalogue has no package \(name). Look for it with catalog search, or import an index first."
        }
    }
}
