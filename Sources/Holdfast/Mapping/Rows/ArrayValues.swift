/// The elements of the arrays of many rows, as their join tables gave them.
@usableFromInline
final class ArrayValues: Sendable {
    /// The arrays by the positions of their properties; nil for what is no array of values.
    @usableFromInline let arrayColumns: [ArrayColumn?]

    init(_ arrayColumns: [ArrayColumn?]) { self.arrayColumns = arrayColumns }

    /// The elements of an array of lazy references: their keys.
    func keys(of index: Int, row: Int) throws -> [Key] {
        guard let column = arrayColumns[index] else { throw RowFault.notLoaded }
        return try column.keys(ofRow: row)
    }
}

/// The elements of one array property for all rows: a run of cells for each row.
@usableFromInline
final class ArrayColumn: Sendable {
    /// The elements, unless they are stored rows; the payload of a text or blob is an offset in its bytes.
    @usableFromInline let elements: ParameterBuffer
    /// Where the run of a row begins; one more than there are rows.
    @usableFromInline let starts: [Int]
    /// Rows that are the elements.
    private let stored: StoredRows?
    // Unchecked: the cells of `stored`, to which nothing is added any more, and which lives as long as this.
    @usableFromInline nonisolated(unsafe) let storedCells: UnsafePointer<Cell>?

    init(elements: ParameterBuffer, starts: [Int]) {
        self.elements = elements
        self.starts = starts
        (stored, storedCells) = (nil, nil)
    }

    init(stored: StoredRows, starts: [Int]) {
        elements = ParameterBuffer(width: stored.width)
        self.starts = starts
        (self.stored, storedCells) = (stored, stored.row(0))
    }

    func keys(ofRow row: Int) throws -> [Key] {
        guard row + 1 < starts.count else { throw RowFault.notLoaded }
        return (starts[row]..<starts[row + 1]).map { position in
            if let stored { return stored.key(ofRow: position, count: stored.width) }
            return elements.withRow(position) { cells in
                cells.baseAddress.map { Key(cells: $0, count: cells.count) } ?? Key()
            }
        }
    }

    /// The elements of a row, to be compared with others.
    func elementKeys(ofRow row: Int) throws -> [ElementKey] {
        guard row + 1 < starts.count else { throw RowFault.notLoaded }
        return (starts[row]..<starts[row + 1]).map { position in
            if let stored {
                return ElementKey(UnsafeBufferPointer(start: stored.row(position), count: stored.width))
            }
            return elements.withRow(position) { ElementKey($0) }
        }
    }

    /// Calls `body` with the cells of the elements of a row, of one cell each, and what is to be added to a payload
    /// that points at bytes.
    @inlinable
    func withElements<Result>(
        ofRow row: Int, _ body: (UnsafeBufferPointer<Cell>, _ base: UInt64) throws -> Result
    ) throws -> Result {
        guard row + 1 < starts.count else { throw RowFault.notLoaded }
        let (start, end) = (starts[row], starts[row + 1])
        if let storedCells {
            return try body(UnsafeBufferPointer(start: storedCells + start, count: end - start), 0)
        }
        return try elements.bytes.withUnsafeBytes { bytes in
            try elements.cells.withUnsafeBufferPointer { cells in
                let base = UInt64(UInt(bitPattern: bytes.baseAddress))
                return try body(UnsafeBufferPointer(rebasing: cells[start..<end]), base)
            }
        }
    }
}
