@_spi(Driver) extension Statement {
    /// The effect of a statement, as far as its words show it.
    ///
    /// It is determined once, in core, so that no driver has to look at the text.
    ///
    /// A statement that begins with WITH gets the strongest kind that any word in it suggests. So a read may be taken
    /// for a change, and never a change for a ``read``.
    ///
    /// ```swift
    /// Statement("INSERT OR REPLACE INTO note VALUES (1)").kind                           // .replace
    /// Statement("WITH old AS (DELETE FROM note RETURNING id) SELECT * FROM old").kind    // .delete
    /// ```
    public enum Kind: Hashable, Sendable {
        /// Returns rows, and changes none: SELECT, VALUES, TABLE.
        case read
        /// Adds rows.
        case insert
        /// Changes rows.
        case update
        /// Removes rows.
        case delete
        /// Adds or changes rows, and removes those that are in their way: REPLACE, INSERT OR REPLACE, UPDATE OR
        /// REPLACE.
        case replace
        /// Begins a transaction: BEGIN, START TRANSACTION.
        case begin
        /// Commits a transaction: COMMIT, END.
        case commit
        /// Asks for a setting or changes it: PRAGMA, SET, SHOW.
        case setting
        /// Does something else: ROLLBACK, savepoints, definitions, and whatever core does not know.
        case other

        /// Whether it counts the rows that it adds, changes or removes.
        public var changesRows: Bool {
            switch self {
            case .insert, .update, .delete, .replace: true
            case .read, .begin, .commit, .setting, .other: false
            }
        }
    }
}

extension Statement.Kind {
    /// Reads the first words of a text; where it begins with WITH, all of them.
    init(_ sql: String) {
        var rest = sql.utf8[...]
        switch rest.nextWord() {
        case "SELECT", "VALUES", "TABLE": self = .read
        case "INSERT": self = rest.replaces() ? .replace : .insert
        case "UPDATE": self = rest.replaces() ? .replace : .update
        case "DELETE": self = .delete
        case "REPLACE": self = .replace
        case "WITH": self = rest.strongestChange()
        case "BEGIN", "START": self = .begin
        case "COMMIT", "END": self = .commit
        case "PRAGMA", "SET", "SHOW": self = .setting
        default: self = .other
        }
    }
}

extension Substring.UTF8View {
    /// Drops white space, `-- …` and `/* … */` from the beginning.
    package mutating func skipSpaceAndComments() {
        while let byte = first {
            if isSpace(byte) {
                removeFirst()
            } else if !skipComment() {
                return
            }
        }
    }

    /// Drops `-- …` or `/* … */` from the beginning.
    ///
    /// - Returns: Whether there was one.
    package mutating func skipComment() -> Bool {
        if starts(with: "--".utf8) {
            self = drop { $0 != UInt8(ascii: "\n") }
        } else if starts(with: "/*".utf8) {
            self = dropFirst(2)
            while !isEmpty, !starts(with: "*/".utf8) { removeFirst() }
            self = dropFirst(2)
        } else {
            return false
        }
        return true
    }

    /// Takes white space, comments and the word that follows, which may be empty; gives it in upper case.
    fileprivate mutating func nextWord() -> String {
        skipSpaceAndComments()
        let word = prefix { isPartOfWord($0) }
        self = self[word.endIndex...]
        return String(word)?.uppercased() ?? ""
    }

    /// Whether OR REPLACE comes next.
    fileprivate mutating func replaces() -> Bool { nextWord() == "OR" && nextWord() == "REPLACE" }

    /// Returns the strongest change that the words that follow may make to rows.
    fileprivate mutating func strongestChange() -> Statement.Kind {
        var kind = Statement.Kind.read
        while !isEmpty {
            switch nextWord() {
            case "REPLACE": return .replace
            case "DELETE": kind = .delete
            case "INSERT" where kind != .delete: kind = .insert
            case "UPDATE" where kind == .read: kind = .update
            case "" where !isEmpty: removeFirst()
            default: break
            }
        }
        return kind
    }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) && byte != 0x0b }

private func isPartOfWord(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5f || byte >= 0x80
}
