/// The elements of the arrays of many rows, as their join tables gave them.
final class ArrayValues: Sendable {
    /// The elements of one array property for all rows: a run of cells for each row.
    struct Column: Sendable {
        var elements = ParameterBuffer(width: 1)
        /// Where the run of a row begins; one more than there are rows.
        var starts: [Int] = [0]
    }

    private let columns: [Int: Column]

    /// - Parameter columns: The columns by the position of their property.
    init(columns: [Int: Column]) { self.columns = columns }

    func elements<Element>(of index: Int, row: Int, _ decode: (Cell) throws -> Element) throws -> [Element] {
        guard let column = columns[index], row + 1 < column.starts.count else { throw RowFault.notLoaded }
        var result: [Element] = []
        let run = column.starts[row]..<column.starts[row + 1]
        result.reserveCapacity(run.count)
        try column.elements.bytes.withUnsafeBytes { arena in
            let base = UInt64(UInt(bitPattern: arena.baseAddress))
            for position in run {
                var cell = column.elements.cells[position]
                if cell.hasBytes { cell.payload &+= base }
                result.append(try decode(cell))
            }
        }
        return result
    }
}
