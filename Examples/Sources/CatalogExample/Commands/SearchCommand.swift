import ArgumentParser
import Holdfast

/// Lists the packages that mention something.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "List the packages with a text in their name, summary or description.",
        discussion: "Capital and small letters of the Latin alphabet are the same."
    )

    @Argument(help: "The text to look for.")
    var text: String

    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let matches = try await options.withCatalog { try await find(in: $0) }
        if options.json {
            try Output.printJSON(matches)
        } else {
            for match in matches { print("\(match.name):\(match.architecture) \(match.version) - \(match.summary)") }
        }
    }

    private func find(in db: Database) async throws -> [Match] {
        let pattern = likePattern
        return try await db.sql(
            """
            SELECT name, architecture, version, coalesce(summary, '') AS summary
            FROM \(DebianPackage.self)
            WHERE lower(name) LIKE \(pattern) ESCAPE '!'
                OR lower(summary) LIKE \(pattern) ESCAPE '!'
                OR lower(description) LIKE \(pattern) ESCAPE '!'
            ORDER BY name, architecture
            """
        ).fetch(as: Match.self)
    }

    /// The text anywhere, with its small letters, and with nothing in it that LIKE would take for a wild card.
    private var likePattern: String {
        var pattern = "%"
        for scalar in text.unicodeScalars {
            if "!%_".unicodeScalars.contains(scalar) { pattern += "!" }
            pattern.unicodeScalars.append(scalar)
        }
        return String(decoding: (pattern + "%").utf8.map(\.asciiLowercased), as: UTF8.self)
    }
}

/// A package that a search found.
struct Match: Codable {
    let name: String
    let architecture: String
    let version: String
    let summary: String
}

extension UInt8 {
    fileprivate var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
