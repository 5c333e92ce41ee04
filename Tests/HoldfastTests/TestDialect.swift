import Holdfast

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
    var needsDefaultForAddedColumn: Bool { false }
    func begin(_ isolation: IsolationLevel, readOnly: Bool) -> String { "BEGIN" }
    var schemaLock: String? { nil }
    func advanceGeneratedKey(table: String, column: String) -> String? { nil }
    var rowLock: String { " FOR UPDATE" }
    var canAlterForeignKeys = true
    func createDeleteRule(_ rule: DeleteRuleDefinition, on owner: TableDefinition) -> [String] {
        ["CREATE RULE \(rule.name) OF \(owner.name)"]
    }
    func dropDeleteRule(_ name: String, on table: String) -> [String] { ["DROP RULE \(name) ON \(table)"] }
    func isIn(_ columns: [(name: String, type: ColumnType)], from position: Int) -> String {
        "(\(columns.map(\.name).joined(separator: ", "))) IN LISTS FROM \(position)"
    }
    func list(_ types: [ColumnType], from position: Int) -> (source: String, columns: [String]) {
        ("LISTS FROM \(position)", types.indices.map { "c\($0)" })
    }
}
