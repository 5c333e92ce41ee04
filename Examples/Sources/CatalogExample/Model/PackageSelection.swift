import Holdfast

/// The packages that somebody names: that of one architecture, or all that have the name.
struct PackageSelection {
    let name: String
    let architecture: String?

    /// Creates the selection of a text such as `libc6` or `libc6:amd64`.
    ///
    /// - Parameter architecture: The architecture, if it is given apart from the text.
    init(_ text: String, architecture: String? = nil) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        name = parts.count == 2 ? parts[0] : text
        self.architecture = architecture ?? (parts.count == 2 ? parts[1] : nil)
    }

    /// Fetches the packages, and what they lead to by so many levels.
    ///
    /// - Throws: `CatalogError.noPackage` if there is none.
    func fetch(from db: some DatabaseContext, depth: Int) async throws -> [DebianPackage] {
        let architectures =
            if let architecture {
                [architecture]
            } else {
                try await db.sql(
                    "SELECT architecture FROM \(DebianPackage.self) WHERE name = \(name) ORDER BY architecture"
                ).fetch(as: String.self)
            }
        let packages = try await db.fetch(DebianPackage.self, keys: architectures.map { Key(name, $0) }, depth: depth)
        guard !packages.isEmpty else { throw CatalogError.noPackage("\(self)") }
        return packages
    }
}

extension PackageSelection: CustomStringConvertible {
    var description: String { architecture.map { "\(name):\($0)" } ?? name }
}

/// What a command could not do.
enum CatalogError: Error, Equatable, CustomStringConvertible {
    case noPackage(String)

    var description: String {
        switch self {
        case .noPackage(let name):
            "The catalogue has no package \(name). Look for it with catalog search, or import an index first."
        }
    }
}
