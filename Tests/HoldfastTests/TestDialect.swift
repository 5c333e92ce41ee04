@_spi(Driver) import Holdfast

/// A dialect of no engine: so that what core renders is seen apart from any.
struct TestDialect: Dialect {
    var name: String { "test" }
    func placeholder(_ position: Int) -> String { ":\(position)" }
    var codePointCollation: String { " COLLATE CODEPOINT" }
    func typeName(_ type: ColumnType) -> String { type.rawValue.uppercased() }
    func storedTypeName(_ type: ColumnType) -> String { typeName(type) }
    var generatedKeyDefinition: String { "GENERATED KEY" }
    func check(_ type: ColumnType, column: String) -> String? { type == .boolean ? "IS BOOLEAN" : nil }
    func literal(_ cell: Cell, type: ColumnType) -> String {
        cell.hasBytes ? "'\(String(decoding: cell.bytes, as: UTF8.self))'" : String(cell.integer)
    }
    func tableOptions(isJoinTable: Bool) -> String { "" }
    var nullsFirstInIndex: String { " NULLS FIRST" }
    func begin(_ isolation: IsolationLevel, readOnly: Bool) -> String { "BEGIN" }
    var rowLock: String { " FOR UPDATE" }
    var canAlterForeignKeys = true
    var engineTime: CurrentTime? = nil
    var timePosition: Int? = nil
    var currentTime: CurrentTime? {
        timePosition.map { CurrentTime(timestamp: ":\($0)", microseconds: "MICROS(:\($0))") } ?? engineTime
    }
    func createDeleteRule(_ rule: DeleteRuleDefinition, on owner: TableDefinition) -> [String] {
        ["CREATE RULE \(rule.name) OF \(owner.name)"]
    }
    func dropDeleteRule(_ name: String, on table: String) -> [String] { ["DROP RULE \(name) ON \(table)"] }
    func isIn(_ columns: [(name: String, type: ColumnType)], from position: Int) -> String {
        "(\(columns.map(\.name).joined(separator: ", "))) IN LISTS FROM \(position)"
    }
    func exact(_ sql: String, _ type: ColumnType) -> String { "EXACT(\(sql))" }
    func ordered(_ sql: String, _ type: ColumnType) -> String { "ORDERED(\(sql))" }
    func isSame(_ left: String, _ right: String, isNegated: Bool) -> String {
        "\(left) \(isNegated ? "DIFFERS" : "SAME") \(right)"
    }
    func typed(_ placeholder: String, _ type: ColumnType) -> String { "\(placeholder) AS \(typeName(type))" }
    func like(_ text: String, _ pattern: String, isCaseSensitive: Bool) -> String { "\(text) LIKE \(pattern)" }
    func pattern(_ pattern: String, isCaseSensitive: Bool) -> String { pattern }
    func contains(_ text: String, _ part: String) -> String { "\(text) CONTAINS \(part)" }
    func arithmetic(_ operation: ArithmeticOperator, _ left: String, _ right: String, _ type: ColumnType) -> String {
        "(\(left) \(operation.rawValue) \(right))"
    }
    func fitting(_ sql: String, _ type: ColumnType) -> String { "FITTING(\(sql))" }
    func sum(_ sql: String, _ type: ColumnType, _ clauses: String) -> String { "SUM(\(sql))\(clauses)" }
    func average(_ sql: String, _ type: ColumnType, _ clauses: String) -> String { "AVERAGE(\(sql))\(clauses)" }
    func changesSession(_ text: RawStatementText) -> Bool { text.begins(with: "set") }
    func limit(_ limit: Int?, offset: Int) -> String { " LIMIT \(limit ?? 0) OFFSET \(offset)" }
    func explain(_ sql: String) -> String { "EXPLAIN \(sql)" }
    func list(_ types: [ColumnType], from position: Int) -> (source: String, columns: [String]) {
        ("LISTS FROM \(position)", types.indices.map { "c\($0)" })
    }
}
