/// What is wrong with a package index, and in which line.
struct PackageIndexError: Error, Equatable {
    /// The line, counted from 1.
    let line: Int
    let problem: Problem

    enum Problem: Equatable {
        case noColon
        case invalidFieldName(String)
        case continuationWithoutField
        case duplicateField(String)
        case missingField(String)
        case invalidNumber(field: String, text: String)
        case invalidFlag(field: String, text: String)
        case invalidURL(field: String, text: String)
        case invalidUTF8
        case nulCharacter
        case duplicatePackage(PackageKey, firstLine: Int)
        case compressed
        case noPackages
    }
}

extension PackageIndexError: CustomStringConvertible {
    var description: String { "line \(line): \(problem)" }
}

extension PackageIndexError.Problem: CustomStringConvertible {
    var description: String {
        switch self {
        case .noColon:
            "This is neither a field, which has a colon after its name, nor the continuation of one."
        case .invalidFieldName(let name):
            "\"\(name)\" is not the name of a field."
        case .continuationWithoutField:
            "This line continues a field, and there is none before it."
        case .duplicateField(let name):
            "The package has the field \(name) already."
        case .missingField(let name):
            "The package that begins here has no field \(name)."
        case .invalidNumber(let field, let text):
            "\(field) is \"\(text)\", and must be a whole number."
        case .invalidFlag(let field, let text):
            "\(field) is \"\(text)\", and must be yes or no."
        case .invalidURL(let field, let text):
            "\(field) is \"\(text)\", which is not a URL."
        case .invalidUTF8:
            "This line is not UTF-8."
        case .nulCharacter:
            "This line has a NUL character."
        case .duplicatePackage(let key, let firstLine):
            "\(key) is here for the second time in the same version. The first is in line \(firstLine)."
        case .compressed:
            "The index is compressed. Decompress it, and pass it on by a pipe: zcat Packages.gz | catalog import -"
        case .noPackages:
            "The index ends here, without any package."
        }
    }
}
