import ArgumentParser
import Foundation
import Holdfast

/// Prints what changes in the catalogue while other programs import newer indexes.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print what others change, as it happens.",
        discussion: """
            From then on, the database keeps a log of changes to packages, so that imports take longer. Press Control-C to
            stop.
            """
    )

    @Option(help: "Stop after so many seconds.")
    var seconds: Int?

    @OptionGroup var options: CatalogOptions

    func run() async throws {
        try await options.withNewCatalog { db in
            try await db.migrate(Schema(DebianPackage.self, logging: [DebianPackage.self]))
            // Before the versions are read: what is committed in between is looked at twice, and nothing is missed.
            let token = try await db.changeToken()
            var versions = try await PackageVersions(in: db)
            try show("watching \(versions.count.grouped) packages\n")
            let deadline = seconds.map { seconds in
                Task {
                    try await Task.sleep(for: .seconds(seconds))
                    Self.exit()
                }
            }
            defer { deadline?.cancel() }
            for try await batch in db.changes(of: DebianPackage.self, after: token, limit: 100_000) {
                if batch.changes.isEmpty { continue }
                let current = try await PackageVersions(in: db)
                for line in versions.changes(to: current) { try show(line + "\n") }
                versions = current
            }
        }
    }

    /// Prints without a buffer, so that whoever watches sees it immediately.
    private func show(_ text: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

/// The version of each package at one time.
struct PackageVersions {
    private var versions: [String: String] = [:]

    init(_ versions: [String: String]) { self.versions = versions }

    init(in db: Database) async throws {
        let rows = try await db.query(DebianPackage.self).select { ($0.name, $0.architecture, $0.version) }.fetch()
        for (name, architecture, version) in rows { versions["\(name):\(architecture)"] = version }
    }

    var count: Int { versions.count }

    /// A line for each package that came, went, or has another version, in the order of their names.
    func changes(to later: PackageVersions) -> [String] {
        Set(versions.keys).union(later.versions.keys).sorted().compactMap { name in
            switch (versions[name], later.versions[name]) {
            case (nil, let version?): "+ \(name) \(version)"
            case (let version?, nil): "- \(name) \(version)"
            case (let old?, let new?) where old != new: "~ \(name) \(old) -> \(new)"
            default: nil
            }
        }
    }
}
