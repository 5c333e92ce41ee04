/// Rows that were copied, one after the other.
package final class StoredRowSource: RowSource {
    private let rows: StoredRows
    // Nothing here calls code that could look at it while it is changed, so no access is checked for that.
    @exclusivity(unchecked) private var row = 0
    /// Where it ends; nil for where the rows end, to which some may be added yet.
    private let end: Int?

    package let columnNames: [String]
    package let affectedRows: Int

    /// - Parameters:
    ///   - rows: The rows.
    ///   - columnNames: The names of their columns.
    ///   - range: Which of them; nil for all.
    ///   - affectedRows: How many rows the statement has changed.
    package init(
        _ rows: StoredRows, columnNames: [String] = [], range: Range<Int>? = nil, affectedRows: Int = 0
    ) {
        self.rows = rows
        self.affectedRows = affectedRows
        row = range?.lowerBound ?? 0
        end = range?.upperBound
        self.columnNames = columnNames
    }

    private var rowCount: Int { end ?? rows.rowCount }

    package var underestimatedCount: Int { rowCount - row }

    /// Whether all were handed out.
    package var isAtEnd: Bool { row >= rowCount }

    package func next() -> UnsafePointer<Cell>? {
        guard row < rowCount else { return nil }
        defer { row += 1 }
        return rows.row(row)
    }
}
