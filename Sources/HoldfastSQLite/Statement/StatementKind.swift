/// What a statement does, as far as its first word tells: where it may run, and whether it counts rows.
enum StatementKind {
    /// Reads, or does something that has no rows to count.
    case other
    /// Inserts, updates or deletes rows.
    case change
    /// Begins a transaction.
    case begin
    /// Commits a transaction.
    case commit
    /// Acts while it is compiled, so that compiling it once is not enough.
    case pragma

    /// Reads the first word of `sql`.
    init(_ sql: String) {
        var rest = sql.utf8[...]
        rest.skipSpaceAndComments()
        self =
            switch String(rest.prefix { isLetter($0) }.prefix(9))?.uppercased() {
            case "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH": .change
            case "BEGIN": .begin
            case "COMMIT", "END": .commit
            case "PRAGMA": .pragma
            default: .other
            }
    }
}

extension Substring.UTF8View {
    /// Drops white space, `-- …` and `/* … */` from the beginning.
    mutating func skipSpaceAndComments() {
        while let byte = first {
            if isSpace(byte) {
                removeFirst()
            } else if starts(with: "--".utf8) {
                self = drop { $0 != UInt8(ascii: "\n") }
            } else if starts(with: "/*".utf8) {
                self = dropFirst(2)
                while !isEmpty, !starts(with: "*/".utf8) { removeFirst() }
                self = dropFirst(2)
            } else {
                return
            }
        }
    }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) && byte != 0x0b }

private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
