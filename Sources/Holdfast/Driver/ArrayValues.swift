/// The elements of the arrays of many rows, as their join tables gave them.
final class ArrayValues: Sendable {
    /// The elements of one array property for all rows: a run of cells for each row.
    struct Column: Sendable {
        var elements = ParameterBuffer(width: 1)
        /// Where the run of a row begins; one more than there are rows.
        var starts: [Int] = [0]
        /// What the cells point into, if it is not the bytes of the elements.
        var sources: [StoredRows] = []
    }

    private let columns: [Int: Column]

    /// - Parameter columns: The columns by the position of their property.
    init(columns: [Int: Column]) { self.columns = columns }

    /// The elements of an array of lazy references: their keys.
    func keys(of index: Int, row: Int) throws -> [Key] {
        guard let column = columns[index], row + 1 < column.starts.count else { throw RowFault.notLoaded }
        let width = column.elements.width
        return (column.starts[row]..<column.starts[row + 1]).map { position in
            if !column.sources.isEmpty {
                return column.elements.cells.withUnsafeBufferPointer { cells in
                    cells.baseAddress.map { Key(cells: $0 + position * width, count: width) } ?? Key()
                }
            }
            return column.elements.withRow(position) { cells in
                cells.baseAddress.map { Key(cells: $0, count: cells.count) } ?? Key()
            }
        }
    }

    func forEachElement(of index: Int, row: Int, _ body: (Cell) throws -> Void) throws {
        guard let column = columns[index], row + 1 < column.starts.count else { throw RowFault.notLoaded }
        try column.elements.bytes.withUnsafeBytes { arena in
            let base = column.sources.isEmpty ? UInt64(UInt(bitPattern: arena.baseAddress)) : 0
            for position in column.starts[row]..<column.starts[row + 1] {
                var cell = column.elements.cells[position]
                if cell.hasBytes { cell.payload &+= base }
                try body(cell)
            }
        }
    }
}
