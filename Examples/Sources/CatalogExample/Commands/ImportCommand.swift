import ArgumentParser
import Holdfast

/// Makes the database hold exactly what a package index holds.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Save the packages of an index, in place of what is there.",
        discussion: "It is all or nothing: if the index is malformed, or anything fails, the database stays as it was."
    )

    @OptionGroup var index: IndexArgument
    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        // The whole index is read before the database is touched.
        let index = try index.read()
        let parsed = clock.now
        try await options.withNewCatalog { try await save(index.packages, to: $0) }
        let report = ImportReport(
            packages: index.packages.count,
            superseded: index.supersededCount,
            parseSeconds: (parsed - start).seconds,
            saveSeconds: (clock.now - parsed).seconds
        )
        try Output.print(report, asJSON: options.json)
    }

    private func save(_ packages: [DebianPackage], to db: Database) async throws {
        try await db.transaction { tx in
            // Those first that refer to the others: then no reference is left to be set to nothing.
            try await tx.deleteAll(DebianPackage.self)
            try await tx.deleteAll(Maintainer.self)
            try await tx.deleteAll(Section.self)
            // One save for all: each leads to its maintainer, its section and, in cycles, to other packages.
            try await tx.save(packages)
        }
    }
}

/// What an import did.
struct ImportReport: Encodable {
    let packages: Int
    let superseded: Int
    let parseSeconds: Double
    let saveSeconds: Double
}

extension ImportReport: CustomStringConvertible {
    var description: String {
        var lines = [
            "Read \(packages.grouped) packages in \(parseSeconds.rounded(to: 2)) s, "
                + "saved them in \(saveSeconds.rounded(to: 2)) s."
        ]
        if superseded > 0 {
            lines.append("Left out \(superseded.grouped), of which the index has a newer version.")
        }
        return lines.joined(separator: "\n")
    }
}
