import ArgumentParser
import Holdfast

/// Compares what the database holds with what an index says.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Reload every package, and compare it with the index, field by field and link by link.",
        discussion: """
            It also checks that every row is one object, whatever leads to it. The exit status is 1 if anything differs.
            """
    )

    @OptionGroup var index: IndexArgument
    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let expected = try index.read().packages
        let comparison = try await options.withCatalog { db in
            try await db.read { tx in
                // With everything that a package refers to: the catalogue as one graph, in cycles.
                try await Comparison(
                    expected: expected, found: tx.fetch(DebianPackage.self),
                    maintainerRows: tx.count(Maintainer.self), sectionRows: tx.count(Section.self))
            }
        }
        try Output.print(comparison, asJSON: options.json)
        if !comparison.isEqual { throw ExitCode.failure }
    }
}
