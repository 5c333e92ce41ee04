import ArgumentParser
import Holdfast

/// Lists who depends on a package, level by level.
struct NeedsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "needs",
        abstract: "List the packages that need a package, level by level.",
        discussion: """
            First those that depend on it, then those that depend on them. Each is listed once, at the first level that
            reaches it.
            """
    )

    @OptionGroup var package: PackageArgument

    @Option(help: "How many levels to go. Otherwise it goes on until nobody new needs anything.")
    var levels: Int?

    @OptionGroup var options: CatalogOptions

    func validate() throws {
        if let levels, levels < 1 { throw ValidationError("--levels must be 1 or more.") }
    }

    func run() async throws {
        let needs = try await options.withCatalog { db in
            // One snapshot for all levels.
            try await db.read { tx in
                try await Needs(of: package.selection.fetch(from: tx, depth: 0), levels: levels, in: tx)
            }
        }
        try Output.print(needs, asJSON: options.json)
    }
}
