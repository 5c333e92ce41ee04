import Holdfast

/// Rows whose values follow from their keys, in the tables of one version.
struct Rows {
    struct Check {
        var what: String
        var query: SQLFragment
        var expected: Int
    }

    let version: Version
    let count: Int

    // MARK: Writing

    /// Statements that fill the tables: an account, its entry, and two tags for each key.
    var insertions: [SQLFragment] {
        let v = version
        let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
        var columns = "id, \(v.title), amount, next_id"
        var values = "i, 't' || i, i % 1000, CASE WHEN i > 1 THEN i - 1 END"
        if v.hasRatio { (columns, values) = (columns + ", ratio", values + ", i % 1000 / 4.0") }
        if v.hasNote {
            (columns, values) = (
                columns + ", note",
                values + ", CASE i % 2 WHEN 0 THEN 'n' || i ELSE \(v.number < 10 ? "NULL" : "'none'") END"
            )
        }
        if v.hasCode { (columns, values) = (columns + ", code", values + ", 'c' || i") }
        var statements = [
            numbers + "INSERT INTO \(v.table) (\(columns)) SELECT \(values) FROM n",
            numbers + "INSERT INTO \(v.entry) (id, \(v.body)) SELECT i, 'e' || i FROM n",
            numbers + "INSERT INTO \(v.entries) (\(v.table)_id, position, \(v.entry)_id) SELECT i, 1024, i FROM n",
        ]
        if v.hasTags {
            statements += [1024, 2048].map {
                numbers
                    + "INSERT INTO \(v.tags) (\(v.table)_id, position, value) SELECT i, \($0), 'a' || (i + \($0)) FROM n"
            }
        }
        return statements.map { SQLFragment(unsafe: $0) }
    }

    /// Inserts one account.
    func account(_ id: Int) -> SQLFragment {
        let v = version
        var columns = "id, \(v.title), amount"
        var values = "\(id), 't\(id)', \(id % 1000)"
        if v.hasRatio { (columns, values) = (columns + ", ratio", values + ", \(id % 1000) / 4.0") }
        return SQLFragment(unsafe: "INSERT INTO \(v.table) (\(columns)) VALUES (\(values))")
    }

    // MARK: Reading

    func hasAccount(_ id: Int) -> SQLFragment {
        SQLFragment(unsafe: "SELECT count(*) FROM \(version.table) WHERE id = \(id) AND \(version.title) = 't\(id)'")
    }

    /// What has to be so after an upgrade.
    func checks(from old: Version) -> [Check] {
        let v = version
        func number(_ what: String, _ sql: String, _ expected: Int) -> Check {
            Check(what: what, query: SQLFragment(unsafe: sql), expected: expected)
        }
        let some = "FROM \(v.table) WHERE id <= \(count)"
        var checks = [
            number("accounts", "SELECT count(*) \(some)", count),
            number(
                "accounts with other values",
                "SELECT count(*) \(some) AND NOT (\(v.title) = 't' || id AND CAST(amount AS integer) = id % 1000 "
                    + "AND coalesce(next_id, 0) = id - 1)", 0),
            number("entries", "SELECT count(*) FROM \(v.entry) WHERE \(v.body) = 'e' || id", count),
            number(
                "links of entries",
                "SELECT count(*) FROM \(v.entries) WHERE \(v.table)_id = \(v.entry)_id AND position = 1024", count),
        ]
        if v.hasRatio {
            checks.append(number("other ratios", "SELECT count(*) \(some) AND ratio <> id % 1000 / 4.0", 0))
        }
        if v.hasNote {
            let even = old.hasNote ? "'n' || id" : v.number < 10 ? "NULL" : "'none'"
            let odd = v.number < 10 ? "NULL" : "'none'"
            let note = "CASE id % 2 WHEN 0 THEN \(even) ELSE \(odd) END"
            checks.append(
                number("other notes", "SELECT count(*) \(some) AND coalesce(note, '-') <> coalesce(\(note), '-')", 0))
        }
        if v.hasTags {
            checks.append(
                number(
                    "tags",
                    "SELECT count(*) FROM \(v.tags) WHERE value = 'a' || (\(v.table)_id + position)",
                    old.hasTags ? 2 * count : 0))
        }
        if v.hasCode {
            checks.append(number("codes", "SELECT count(*) \(some) AND code = 'c' || id", count))
        }
        if v.number >= 19 {
            checks.append(
                number(
                    "entries without a truth", "SELECT count(*) FROM \(v.entry) WHERE is_open IS NULL",
                    old.number < 19 ? 0 : count))
        }
        return checks
    }
}
