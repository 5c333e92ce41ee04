@_spi(Driver) import Holdfast

/// The statements of callers that leave something in their session.
@_spi(Driver) extension PostgresDialect {
    /// Statements that change the session they run in, by their first word.
    private static let sessionStatements: Set<String> = [
        "reset", "listen", "unlisten", "deallocate", "discard", "load",
    ]
    private static let temporary: Set<String> = ["temp", "temporary", "pg_temp"]
    /// Functions that leave a lock, or the state of a generator, in the session.
    private static let sessionFunctions: Set<String> = [
        "pg_advisory_lock", "pg_advisory_lock_shared", "pg_try_advisory_lock", "pg_try_advisory_lock_shared", "setseed",
    ]

    public var sqlSyntax: SQLSyntax { .postgres }

    public func changesSession(_ text: RawStatementText) -> Bool {
        if text.contains(anyOf: Self.sessionFunctions) { return true }
        // set_config(name, value, is_local)
        if text.parts.contains("set_config"), !text.parts.contains("true") { return true }
        let parts = text.parts.drop { $0 == "(" }
        guard let first = parts.first else { return false }
        switch first {
        case "do": return text.statementsOfBlock.contains(where: changesSession)
        case "set": return !["local", "transaction", "constraints"].contains(parts.dropFirst().first)
        case "prepare": return !text.begins(with: "prepare", "transaction")
        case "declare": return text.contains("with", "hold")
        case "create":
            // CREATE LOCAL TEMPORARY TABLE is one of the standard's spellings.
            let head = text.parts.prefix { $0 != "as" && $0 != "(" }
            return head.contains(where: Self.temporary.contains) && !text.contains("on", "commit", "drop")
        case "select", "with": return Self.temporary.contains { text.contains("into", $0) }
        default: return Self.sessionStatements.contains(first)
        }
    }
}

extension SQLSyntax {
    fileprivate static let postgres: SQLSyntax = [.escapedStrings, .dollarQuotes, .nestedComments]
}

extension RawStatementText {
    /// The statements of the block of a DO, which is a string to SQL, and those that it runs by EXECUTE.
    ///
    /// `DO $$ BEGIN IF true THEN SET TimeZone = 'UTC'; END IF; END $$` has `SET TimeZone = 'UTC'`.
    fileprivate var statementsOfBlock: [RawStatementText] {
        strings.flatMap { block in
            block.parts.split { Self.beforeStatements.contains($0) }.flatMap { parts in
                let statement = RawStatementText(parts: Array(parts))
                return [statement] + (parts.first == "execute" ? statement.strings : [])
            }
        }
    }

    private static let beforeStatements: Set<String> = [";", "begin", "then", "else", "loop", "declare"]

    /// The contents of its strings, each taken for SQL.
    private var strings: [RawStatementText] {
        parts.compactMap { part in
            guard part.hasPrefix("'") else { return nil }
            // The quotation mark at its end; of `$body$`, no word of a statement is left.
            let contents = part.dropFirst().reversed().drop { $0 == "'" || $0 == "$" }.reversed()
            return RawStatementText(String(contents), .postgres)
        }
    }
}
