/// Rows of one table that are written by one statement, encoded and ready to be sent.
struct WriteBatch<Model: TableObject>: Sendable {
    enum Action: Hashable, Sendable {
        /// A new row.
        case insert
        /// A row that exists; it is missed if it does not.
        case update
        /// A new row, or the one that exists with its key; the creation time of an existing row is kept if asked.
        case upsert(keepsCreated: Bool)
    }

    /// What rows have in common that go into one batch.
    struct Group: Hashable, Sendable {
        let action: Action
        /// The properties that are written.
        let mask: PropertyMask
    }

    let group: Group
    /// For each row, the position of its object among those given to the operation.
    var objects: [Int] = []
    /// The columns of each row; of an update without the key.
    var columns: ParameterBuffer
    /// The key of each row; a single NULL where the engine is to make it.
    var keys: ParameterBuffer
    /// The arrays of each row.
    var arrays: [ArrayElements] = []
    /// For each row, the properties that get back what was encoded: timestamps, and what was rounded.
    var writtenBack: [PropertyMask] = []

    /// Whether the engine makes the keys.
    var generatesKeys: Bool { group.action == .insert && keys.cells.first?.isNull == true }

    /// Whether one statement with one row is all there is to send.
    var isSingleStatement: Bool {
        objects.count == 1 && !touchesArrays
    }

    private var touchesArrays: Bool {
        // The arrays of a new row have no elements in the way.
        group.action == .insert ? arrays.contains { !$0.encoder.buffer.cells.isEmpty } : !arrays.isEmpty
    }

    /// What the parameters of the statement are: the columns, and for an update the key after them.
    var parameters: ParameterBuffer {
        group.action == .update ? columns.joined(with: keys) : columns
    }

    /// The arrays as rows can read them.
    var arrayValues: ArrayValues {
        ArrayValues(
            columns: Dictionary(
                uniqueKeysWithValues: arrays.map { array in
                    let end = array.encoder.buffer.cells.count
                    return (array.property, .init(elements: array.encoder.buffer, starts: array.starts + [end]))
                }))
    }
}

extension ParameterBuffer {
    /// A buffer whose rows are those of this one, each followed by the row of `other`.
    func joined(with other: ParameterBuffer) -> ParameterBuffer {
        var result = ParameterBuffer(width: width + other.width)
        let rows = max(
            width == 0 ? 0 : cells.count / width, other.width == 0 ? 0 : other.cells.count / other.width)
        result.cells.reserveCapacity(cells.count + other.cells.count)
        result.bytes = bytes + other.bytes
        let offset = UInt64(bytes.count)
        for row in 0..<rows {
            result.cells += cells[row * width..<(row + 1) * width]
            for var cell in other.cells[row * other.width..<(row + 1) * other.width] {
                if cell.hasBytes { cell.payload += offset }
                result.cells.append(cell)
            }
        }
        return result
    }

    /// Replaces a cell by one of another buffer.
    mutating func replace(_ position: Int, with cell: Cell, of other: ParameterBuffer) {
        var cell = cell
        if cell.hasBytes {
            let start = Int(cell.payload)
            cell.payload = UInt64(bytes.count)
            bytes += other.bytes[start..<start + Int(cell.count)]
        }
        cells[position] = cell
    }

    /// Appends a row of another buffer.
    mutating func appendRow(_ row: Int, of other: ParameterBuffer) {
        for position in row * other.width..<(row + 1) * other.width {
            cells.append(.null)
            replace(cells.count - 1, with: other.cells[position], of: other)
        }
    }
}
