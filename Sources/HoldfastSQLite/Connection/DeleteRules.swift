import CSQLite
@_spi(Driver) import Holdfast

/// The delete rules of a database, which decide which statements need recursive triggers.
///
/// A rule is a trigger of ours. Where the rows that it deletes can come to have the same rule applied, directly or by
/// way of other tables, SQLite applies it again only to statements that were compiled with `recursive_triggers`.
struct DeleteRules {
    /// Whether there are any.
    var exist = true
    /// Whether one of them can come to be applied to what it deletes itself.
    var recur = true

    /// Whether a statement is to be compiled and run with recursive triggers.
    ///
    /// Without them, SQLite fires no triggers for rows that REPLACE deletes.
    func needRecursion(_ kind: Statement.Kind) -> Bool {
        switch kind {
        case .delete: recur
        case .replace: exist
        case .read, .insert, .update, .begin, .commit, .setting, .other: false
        }
    }

    /// Follows each rule that deletes, and from there the rules and the foreign keys that delete, and looks whether it
    /// is met again.
    fileprivate static let query = """
        WITH RECURSIVE rule(source, target) AS (
            SELECT lower(tbl_name), substr(sql, instr(sql, mark) + length(mark))
            FROM sqlite_schema, (SELECT 'BEGIN' || char(10) || '    DELETE FROM "' AS mark)
            WHERE type = 'trigger' AND name GLOB 'holdfast_*' AND instr(sql, mark) > 0
        ),
        deletion(source, target) AS MATERIALIZED (
            SELECT source, lower(replace(substr(target, 1, instr(target, '" WHERE ') - 1), '""', '"')) FROM rule
        ),
        edge(source, target) AS MATERIALIZED (
            SELECT source, target FROM deletion
            UNION
            SELECT lower(key."table"), lower(child.name)
            FROM sqlite_schema AS child JOIN pragma_foreign_key_list(child.name) AS key
            WHERE child.type = 'table' AND key.on_delete = 'CASCADE' AND EXISTS (SELECT 1 FROM deletion)
        ),
        reached(start, table_name) AS (
            SELECT source, target FROM deletion
            UNION
            SELECT reached.start, edge.target FROM reached JOIN edge ON edge.source = reached.table_name
        )
        SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'holdfast_*')
            + 2 * EXISTS (SELECT 1 FROM reached WHERE start = table_name)
        """
}

extension DatabaseHandle {
    /// The rules as they are now; all that there can be, if they can't be read.
    func readDeleteRules() -> DeleteRules {
        guard let text = try? execute(DeleteRules.query), let bits = Int(text) else { return DeleteRules() }
        return DeleteRules(exist: bits & 1 != 0, recur: bits & 2 != 0)
    }

    /// Sets whether statements that are compiled from here on have recursive triggers.
    ///
    /// The library sets that while it compiles the PRAGMA. Running it too makes the library compile every statement of
    /// the connection anew, so that is done only by a version that needs it.
    func setRecursiveTriggers(_ isOn: Bool) {
        var statement: OpaquePointer?
        let sql = isOn ? "PRAGMA recursive_triggers = ON" : "PRAGMA recursive_triggers = OFF"
        sqlite3_prepare_v2(pointer, sql, -1, &statement, nil)
        if !setsRecursionWhenCompiled { sqlite3_step(statement) }
        sqlite3_finalize(statement)
    }

    /// Finds out whether the library sets recursive triggers while it compiles the PRAGMA; to be called before any
    /// statement is kept.
    func learnRecursion() throws(ResultCode) {
        setsRecursionWhenCompiled = true
        setRecursiveTriggers(true)
        setsRecursionWhenCompiled = try execute("PRAGMA recursive_triggers") == "1"
        try execute("PRAGMA recursive_triggers = OFF")
    }
}
