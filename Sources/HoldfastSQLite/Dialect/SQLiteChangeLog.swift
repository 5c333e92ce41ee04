@_spi(Driver) import Holdfast

/// The change log on SQLite, where one transaction writes at a time: the number of an entry is its position.
struct SQLiteChangeLog: ChangeLogDialect {
    let dialect: SQLiteDialect

    var events: [LogTrigger.Event] { [.insert, .update, .delete] }

    var completion: [String] { [] }

    var channel: String? { nil }

    // MARK: Writing

    func createTrigger(_ trigger: LogTrigger) -> [String] {
        let entries = trigger.array.map { arrayEntries(trigger, $0) } ?? entries(trigger)
        return [
            """
            CREATE TRIGGER \(dialect.quoted(trigger.name)) AFTER \(trigger.event.rawValue.uppercased()) ON \(dialect.quoted(trigger.source))
            BEGIN
                \(entries.map { "INSERT INTO \(table) (\(Self.columns)) \($0);" }.joined(separator: "\n    "))
            END
            """
        ]
    }

    private var table: String { dialect.quoted(LogTrigger.table) }

    private static let columns =
        #""at", "table_name", "kind", "row_key", "columns", "old_values", "transaction_id""#

    /// In microseconds, of which SQLite tells a thousand at a time.
    private static let now = "CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER) * 1000"

    private func entry(
        _ trigger: LogTrigger, kind: String, key: String, columns: String = "'[]'", old: String = "NULL",
        where condition: String? = nil
    ) -> String {
        "SELECT \(Self.now), \(dialect.quotedText(trigger.loggedTable)), \(kind), \(key), \(columns), \(old), 0"
            + (condition.map { " WHERE \($0)" } ?? "")
    }

    private func entries(_ trigger: LogTrigger) -> [String] {
        let (oldKey, newKey) = (key("OLD", trigger.keyColumns), key("NEW", trigger.keyColumns))
        let old = trigger.includesOldValues ? values("OLD", trigger.columns) : "NULL"
        switch trigger.event {
        case .insert: return [entry(trigger, kind: "1", key: newKey)]
        case .delete: return [entry(trigger, kind: "3", key: oldKey, old: old)]
        case .update:
            let changesKey = trigger.keyColumns.map(differs).joined(separator: " OR ")
            let changed = trigger.columns.map { column in
                "CASE WHEN \(differs(column)) THEN \(dialect.quotedText("," + column.jsonQuoted)) ELSE '' END"
            }
            let names = "'[' || substr(\(changed.joined(separator: " || ")), 2) || ']'"
            let replaced = trigger.includesOldValues ? values("OLD", trigger.columns, onlyChanged: true) : "NULL"
            return [
                entry(trigger, kind: "3", key: oldKey, old: old, where: changesKey),
                entry(trigger, kind: "1", key: newKey, where: changesKey),
                entry(
                    trigger, kind: "2", key: newKey, columns: names, old: replaced,
                    where: "NOT (\(changesKey)) AND (\(trigger.columns.map(differs).joined(separator: " OR ")))"),
            ]
        case .truncate: return []
        }
    }

    /// An update of the owner, as long as there is one.
    private func arrayEntries(_ trigger: LogTrigger, _ array: String) -> [String] {
        (trigger.event == .delete ? ["OLD"] : trigger.event == .insert ? ["NEW"] : ["OLD", "NEW"])
            .map { row in
                let owner = zip(trigger.ownerKeyColumns, trigger.keyColumns)
                    .map { "\(dialect.quoted($0)) = \(row).\(dialect.quoted($1))" }.joined(separator: " AND ")
                var condition = "EXISTS (SELECT 1 FROM \(dialect.quoted(trigger.loggedTable)) WHERE \(owner))"
                if trigger.event == .update, row == "OLD" {
                    condition += " AND (\(trigger.keyColumns.map(differs).joined(separator: " OR ")))"
                }
                return entry(
                    trigger, kind: "2", key: key(row, trigger.keyColumns),
                    columns: dialect.quotedText("[\(array.jsonQuoted)]"), where: condition)
            }
    }

    private func differs(_ column: String) -> String {
        "OLD.\(dialect.quoted(column)) COLLATE BINARY IS NOT NEW.\(dialect.quoted(column))"
    }

    /// A value as a string of JSON, from which it can be read exactly, or null.
    ///
    /// The functions for JSON do not run in triggers of a schema that is not trusted, before SQLite 3.41. What is
    /// escaped here is what occurs; readers take other control characters as they are. A Double has the digits by which
    /// it is read exactly, though SQLite makes mistakes in the last of them.
    private func string(_ value: String) -> String {
        let escaped = [("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")]
            .reduce(value) { "replace(\($0), \(dialect.quotedText($1.0)), \(dialect.quotedText($1.1)))" }
        return """
            CASE typeof(\(value)) WHEN 'null' THEN 'null' WHEN 'blob' THEN '"' || hex(\(value)) || '"' \
            WHEN 'real' THEN '"' || printf('%!.20g', \(value)) || '"' WHEN 'text' THEN '"' || \(escaped) || '"' \
            ELSE '"' || \(value) || '"' END
            """
    }

