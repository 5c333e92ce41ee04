/// Reads the rows of a page, of which there is one too many if there are more pages.
final class PageReader {
    private let width: Int
    private let size: Int
    private let criteria: Int
    /// The rows with the values of the order behind their columns.
    let shape: LoadedRows.Shape
    /// The values of the order of the last object, if there are more.
    private(set) var last: ParameterBuffer?

    /// - Parameters:
    ///   - width: The number of columns of a whole row.
    ///   - positions: Where these are in the rows of the statement, -1 for what it leaves out; nil if it leaves out
    ///     nothing.
    init(width: Int, _ positions: [Int]?, size: Int, criteria: Int) {
        (self.width, self.size, self.criteria) = (width, size, criteria)
        let selected = positions.map { ($0.max() ?? -1) + 1 }
        shape = .rows(
            width: width + criteria,
            positions: positions.map { $0 + (0..<criteria).map { [selected] in (selected ?? 0) + $0 } })
    }

    /// Takes the rows of the page, without those values.
    func take(_ found: StoredRows) -> StoredRows {
        let rows = StoredRows(width: width, capacity: min(size, found.rowCount))
        for index in 0..<min(size, found.rowCount) { rows.append(copying: found.row(index)) }
        if found.rowCount > size {
            var values = ParameterBuffer(width: criteria)
            for index in 0..<criteria { values.append(copying: found.row(size - 1)[width + index]) }
            last = values
        }
        return rows
    }
}
