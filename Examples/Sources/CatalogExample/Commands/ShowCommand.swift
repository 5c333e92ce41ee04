import ArgumentParser
import Holdfast

/// Prints packages whole.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a package with all its fields.")

    @OptionGroup var package: PackageArgument
    @OptionGroup var options: CatalogOptions

    func run() async throws {
        // One level: the maintainer, the section and the packages that it depends on, and not what those depend on.
        let packages = try await options.withCatalog { db in
            try await db.read { try await package.selection.fetch(from: $0, depth: 1) }
        }
        if options.json {
            try Output.printJSON(packages)
        } else {
            print(packages.map(\.sheet).joined(separator: "\n\n"))
        }
    }
}