    private func key(_ row: String, _ columns: [String]) -> String {
        let parts = columns.map { string("\(row).\(dialect.quoted($0))") }
        return "'[' || \(parts.joined(separator: " || ',' || ")) || ']'"
    }

    private func values(_ row: String, _ columns: [String], onlyChanged: Bool = false) -> String {
        let members = columns.map { column in
            let name = dialect.quotedText("," + column.jsonQuoted + ":")
            let member = "\(name) || \(string("\(row).\(dialect.quoted(column))"))"
            return onlyChanged ? "CASE WHEN \(differs(column)) THEN \(member) ELSE '' END" : member
        }
        // Of the comma that is first; substr would end at a NUL.
        return "'{' || ltrim(\(members.joined(separator: " || ")), ',') || '}'"
    }

    func gap(in table: String) -> String {
        let values = "\(Self.now), \(dialect.quotedText(table)), 5, '[]', '[]', NULL, 0"
        return "INSERT INTO \(self.table) (\(Self.columns)) VALUES (\(values))"
    }

    func renameColumn(_ column: String, of table: String, to name: String) -> String {
        let (old, new) = (column.jsonQuoted, name.jsonQuoted)
        func renamed(_ text: String, _ beginnings: [String], _ end: String) -> String {
            beginnings.reduce(text) { text, before in
                "replace(\(text), \(dialect.quotedText(before + old + end)), \(dialect.quotedText(before + new + end)))"
            }
        }
        // By text, as the values are strings, and quotes in them are escaped.
        return """
            UPDATE holdfast_log SET columns = \(renamed("columns", ["[", ","], "")), old_values = \(renamed("old_values", ["{", ","], ":"))
            WHERE table_name = \(dialect.quotedText(table))
                AND (instr(columns, \(dialect.quotedText(old))) OR instr(old_values, \(dialect.quotedText(old + ":"))))
            """
    }

    // MARK: Reading

    /// A copy of a file goes on as the file does.
    var server: String { "''" }

    var isForeign: String { "0" }

    func isPosition(_ text: String) -> Bool { Int64(text).map { $0 >= 0 } ?? false }

    private static let now64 = "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'holdfast_log'), 0)"

    var position: String { head(nil) }

    private func head(_ stretch: ChangeLogStretch?) -> String {
        // Fails if the file is not the one that the path leads to any more.
        var obstacles: [(String, ChangeLogObstacle)] = [("holdfast_moved()", .older)]
        if let stretch {
            obstacles.append(("t.trimmed > \(stretch.position)", .trimmed))
            obstacles.append(("\(stretch.position) > \(Self.now64)", .older))
        }
        if let mark = stretch?.mark { obstacles.append(("NOT \(hasHad(mark, at: "at"))", .older)) }
        return head(
            "CAST(\(stretch?.end ?? Self.now64) AS TEXT)", at: "at", mark: stretch?.end == nil ? nil : stretch?.mark,
            obstacles: obstacles)
    }

    func page(_ stretch: ChangeLogStretch, tables: [String], limit: Int) -> String {
        let reached = stretch.end ?? Self.now64
        let names = tables.map(dialect.quotedText).joined(separator: ", ")
        let isNamed = tables.isEmpty ? "" : " AND table_name IN (\(names))"
        return """
            SELECT h.*, e.id, e.at, e.table_name, e.kind, e.row_key, e.columns, e.old_values
            FROM (\(head(stretch))) h LEFT JOIN (
                SELECT * FROM holdfast_log
                WHERE id > max(\(stretch.position), \(stretch.number)) AND id <= \(reached)\(isNamed)
                ORDER BY id LIMIT \(limit)
            ) e ON h.obstacle IS NULL
            ORDER BY e.id
            """
    }

    func trim(before cutoff: Int64?, positions: [String], keeping count: Int?) -> [String] {
        var conditions: [String] = []
        if let cutoff {
            conditions.append("id < coalesce((SELECT min(id) FROM holdfast_log WHERE at >= \(cutoff)), 1 << 62)")
        }
        if let count { conditions.append("id <= \(Self.now64) - \(count)") }
        if let least = positions.compactMap({ Int64($0) }).min() { conditions.append("id <= \(least)") }
        if conditions.isEmpty { return [] }
        let condition = conditions.joined(separator: " OR ")
        return [
            """
            UPDATE holdfast_log_state SET (trimmed, last_number, last_at) =
                (SELECT id, id, at FROM holdfast_log WHERE \(condition) ORDER BY id DESC LIMIT 1)
            WHERE EXISTS (SELECT 1 FROM holdfast_log WHERE \(condition))
            """,
            "DELETE FROM holdfast_log WHERE \(condition)",
        ]
    }
}
