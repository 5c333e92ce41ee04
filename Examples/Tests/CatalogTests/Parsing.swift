@testable import CatalogExample

/// Parses an index that is given as text.
func parse(_ text: String) throws -> PackageIndex {
    try parse(Array(text.utf8))
}

/// Parses an index in chunks of that many bytes, all in one if there is no such number.
func parse(_ bytes: [UInt8], chunkSize: Int? = nil) throws -> PackageIndex {
    let size = chunkSize ?? max(bytes.count, 1)
    var parser = PackageIndexParser()
    for start in stride(from: 0, to: bytes.count, by: size) {
        try parser.read(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    return try parser.finish()
}

/// The fields without which there is no package, and more.
func stanza(_ name: String, architecture: String = "all", version: String = "1.0", _ more: String...) -> String {
    (["Package: \(name)", "Architecture: \(architecture)", "Version: \(version)"] + more)
        .map { $0 + "\n" }.joined() + "\n"
}
