import ArgumentParser
import Holdfast

/// Compares what the database holds with what an index says.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Reload every package, and compare it with the index field by field.",
        discussion: "The exit status is 1 if anything differs."
    )

    @OptionGroup var index: IndexArgument
    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let expected = try index.read().packages
        let comparison = try await options.withCatalog { db in
            try await Comparison(expected: expected, found: db.fetch(DebianPackage.self))
        }
        try Output.print(comparison, asJSON: options.json)
        if !comparison.isEqual { throw ExitCode.failure }
    }
}
