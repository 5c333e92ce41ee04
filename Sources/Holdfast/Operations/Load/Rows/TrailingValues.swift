/// Reads rows that have values behind the columns of their objects: what is selected with these, or the order of a
/// page, which has one row too many if there are more pages.
final class TrailingValues {
    private let width: Int
    private let limit: Int
    private let count: Int
    /// The rows with their values.
    let shape: LoadedRows.Shape
    private var found: StoredRows?

    /// - Parameters:
    ///   - count: The number of values.
    ///   - width: The number of columns of a whole row.
    ///   - positions: Where these are in the rows of the statement, -1 for what it leaves out; nil if it leaves out
    ///     nothing.
    ///   - limit: The number of rows that are objects.
    init(_ count: Int, behind width: Int, _ positions: [Int]?, limit: Int = .max) {
        (self.width, self.limit, self.count) = (width, limit, count)
        let selected = positions.map { ($0.max() ?? -1) + 1 }
        shape = .rows(
            width: width + count,
            positions: positions.map { $0 + (0..<count).map { [selected] in (selected ?? 0) + $0 } })
    }

    /// Takes the rows of objects, without their values.
    func take(_ found: StoredRows) -> StoredRows {
        let rows = StoredRows(width: width, capacity: min(limit, found.rowCount))
        for index in 0..<min(limit, found.rowCount) { rows.append(copying: found.row(index)) }
        self.found = found
        return rows
    }

    /// The values of a row.
    func cells(ofRow row: Int) -> UnsafePointer<Cell>? { found.map { $0.row(row) + width } }

    /// The values of the last object, if there are more.
    var ofLast: ParameterBuffer? {
        guard let found, found.rowCount > limit, let cells = cells(ofRow: limit - 1) else { return nil }
        var values = ParameterBuffer(width: count)
        for index in 0..<count { values.append(copying: cells[index]) }
        return values
    }
}
