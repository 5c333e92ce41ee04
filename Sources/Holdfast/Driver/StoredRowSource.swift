/// Rows that were copied, one after the other.
package final class StoredRowSource: RowSource {
    private let rows: StoredRows
    // Nothing here calls code that could look at it while it is changed, so no access is checked for that.
    @exclusivity(unchecked) private var row = 0

    package let columnNames: [String]

    package init(_ rows: StoredRows, columnNames: [String] = []) {
        self.rows = rows
        self.columnNames = columnNames
    }

    package var affectedRows: Int { 0 }
    package var underestimatedCount: Int { rows.rowCount - row }

    /// Whether all were handed out.
    package var isAtEnd: Bool { row >= rows.rowCount }

    package func next() -> UnsafePointer<Cell>? {
        guard row < rows.rowCount else { return nil }
        defer { row += 1 }
        return rows.row(row)
    }
}
