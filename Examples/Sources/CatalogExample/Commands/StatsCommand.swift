import ArgumentParser
import Holdfast

/// Prints what the catalogue holds, in numbers.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Count the packages, and add up their sizes."
    )

    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let statistics = try await options.withCatalog { db in
            // One snapshot, so that the numbers fit together whatever others write.
            try await db.read { try await Statistics(of: $0) }
        }
        try Output.print(statistics, asJSON: options.json)
    }
}
