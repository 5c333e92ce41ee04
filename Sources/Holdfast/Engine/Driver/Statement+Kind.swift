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

extension Statement {
    /// Whether the statement itself, and no part of it, is one that changes rows: INSERT, UPDATE, DELETE, REPLACE, each
    /// also behind WITH.
    ///
    /// Behind WITH, it is the first such word that is in no parentheses. So a read that calls `replace` is none, of
    /// which ``Kind-swift.enum/read`` is not certain.
    var isChange: Bool {
        guard kind.changesRows else { return false }
        var tokens = SQLTokens(sql)
        guard tokens.nextWord() == "WITH" else { return true }
        var depth = 0
        while let token = tokens.nextOfContent() {
            switch token.kind {
            case .symbol where tokens.text(of: token) == "(": depth += 1
            case .symbol where tokens.text(of: token) == ")": depth -= 1
            case .word where depth == 0:
                switch tokens.text(of: token).uppercased() {
                case "INSERT", "UPDATE", "DELETE", "REPLACE": return true
                case "SELECT", "VALUES": return false
                default: break
                }
            default: break
            }
        }
        return false
    }
}

extension Statement.Kind {
    /// Reads the first words of a text; where it begins with WITH, all of them.
    init(_ sql: String) {
        var tokens = SQLTokens(sql)
        switch tokens.nextWord() {
        case "SELECT", "VALUES", "TABLE": self = .read
        case "INSERT": self = Self.replaces(&tokens) ? .replace : .insert
        case "UPDATE": self = Self.replaces(&tokens) ? .replace : .update
        case "DELETE": self = .delete
        case "REPLACE": self = .replace
        case "WITH": self = Self.strongestChange(&tokens)
        case "BEGIN", "START": self = .begin
        case "COMMIT", "END": self = .commit
        case "PRAGMA", "SET", "SHOW": self = .setting
        default: self = .other
        }
    }

    /// Whether OR REPLACE comes next.
    private static func replaces(_ tokens: inout SQLTokens) -> Bool {
        tokens.nextWord() == "OR" && tokens.nextWord() == "REPLACE"
    }

    /// Returns the strongest change that the words that follow may make to rows.
    ///
    /// Words in quotes count, too: what is quoted for one engine is not for another one.
    private static func strongestChange(_ tokens: inout SQLTokens) -> Statement.Kind {
        var kind = Statement.Kind.read
        while let token = tokens.nextOfContent() {
            if token.kind == .symbol { continue }
            for word in tokens.text(of: token).utf8.split(whereSeparator: { !SQLToken.isPartOfWord($0) }) {
                switch Substring(word).uppercased() {
                case "REPLACE": return .replace
                case "DELETE": kind = .delete
                case "INSERT" where kind != .delete: kind = .insert
                case "UPDATE" where kind == .read: kind = .update
                default: break
                }
            }
        }
        return kind
    }
}
