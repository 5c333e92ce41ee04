import CSQLite
@_spi(Driver) import Holdfast

/// Full text search by FTS5.
///
/// The virtual table has a copy of the texts under the key of their row, or, where that is no integer, under a number
/// that a table beside it has for the key. It needs neither the `rowid` of the table, which VACUUM may change, nor the
/// old values of a row, which `INSERT OR REPLACE` may take away without a trigger.
struct SQLiteSearch: SearchDialect {
    let dialect: SQLiteDialect

    /// Whether the library was built with FTS5.
    static let isThere = sqlite3_compileoption_used("ENABLE_FTS5") != 0

    /// Whether triggers may write FTS5 tables in files whose schema is not trusted.
    ///
    /// In some versions, of which 3.40 is one, they lack the mark of virtual tables that do no harm. The library is
    /// asked, once in a process.
    static let isInnocuous: Bool = {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open(":memory:", &database) == SQLITE_OK else { return false }
        let sql = """
            PRAGMA trusted_schema = OFF; CREATE VIRTUAL TABLE f USING fts5(c); CREATE TABLE t (c);
            CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO f (c) VALUES (NEW.c); END; INSERT INTO t VALUES ('a')
            """
        return sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
    }()

    var obstacle: String? {
        if dialect.trustsSchema || Self.isInnocuous { return nil }
        return
            "Its triggers would write a table of FTS5, which this version of SQLite allows only for trusted schemas. "
            + "If you trust the author of the file, open it with trustsSchema: true, or trusted_schema=on in its URL."
    }

    var isKeptByTriggers: Bool { true }

    private func quoted(_ name: String) -> String { dialect.quoted(name) }

    /// The table with the numbers of keys.
    private static func rows(_ name: String) -> String { name + "_rows" }

    /// The columns of the texts: by number, since their names might be those that FTS5 has itself, such as `rank`.
    private func texts(_ index: SearchIndex) -> String {
        index.columns.indices.map { "c\($0)" }.joined(separator: ", ")
    }

    /// The columns of the keys, in the table with their numbers.
    private func keys(_ index: SearchIndex) -> String {
        index.key.indices.map { "k\($0)" }.joined(separator: ", ")
    }

    // MARK: Schema

    func create(_ index: SearchIndex, on table: String) -> [SearchStatement] {
        let tokenizer = SearchTokenizer.text.replacing("'", with: "''")
        var statements = drop(index.name, on: table)
        statements.append(
            "CREATE VIRTUAL TABLE \(quoted(index.name)) USING fts5(\(texts(index)), tokenize='\(tokenizer)')")
        if index.integerKey == nil { statements += numbering(index, of: table) }
        let values = index.columns.map { "t.\(quoted($0))" }.joined(separator: ", ")
        let matches = index.key.indices.map { "r.k\($0) = t.\(quoted(index.key[$0].name))" }
        let source =
            index.integerKey.map { "t.\(quoted($0)), \(values) FROM \(quoted(table)) AS t" }
            ?? "r.id, \(values) FROM \(quoted(table)) AS t JOIN \(quoted(Self.rows(index.name))) AS r "
            + "ON \(matches.joined(separator: " AND "))"
        statements.append("INSERT INTO \(quoted(index.name)) (rowid, \(texts(index))) SELECT \(source)")
        return statements.map { SearchStatement($0) }
            + SearchIndex.Event.allCases.map { trigger(index, $0, on: table) }
    }

