import ArgumentParser
import Holdfast

/// Makes the database hold exactly what a package index holds.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Save the packages of an index, in place of what is there.",
        discussion: "It is all or nothing: if the index is malformed, or anything fails, the database stays as it was."
    )

    /// How many packages are saved at once: few enough for the progress bar to move.
    private static let batchSize = 1000

    @OptionGroup var index: IndexArgument
    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        // The whole index is read before the database is touched.
        let index = try index.read()
        let parsed = clock.now
        try await options.withCatalog { try await save(index.packages, to: $0) }
        let report = ImportReport(
            packages: index.packages.count,
            superseded: index.supersededCount,
            parseSeconds: (parsed - start).seconds,
            saveSeconds: (clock.now - parsed).seconds
        )
        try Output.print(report, asJSON: options.json)
    }

    private func save(_ packages: [DebianPackage], to db: Database) async throws {
        var progress = ProgressBar(title: "Saving", total: packages.count)
        defer { progress.clear() }
        try await db.transaction { tx in
            try await tx.deleteAll(DebianPackage.self)
            for start in stride(from: 0, to: packages.count, by: Self.batchSize) {
                let end = min(start + Self.batchSize, packages.count)
                try await tx.save(Array(packages[start..<end]))
                progress.advance(to: end)
            }
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
