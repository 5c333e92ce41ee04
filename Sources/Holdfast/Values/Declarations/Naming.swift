/// A rule that derives names in the database from Swift names.
public enum Naming: Sendable {
    /// Names in snake case; this is the default.
    ///
    /// ```swift
    /// @Table struct Person { var firstName: String; var homepageURL: URL }    // "first_name", "homepage_url"
    /// ```
    case snakeCase
    /// Names as they are in Swift, for existing databases.
    ///
    /// ```swift
    /// @Table("CUSTOMERS", naming: .asDeclared) struct Customer { var firstName: String }    // "firstName"
    /// ```
    case asDeclared

    func name(_ swiftName: String) -> String {
        switch self {
        case .snakeCase: Self.snakeCased(swiftName)
        case .asDeclared: swiftName
        }
    }

    /// Lower case, with an underscore where a word begins: before a capital that follows a small letter or a digit, and
    /// before the last capital of a run that a small letter follows.
    static func snakeCased(_ name: String) -> String {
        let characters = Array(name)
        var result = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0, characters[index - 1] != "_" {
                let followsSmall = !characters[index - 1].isUppercase
                let precedesSmall = index + 1 < characters.count && characters[index + 1].isLowercase
                if followsSmall || precedesSmall { result += "_" }
            }
            result += character.lowercased()
        }
        return result
    }

    /// The greatest length of a name, in bytes: PostgreSQL's, kept on both engines.
    static let maximumBytes = 63

    /// `name`, or where that is over 63 bytes its beginning and a hash of the whole: the same on every engine.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > maximumBytes else { return name }
        let suffix = "_" + hash(name)
        var prefix = ""
        for character in name {
            guard prefix.utf8.count + character.utf8.count + suffix.utf8.count <= maximumBytes else { break }
            prefix.append(character)
        }
        return prefix + suffix
    }

    /// A hash of a text, in sixteen digits: FNV-1a, 64 bits (Fowler, Noll, Vo), which is short, and the same for ever.
    static func hash(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The name of an index: table, columns, and `key` if it is unique, else `idx`.
    static func index(of table: String, _ columns: [String], isUnique: Bool) -> String {
        shortened("\(table)_\(columns.joined(separator: "_"))_\(isUnique ? "key" : "idx")")
    }

    /// The new name of an index whose table or columns are renamed; nil if it is not named after them.
    static func rename(
        index name: String, of former: String, _ oldColumns: [String], to table: String, _ columns: [String],
        isUnique: Bool
    ) -> String? {
        if name == index(of: former, oldColumns, isUnique: isUnique) {
            return index(of: table, columns, isUnique: isUnique)
        }
        // Between its columns and its ending, an index that is not plain has a hash.
        let hash = name.split(separator: "_").dropLast().last.map(String.init) ?? ""
        guard name == index(of: former, oldColumns + [hash], isUnique: isUnique) else { return nil }
        return index(of: table, columns + [hash], isUnique: isUnique)
    }

    /// The name of a primary key's constraint.
    static func key(of table: String) -> String { shortened("\(table)_pkey") }
}
