@_spi(Driver) import Holdfast

/// SQL as SQLite writes it.
@_spi(Driver) public struct SQLiteDialect: Dialect {
    /// Creates the dialect.
    public init() {}

    /// Whether triggers may write virtual tables that SQLite does not call harmless.
    var trustsSchema = false

    /// Whether there are attached files, in which SQLite would look for a table that the first file lacks.
    var hasAttached = false

    public func quoted(_ table: TableName) -> String {
        let schema = table.schema ?? (hasAttached ? "main" : nil)
        return (schema.map { quoted($0) + "." } ?? "") + quoted(table.name)
    }

    /// The tables that are not STRICT, by their names in lower case, as SQLite compares them.
    private var looseTables: Set<String> = []

    /// Tables that we make are STRICT. (Views have columns of no type at all.)
    public var looseTablesQuery: String? {
        "SELECT CASE schema WHEN 'main' THEN name ELSE schema || '.' || name END FROM pragma_table_list "
            + "WHERE schema <> 'temp' AND strict = 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    }

    public func referringTable(to table: String) -> String? {
        """
        SELECT s.name FROM main.sqlite_schema AS s, pragma_foreign_key_list(s.name, 'main') AS k
        WHERE s.type = 'table' AND lower(k."table") = lower(\(quotedText(table)))
        AND lower(s.name) <> lower(\(quotedText(table))) LIMIT 1
        """
    }

    public func vacuum(_ tables: [TableName]) -> [String]? { ["VACUUM"] }

    public func analyze(_ tables: [TableName]) -> [String]? {
        tables.isEmpty
            ? ["ANALYZE"] : tables.map { "ANALYZE \(quoted(TableName(schema: $0.schema ?? "main", $0.name)))" }
    }

    public func distrusting(_ tables: Set<String>) -> any Dialect {
        var dialect = self
        dialect.looseTables = Set(tables.map { $0.lowercased() })
        return dialect
    }

    public func trusted(_ sql: String, _ type: ColumnType, of table: String) -> String {
        guard isLoose(table) else { return sql }
        let kind: StoredKind =
            switch type {
            case .boolean, .int16, .int32, .int64, .timestamp: .integer
            case .float, .double: .number
            case .decimal: .decimal
            case .text, .json: .text
            case .blob, .uuid: .blob
            }
        return "holdfast_stored(\(sql), \(kind.rawValue))"
    }

    public func trustedDate(_ sql: String, of table: String) -> String {
        isLoose(table) ? "holdfast_stored(\(sql), \(StoredKind.date.rawValue))" : sql
    }

    public func value(of sql: String, as form: TextForm) -> String? {
        func stored(_ kind: StoredKind) -> String { "holdfast_stored(\(sql), \(kind.rawValue))" }
        switch form {
        case .date: return stored(.instant)
        case .decimal: return stored(.decimal)
        case .words(let yes, let no):
            return "CASE \(sql) COLLATE BINARY WHEN \(quotedText(yes)) THEN 1 WHEN \(quotedText(no)) THEN 0 "
                + "ELSE \(stored(.none)) END"
        case .integer: return "CASE \(sql) WHEN 1 THEN 1 WHEN 0 THEN 0 ELSE \(stored(.none)) END"
        case .ofColumnType: return sql
        }
    }

    private func isLoose(_ table: String) -> Bool {
        !looseTables.isEmpty && looseTables.contains(table.lowercased())
    }

    public var name: String { "sqlite" }

    /// Pragmas that take an argument to read by, or to work on the file: they set nothing.
    private static let argumentPragmas: Set<String> = [
        "foreign_key_check", "foreign_key_list", "incremental_vacuum", "index_info", "index_list", "index_xinfo",
        "integrity_check", "optimize", "quick_check", "table_info", "table_list", "table_xinfo", "wal_checkpoint",
    ]

    public var sqlSyntax: SQLSyntax { .sqlite }

    public func changesSession(_ text: RawStatementText) -> Bool {
        switch text.parts.first {
        case "attach", "detach": true
        case "create": text.parts.prefix { $0 != "as" && $0 != "(" }.contains { $0 == "temp" || $0 == "temporary" }
        case "pragma":
            text.parts.contains("=")
                || text.parts.contains("(") && !text.contains(anyOf: Self.argumentPragmas)
        case "select", "with", "values": text.parts.contains("load_extension")
        default: false
        }
    }

    /// Plain and in order: SQLite looks numbered parameters up in a list, one after the other.
    public func placeholder(_ position: Int) -> String {
        timePosition == nil && scopes == nil ? "?" : "?\(position)"
    }

    public var timePosition: Int?

    public var scopes: ScopeView?

    /// Milliseconds, which are all that SQLite knows of the time; the same in a whole statement.
    public var currentTime: CurrentTime? {
        let now =
            timePosition.map(placeholder)
            ?? "(CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER) * 1000)"
        return CurrentTime(timestamp: now, microseconds: now)
    }

    public var codePointCollation: String { " COLLATE BINARY" }

    public func typeName(_ type: ColumnType) -> String {
        switch type {
        case .boolean, .int16, .int32, .int64, .timestamp: "INTEGER"
        case .float, .double: "REAL"
        case .decimal, .text, .json: "TEXT"
        case .blob, .uuid: "BLOB"
        }
    }

    public func storedTypeName(_ type: ColumnType) -> String { typeName(type) }

    public func keepGeneratedKeys(of table: String, in newTable: String, _ hasGeneratedKey: Bool) -> [String] {
        if !hasGeneratedKey { return [] }
        return [
            "DELETE FROM sqlite_sequence WHERE name = \(quotedText(newTable))",
            "INSERT INTO sqlite_sequence (name, seq) SELECT \(quotedText(newTable)), seq FROM sqlite_sequence "
                + "WHERE name = \(quotedText(table))",
        ]
    }

    public var documents: (any DocumentDialect)? { self }
    public var dates: (any DateDialect)? { self }
    public var upsertMark: UpsertMark? {
        UpsertMark(isInserted: "holdfast_is_inserted()", note: "holdfast_finds_row()")
    }
    public var functions: (any FunctionDialect)? { self }

    public var search: (any SearchDialect)? { SQLiteSearch.isThere ? SQLiteSearch(dialect: self) : nil }

    public var changeLog: (any ChangeLogDialect)? { SQLiteChangeLog(dialect: self) }

    public var tableRebuild: TableRebuild? {
        TableRebuild(
            before: "PRAGMA foreign_keys = OFF", after: "PRAGMA foreign_keys = ON",
            beforeRename: "PRAGMA legacy_alter_table = ON", afterRename: "PRAGMA legacy_alter_table = OFF",
            violations: "SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1")
    }

    /// AUTOINCREMENT, so that the key of a deleted row is not given again.
    public var generatedKeyDefinition: String { "INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL" }

    public func generatedKeyDefinition(_ type: ColumnType) -> String? {
        switch type {
        case .int16, .int32, .int64: generatedKeyDefinition
        case .uuid: "BLOB PRIMARY KEY NOT NULL DEFAULT (\(Self.randomUUID))"
        case .boolean, .float, .double, .decimal, .text, .blob, .timestamp, .json: nil
        }
    }

    /// Random bytes with the version and the variant of a random UUID (RFC 9562, 5.4) in their places.
    private static let randomUUID = {
        let variants = (0x80...0xbf).map { String($0, radix: 16, uppercase: true) }.joined()
        return "CAST(randomblob(6) || char(64 + abs(random() % 16)) || randomblob(1) || "
            + "substr(X'\(variants)', 1 + abs(random() % 64), 1) || randomblob(7) AS BLOB)"
    }()

    public func check(_ type: ColumnType, column: String) -> String? {
        type == .boolean ? "\(quoted(column)) IN (0, 1)" : nil
    }

    public func literal(_ cell: Cell, type: ColumnType) -> String {
        switch cell.kind {
        case .null, .list: "NULL"
        case .boolean, .integer, .timestamp: String(cell.integer)
        case .real: real(cell.real)
        case .text, .decimal, .json: quotedText(String(decoding: cell.bytes, as: UTF8.self))
        case .blob, .uuid: "X'\(hexadecimal(cell.bytes))'"
        }
    }

    private func real(_ value: Double) -> String {
        if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
        return value.isNaN ? "NULL" : String(value)
    }

    public func tableOptions(isJoinTable: Bool) -> String { isJoinTable ? "STRICT, WITHOUT ROWID" : "STRICT" }

    /// All levels are serializable here, as there is one writer.
    ///
    /// A transaction for writing takes the lock immediately: one that starts by reading and then writes can fail when
    /// another has written in between, however long it waits. A read-only one takes its snapshot with its first
    /// statement, and is only for connections that refuse writes.
    public func begin(_ isolation: IsolationLevel, readOnly: Bool) -> String {
        readOnly ? "BEGIN" : "BEGIN IMMEDIATE"
    }

    public var canAlterForeignKeys: Bool { false }

    /// A trigger, which needs PRAGMA recursive_triggers where rows of a table hold others of it: `DeleteRules` finds it
    /// by its name, and reads from its text what it deletes.
    ///
    /// None deletes before the row is gone, so that each ends where rows hold each other in a cycle.
    public func createDeleteRule(_ rule: DeleteRuleDefinition, on owner: TableDefinition) -> [String] {
        func equal(_ columns: [String], _ others: [String]) -> String {
            zip(columns, others).map { "\(quoted($0)) = OLD.\(quoted($1))" }.joined(separator: " AND ")
        }
        func holds(_ columns: [String]) -> String {
            columns.map { "OLD.\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
        }
        func trigger(_ time: String, _ table: String, when condition: String, _ statement: String) -> [String] {
            [
                """
                CREATE TRIGGER \(quoted(rule.name)) \(time) DELETE ON \(quoted(table))
                WHEN \(condition)
                BEGIN
                    \(statement);
                END
                """
            ]
        }
        switch (rule.source, rule.rule) {
        case (.columns(let columns), .deny):
            let message = DenialMessage(constraint: rule.name, table: owner.name, columns: columns).text
            return trigger("BEFORE", owner.name, when: holds(columns), "SELECT RAISE(ABORT, \(quotedText(message)))")
        case (.columns(let columns), _):
            let delete = "DELETE FROM \(quoted(rule.target)) WHERE \(equal(rule.targetKey, columns))"
            return trigger("AFTER", owner.name, when: holds(columns), delete)
        case (.joinTable(let table, let ownerColumns, let targetColumns), _):
            // An object that is taken out of an array stays; when the owner of an array is deleted, the objects in it
            // are, too.
            let hasOwner = "SELECT 1 FROM \(quoted(owner.name)) WHERE \(equal(owner.primaryKey, ownerColumns))"
            let delete = "DELETE FROM \(quoted(rule.target)) WHERE \(equal(rule.targetKey, targetColumns))"
            return trigger("AFTER", table, when: "NOT EXISTS (\(hasOwner))", delete)
        }
    }

    public func dropDeleteRule(_ name: String, on table: String) -> [String] {
        // With the first of its triggers goes all of a search index, and the others may be gone.
        guard let (index, event) = SearchIndex.parts(ofTrigger: name) else { return ["DROP TRIGGER \(quoted(name))"] }
        if event == .insert { return SQLiteSearch(dialect: self).drop(index, on: table) }
        return ["DROP TRIGGER IF EXISTS \(quoted(name))"]
    }
}

extension SQLSyntax {
    static let sqlite: SQLSyntax = [.backtickNames, .bracketNames, .signedParameters]
}
