/// Rows that were copied, one after the other.
package final class StoredRowSource: RowSource {
    private let rows: StoredRows
    private var row = 0

    package let columnNames: [String]

    package init(_ rows: StoredRows, columnNames: [String] = []) {
        self.rows = rows
        self.columnNames = columnNames
    }

    package var affectedRows: Int { 0 }

    /// Whether all were handed out.
    package var isAtEnd: Bool { row >= rows.rowCount }

    package func next() -> UnsafePointer<Cell>? {
        guard row < rows.rowCount else { return nil }
        defer { row += 1 }
        return rows.row(row)
    }
}
