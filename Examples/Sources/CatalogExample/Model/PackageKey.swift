/// What identifies a package: its name and its architecture, compared byte by byte.
struct PackageKey: Hashable, Sendable {
    private let nameBytes: ByteString
    private let architectureBytes: ByteString

    init(name: String, architecture: String) {
        nameBytes = ByteString(name)
        architectureBytes = ByteString(architecture)
    }
}

extension PackageKey: CustomStringConvertible {
    var description: String { "\(nameBytes.text):\(architectureBytes.text)" }
}
