import Holdfast

/// SQL as SQLite writes it.
struct SQLiteDialect: Dialect {
    var name: String { "sqlite" }

    /// Plain and in order: SQLite looks numbered parameters up in a list, one after the other.
    func placeholder(_ position: Int) -> String { "?" }

    var codePointCollation: String { " COLLATE BINARY" }

    func typeName(_ type: ColumnType) -> String {
        switch type {
        case .boolean, .int16, .int32, .int64, .timestamp: "INTEGER"
        case .float, .double: "REAL"
        case .decimal, .text, .json: "TEXT"
        case .blob, .uuid: "BLOB"
        }
    }

    func storedTypeName(_ type: ColumnType) -> String { typeName(type) }

    /// AUTOINCREMENT, so that the key of a deleted row is not given again.
    var generatedKeyDefinition: String { "INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL" }

    func check(_ type: ColumnType, column: String) -> String? {
        type == .boolean ? "\(quoted(column)) IN (0, 1)" : nil
    }

    func literal(_ cell: Cell, type: ColumnType) -> String {
        switch cell.kind {
        case .null: "NULL"
        case .boolean, .integer, .timestamp: String(cell.integer)
        case .real: real(cell.real)
        case .text, .decimal, .json: "'" + String(decoding: cell.bytes, as: UTF8.self).replacing("'", with: "''") + "'"
        case .blob, .uuid: "X'" + cell.bytes.map(hexadecimal).joined() + "'"
        }
    }

    private func real(_ value: Double) -> String {
        if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
        return value.isNaN ? "NULL" : String(value)
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }

    var nullsFirstInIndex: String { "" }

    var needsDefaultForAddedColumn: Bool { true }

    var tableOptions: String { "STRICT" }

    /// All levels are serializable here, as there is one writer.
    ///
    /// A transaction for writing takes the lock at once: one that starts by reading and then writes can fail when
    /// another has written in between, however long it waits. A read-only one takes its snapshot with its first
    /// statement, and is only for connections that refuse writes.
    func begin(_ isolation: IsolationLevel, readOnly: Bool) -> String {
        readOnly ? "BEGIN" : "BEGIN IMMEDIATE"
    }

    var schemaLock: String? { nil }

    var rowLock: String { "" }

    func advanceGeneratedKey(table: String, column: String) -> String? { nil }
}