    private func numbering(_ index: SearchIndex, of table: String) -> [String] {
        let columns = index.key.indices.map { "k\($0) \(dialect.typeName(index.key[$0].type)) NOT NULL" }
        let rows = quoted(Self.rows(index.name))
        return [
            "CREATE TABLE \(rows) (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")), UNIQUE (\(keys(index)))) STRICT",
            "INSERT INTO \(rows) (\(keys(index))) SELECT \(dialect.list(index.key.map(\.name))) FROM \(quoted(table))",
        ]
    }

    private func trigger(_ index: SearchIndex, _ event: SearchIndex.Event, on table: String) -> SearchStatement {
        let columns = index.columns + index.key.map(\.name).filter { !index.columns.contains($0) }
        let (what, body) =
            switch event {
            // A row that another one has replaced may have left its texts.
            case .insert: ("INSERT", removal("NEW", index) + insertion(index))
            case .update:
                ("UPDATE OF \(dialect.list(columns))", removal("OLD", index) + removal("NEW", index) + insertion(index))
            case .delete: ("DELETE", removal("OLD", index))
            }
        return SearchStatement(
            """
            CREATE TRIGGER \(quoted(index.trigger(event))) AFTER \(what) ON \(quoted(table))
            BEGIN
                \(body.map { $0 + ";" }.joined(separator: "\n    "))
            END
            """, trigger: index.trigger(event))
    }

    /// The number under which a row's texts are, as SQL.
    private func number(_ row: String, _ index: SearchIndex) -> String {
        if let key = index.integerKey { return "\(row).\(quoted(key))" }
        return "(SELECT id FROM \(quoted(Self.rows(index.name))) WHERE \(isKey(row, index)))"
    }

    private func isKey(_ row: String, _ index: SearchIndex) -> String {
        index.key.indices.map { "k\($0) = \(row).\(quoted(index.key[$0].name))" }.joined(separator: " AND ")
    }

    private func removal(_ row: String, _ index: SearchIndex) -> [String] {
        let texts = "DELETE FROM \(quoted(index.name)) WHERE rowid = \(number(row, index))"
        if index.integerKey != nil { return [texts] }
        return [texts, "DELETE FROM \(quoted(Self.rows(index.name))) WHERE \(isKey(row, index))"]
    }

    private func insertion(_ index: SearchIndex) -> [String] {
        let values = index.columns.map { "NEW.\(quoted($0))" }.joined(separator: ", ")
        let texts =
            "INSERT INTO \(quoted(index.name)) (rowid, \(texts(index))) VALUES (\(number("NEW", index)), \(values))"
        if index.integerKey != nil { return [texts] }
        let key = index.key.map { "NEW.\(quoted($0.name))" }.joined(separator: ", ")
        return ["INSERT INTO \(quoted(Self.rows(index.name))) (\(keys(index))) VALUES (\(key))", texts]
    }

    func drop(_ name: String, on table: String) -> [String] {
        SearchIndex.Event.allCases.map { "DROP TRIGGER IF EXISTS \(quoted("\(name)_\($0.rawValue)"))" } + [
            "DROP TABLE IF EXISTS \(quoted(name))", "DROP TABLE IF EXISTS \(quoted(Self.rows(name)))",
        ]
    }

    // MARK: Queries

    func matches(_ terms: SearchTerms, in source: SearchSource, bind: (String) throws -> String) rethrows -> String {
        if let text = expression(terms) { return try isFound(text, source, bind) }
        // FTS5 has no NOT without something that is found: what it can't say, SQL does.
        switch terms {
        case .not(let inner): return "NOT \(try matches(inner, in: source, bind: bind))"
        case .all(let parts):
            var (conditions, rest) = ([String](), parts)
            // What FTS5 can say of them is asked at once.
            if let text = expression(.all(parts.filter { expression($0) != nil })) {
                conditions.append(try isFound(text, source, bind))
                rest = parts.filter { expression($0) == nil }
            }
            for part in rest { conditions.append(try matches(part, in: source, bind: bind)) }
            return "(\(conditions.joined(separator: " AND ")))"
        case .any(let parts):
            let conditions = try parts.map { try matches($0, in: source, bind: bind) }
            return "(\(conditions.joined(separator: " OR ")))"
        case .phrase: return "FALSE"
        }
    }

    private func isFound(
        _ text: String, _ source: SearchSource, _ bind: (String) throws -> String
    ) rethrows -> String {
        let (table, index) = (table(source.index.name), source.index)
        // MATCH takes the name of the table alone, without that of its file.
        let isMatch = "\(quoted(index.name)) MATCH \(try bind(text))"
        if index.integerKey != nil { return "\(source.key[0]) IN (SELECT rowid FROM \(table) WHERE \(isMatch))" }
        let key = source.key.count == 1 ? source.key[0] : "(\(source.key.joined(separator: ", ")))"
        return "\(key) IN (SELECT \(keys(index)) FROM \(self.table(Self.rows(index.name))) "
            + "WHERE id IN (SELECT rowid FROM \(table) WHERE \(isMatch)))"
    }

    func rank(_ phrases: [SearchTerms], in source: SearchSource, bind: (String) throws -> String) rethrows -> String {
        let index = source.index
        let text = expression(phrases.count == 1 ? phrases[0] : .any(phrases)) ?? ""
        // The limit keeps SQLite from searching anew for each row.
        let found =
            "(SELECT rowid AS id, -bm25(\(quoted(index.name))) AS rank FROM \(table(index.name)) "
            + "WHERE \(quoted(index.name)) MATCH \(try bind(text)) LIMIT -1) AS f"
        if index.integerKey != nil {
            return "coalesce((SELECT f.rank FROM \(found) WHERE f.id = \(source.key[0])), 0.0)"
        }
        let isKey = zip(index.key.indices, source.key).map { "r.k\($0) = \($1)" }.joined(separator: " AND ")
        return "coalesce((SELECT f.rank FROM \(table(Self.rows(index.name))) AS r JOIN \(found) ON f.id = r.id "
            + "WHERE \(isKey)), 0.0)"
    }

    private func table(_ name: String) -> String { dialect.quoted(TableName(schema: nil, name)) }

    /// The levels of an expression that FTS5's parser takes for sure.
    private static let greatestDepth = 12

    /// What FTS5 is asked; nil for what has nothing that is found, and for what has too many levels.
    private func expression(_ terms: SearchTerms) -> String? {
        terms.depth > Self.greatestDepth ? nil : expression(ofSome: terms)
    }

    private func expression(ofSome terms: SearchTerms) -> String? {
        switch terms {
        case .phrase(let words, let isPrefix):
            return "\"\(words.joined(separator: " "))\"" + (isPrefix ? " *" : "")
        case .not: return nil
        case .any(let parts):
            let all = parts.compactMap { expression(ofSome: $0) }
            return all.count == parts.count ? "(\(all.joined(separator: " OR ")))" : nil
        case .all(let parts):
            var (wanted, unwanted) = ([String](), [String]())
            for part in parts {
                if case .not(let inner) = part {
                    guard let text = expression(ofSome: inner) else { return nil }
                    unwanted.append(text)
                } else {
                    guard let text = expression(ofSome: part) else { return nil }
                    wanted.append(text)
                }
            }
            if wanted.isEmpty { return nil }
            let found = "(\(wanted.joined(separator: " AND ")))"
            return unwanted.isEmpty ? found : "(\(found) NOT (\(unwanted.joined(separator: " OR "))))"
        }
    }
}
