/// Makes packages of a Debian package index, as its bytes come.
///
/// ```swift
/// var parser = PackageIndexParser()
/// while let chunk = try file.read(upToCount: 65_536), !chunk.isEmpty { try parser.read(Array(chunk)) }
/// let index = try parser.finish()
/// ```
///
/// It reads the status database of dpkg and the `Packages` files of archives. As `dpkg-query` does, it passes over
/// packages that dpkg remembers although nothing of them is installed. An archive may offer several versions of a
/// package; as apt does, it takes the newest. Fields that ``DebianPackage`` has no property for are checked for their
/// form only. At the end, ``DependencyResolver`` finds the packages that dependencies lead to.
struct PackageIndexParser {
    private var reader = StanzaReader()
    private var index = PackageIndex()
    private var shared = SharedObjects()
    private var places: [PackageKey: Place] = [:]
    private var hasBegun = false

    /// Where a package is: in the array of packages, and in the index.
    private struct Place {
        let position: Int
        var line: Int
    }

    /// Reads more of the index.
    ///
    /// - Throws: `PackageIndexError` if it is malformed. The parser is of no use after that.
    mutating func read(_ chunk: [UInt8]) throws {
        if !hasBegun, !chunk.isEmpty {
            hasBegun = true
            guard !isCompressed(chunk) else { throw PackageIndexError(line: 1, problem: .compressed) }
        }
        for stanza in try reader.read(chunk) { try add(stanza) }
    }

    /// Ends the index.
    ///
    /// - Throws: `PackageIndexError` if it is malformed, or holds no package at all: that is more likely to be the end
    ///   of a broken pipe than an empty archive.
    mutating func finish() throws -> PackageIndex {
        if let stanza = try reader.finish() { try add(stanza) }
        guard !index.packages.isEmpty else { throw PackageIndexError(line: reader.line, problem: .noPackages) }
        index.resolveDependencies()
        return index
    }

    private mutating func add(_ stanza: Stanza) throws {
        guard let package = try stanza.package(sharing: &shared) else { return }
        let line = stanza.firstLine
        guard let place = places[package.key] else {
            places[package.key] = Place(position: index.packages.count, line: line)
            index.packages.append(package)
            return
        }
        let (known, new) = (DebianVersion(index.packages[place.position].version), DebianVersion(package.version))
        guard known != new else {
            let problem = PackageIndexError.Problem.duplicatePackage(package.key, firstLine: place.line)
            throw PackageIndexError(line: line, problem: problem)
        }
        index.supersededCount += 1
        if known < new {
            index.packages[place.position] = package
            places[package.key]?.line = line
        }
    }

    /// Whether the bytes begin as the files of gzip, xz, zstd or lz4 do.
    private func isCompressed(_ bytes: [UInt8]) -> Bool {
        [[0x1F, 0x8B], [0xFD, 0x37, 0x7A, 0x58], [0x28, 0xB5, 0x2F, 0xFD], [0x04, 0x22, 0x4D, 0x18]]
            .contains { bytes.starts(with: $0) }
    }
}
