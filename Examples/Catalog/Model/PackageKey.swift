/// What identifies a package: its name and its architecture, compared byte by byte.
///
/// Swift's `String` takes two spellings of an accented letter for the same; a database does not.
struct PackageKey: Sendable {
    let name: String
    let architecture: String
}

extension PackageKey: Hashable {
    static func == (left: PackageKey, right: PackageKey) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8) && left.architecture.utf8.elementsEqual(right.architecture.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
        for byte in architecture.utf8 { hasher.combine(byte) }
    }
}

extension PackageKey: CustomStringConvertible {
    var description: String { "\(name):\(architecture)" }
}
