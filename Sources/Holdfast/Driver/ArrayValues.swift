/// The elements of the arrays of many rows, as their join tables gave them.
@usableFromInline
final class ArrayValues: Sendable {
    /// The arrays by the positions of their properties; nil for what is no array of values.
    @usableFromInline let columns: [ArrayColumn?]

    init(columns: [ArrayColumn?]) { self.columns = columns }

    /// The elements of an array of lazy references: their keys.
    func keys(of index: Int, row: Int) throws -> [Key] {
        guard let column = columns[index] else { throw RowFault.notLoaded }
        return try column.keys(ofRow: row)
    }
}

/// The elements of one array property for all rows: a run of cells for each row.
@usableFromInline
final class ArrayColumn: Sendable {
    @usableFromInline let elements: ParameterBuffer
    /// Where the run of a row begins; one more than there are rows.
    @usableFromInline let starts: [Int]
    /// What the cells point into, if it is not the bytes of the elements.
    let sources: [StoredRows]
    @usableFromInline let hasOffsets: Bool

    init(elements: ParameterBuffer, starts: [Int], sources: [StoredRows] = []) {
        self.elements = elements
        self.starts = starts
        self.sources = sources
        hasOffsets = sources.isEmpty
    }

    func keys(ofRow row: Int) throws -> [Key] {
        guard row + 1 < starts.count else { throw RowFault.notLoaded }
        let width = elements.width
        return (starts[row]..<starts[row + 1]).map { position in
            if hasOffsets {
                return elements.withRow(position) { cells in
                    cells.baseAddress.map { Key(cells: $0, count: cells.count) } ?? Key()
                }
            }
            return elements.cells.withUnsafeBufferPointer { cells in
                cells.baseAddress.map { Key(cells: $0 + position * width, count: width) } ?? Key()
            }
        }
    }

    /// Calls `body` with the cells of the elements of a row, of one cell each, and what is to be added to a payload that
    /// points at bytes.
    @inlinable
    func withElements<Result>(
        ofRow row: Int, _ body: (UnsafeBufferPointer<Cell>, _ base: UInt64) throws -> Result
    ) throws -> Result {
        guard row + 1 < starts.count else { throw RowFault.notLoaded }
        return try elements.bytes.withUnsafeBytes { bytes in
            try elements.cells.withUnsafeBufferPointer { cells in
                let base = hasOffsets ? UInt64(UInt(bitPattern: bytes.baseAddress)) : 0
                return try body(UnsafeBufferPointer(rebasing: cells[starts[row]..<starts[row + 1]]), base)
            }
        }
    }
}
