extension Statement {
    /// The command that it gives: `SELECT`, `CREATE`; nil if its words don't tell.
    ///
    /// The first word of a caller's text may be anything, and so is looked up among those of SQL.
    var operationName: String? {
        switch kind {
        case .read where !isRaw: return "SELECT"
        case .insert: return "INSERT"
        case .update: return "UPDATE"
        case .delete: return "DELETE"
        case .begin: return "BEGIN"
        case .read, .replace, .commit, .setting, .other: break
        }
        var tokens = SQLTokens(sql)
        guard let word = tokens.nextWord() else { return nil }
        if word == "WITH" { return kind == .replace ? "REPLACE" : "SELECT" }
        return Self.commands.contains(word) ? word : nil
    }

    private static let commands: Set<String> = [
        "ALTER", "ANALYZE", "ATTACH", "BEGIN", "CALL", "CHECKPOINT", "CLUSTER", "COMMENT", "COMMIT", "COPY", "CREATE",
        "DETACH", "DO", "DROP", "END", "EXPLAIN", "GRANT", "INSERT", "LISTEN", "LOCK", "MERGE", "NOTIFY", "PRAGMA",
        "REFRESH", "REINDEX", "RELEASE", "REPLACE", "RESET", "REVOKE", "ROLLBACK", "SAVEPOINT", "SELECT", "SET", "SHOW",
        "TABLE", "TRUNCATE", "UNLISTEN", "UPDATE", "VACUUM", "VALUES",
    ]
}
