@_spi(Driver) import Holdfast

/// SQL as SQLite writes it, without what it would take functions of our own for: see the known issues in `main.swift`.
struct PlainDialect: Dialect {
    let name = "plain-sqlite"
    let canAlterForeignKeys = false
    let codePointCollation = " COLLATE BINARY"
    let generatedKeyDefinition = "INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL"
    var timePosition: Int?
    var scopes: ScopeView?
    private static let engineTime = "(CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER) * 1000)"
    private var now: String { timePosition.map(placeholder) ?? Self.engineTime }
    var currentTime: CurrentTime? { CurrentTime(timestamp: now, microseconds: now) }

    func referringTable(to table: String) -> String? {
        "SELECT s.name FROM sqlite_schema s, pragma_foreign_key_list(s.name) k WHERE k.[table] = \(quotedText(table)) AND s.name <> k.[table]"
    }

    func placeholder(_ position: Int) -> String { "?\(position)" }

    func typeName(_ type: ColumnType) -> String {
        switch type {
        case .boolean, .int16, .int32, .int64, .timestamp: "INTEGER"
        case .float, .double: "REAL"
        case .decimal, .text, .json: "TEXT"
        case .blob, .uuid: "BLOB"
        }
    }

    func storedTypeName(_ type: ColumnType) -> String { typeName(type) }
    func check(_ type: ColumnType, column: String) -> String? { type == .boolean ? "\(quoted(column)) IN (0, 1)" : nil }
    func tableOptions(isJoinTable: Bool) -> String { "STRICT" }
    func begin(_ isolation: IsolationLevel, readOnly: Bool) -> String { readOnly ? "BEGIN" : "BEGIN IMMEDIATE" }

    func literal(_ cell: Cell, type: ColumnType) -> String {
        switch cell.kind {
        case .null, .list: "NULL"
        case .boolean, .integer, .timestamp: String(cell.integer)
        case .real: cell.real.isInfinite ? (cell.real < 0 ? "-9e999" : "9e999") : String(cell.real)
        case .text, .decimal, .json: quotedText(String(decoding: cell.bytes, as: UTF8.self))
        case .blob, .uuid: "X'\(hexadecimal(cell.bytes))'"
        }
    }

    // The level Graph is declined: what would make a delete rule is no SQL, so that it fails.
    func createDeleteRule(_ rule: DeleteRuleDefinition, on owner: TableDefinition) -> [String] { ["DELETE RULE"] }
    func dropDeleteRule(_ name: String, on table: String) -> [String] { ["DROP TRIGGER \(quoted(name))"] }

    func changesSession(_ text: RawStatementText) -> Bool {
        text.contains(anyOf: ["attach", "detach", "pragma", "temp", "temporary"])
    }

    // MARK: Lists, which are bound as arrays of JSON

    func isIn(_ columns: [(name: String, type: ColumnType)], from position: Int) -> String {
        let list = list(columns.map(\.type), from: position)
        let names = columns.map(\.name).joined(separator: ", ")
        return "(\(names)) IN (SELECT \(list.columns.joined(separator: ", ")) FROM \(list.source))"
    }

    func list(_ types: [ColumnType], from position: Int) -> (source: String, columns: [String]) {
        let columns = types.indices.map { "c\($0)" }
        let values = types.enumerated().map { index, type in
            let isBytes = type == .blob || type == .uuid
            let value = isBytes ? "plain_bytes(a\(index).value)" : "CAST(a\(index).value AS \(typeName(type)))"
            return "\(value) AS c\(index), "
        }.joined()
        // With a LIMIT a subquery is kept and indexed, where JSON would be read again for each row of the first list.
        let others = types.indices.dropFirst().map {
            " JOIN (SELECT key, value FROM json_each(?\(position + $0)) LIMIT -1) AS a\($0) ON a\($0).key = a0.key"
        }
        let source = "json_each(?\(position)) AS a0\(others.joined())"
        return ("(SELECT \(values)a0.key AS position FROM \(source)) AS list", columns)
    }

    // MARK: Queries

    func exact(_ sql: String, _ type: ColumnType) -> String { type == .text ? sql + codePointCollation : sql }
    func ordered(_ sql: String, _ type: ColumnType) -> String {
        type == .decimal ? "CAST(\(sql) AS REAL)" : exact(sql, type)
    }
    func isSame(_ a: String, _ b: String, isNegated: Bool) -> String { "\(a) \(isNegated ? "IS NOT" : "IS") \(b)" }
    func typed(_ placeholder: String, _ type: ColumnType) -> String { placeholder }
    func like(_ a: String, _ pattern: String, isCaseSensitive: Bool) -> String { "\(a) LIKE \(pattern) ESCAPE '\\'" }
    func pattern(_ pattern: String, isCaseSensitive: Bool) -> String { pattern }
    func contains(_ text: String, _ part: String) -> String { "instr(\(text), \(part)) > 0" }
    func arithmetic(_ operation: ArithmeticOperator, _ left: String, _ right: String, _ type: ColumnType) -> String {
        "(\(left) \(operation.rawValue) \(right))"
    }
    func fitting(_ sql: String, _ type: ColumnType) -> String { sql }
    func sum(_ sql: String, _ type: ColumnType, _ clauses: String) -> String { "sum(\(sql))\(clauses)" }
    func average(_ sql: String, _ type: ColumnType, _ clauses: String) -> String { "avg(\(sql))\(clauses)" }
    func limit(_ limit: Int?, offset: Int) -> String { " LIMIT \(limit ?? -1) OFFSET \(offset)" }
    func explain(_ sql: String) -> String { "EXPLAIN QUERY PLAN \(sql)" }
}
