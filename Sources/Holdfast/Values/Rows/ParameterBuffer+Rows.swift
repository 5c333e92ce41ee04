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
            for index in row * width..<(row + 1) * width { result.cells.append(cells[index]) }
            for index in row * other.width..<(row + 1) * other.width {
                var cell = other.cells[index]
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
        for position in row * other.width..<(row + 1) * other.width { append(other.cells[position], of: other) }
    }

    /// Appends a cell of another buffer.
    mutating func append(_ cell: Cell, of other: ParameterBuffer) {
        var cell = cell
        if cell.hasBytes {
            let start = Int(cell.payload)
            cell.payload = UInt64(bytes.count)
            bytes += other.bytes[start..<start + Int(cell.count)]
        }
        cells.append(cell)
    }

    /// The key that a row is; nil if a part of it is NULL.
    func key(ofRow row: Int) -> Key? {
        if width == 1, cells[row].kind == .integer {
            return withUnsafePointer(to: cells[row]) { Key(cells: $0, count: 1) }
        }
        guard !cells[row * width..<(row + 1) * width].contains(where: \.isNull) else { return nil }
        return withRow(row) { cells in cells.baseAddress.map { Key(cells: $0, count: cells.count) } }
    }

    /// Whether each row is one integer, and greater than the row before: so that no two rows are the same.
    ///
    /// Keys of objects that were fetched mostly are, and to find that out costs less than to look each of them up.
    var isAscending: Bool {
        guard width == 1, var last = cells.first?.integer else { return false }
        for (row, cell) in cells.enumerated() {
            guard cell.kind == .integer, row == 0 || cell.integer > last else { return false }
            last = cell.integer
        }
        return true
    }

    /// Whether two rows hold the same cells and bytes.
    func isSame(_ left: Int, _ right: Int) -> Bool {
        guard width > 0 else { return true }
        return (0..<width).allSatisfy { column in
            let (one, other) = (cells[left * width + column], cells[right * width + column])
            guard one.kind == other.kind, one.count == other.count else { return false }
            guard one.hasBytes else { return one.payload == other.payload }
            let length = Int(one.count)
            return bytes[Int(one.payload)..<Int(one.payload) + length]
                .elementsEqual(bytes[Int(other.payload)..<Int(other.payload) + length])
        }
    }

    /// Appends all rows of another buffer of the same width.
    mutating func appendAll(_ other: ParameterBuffer) {
        let offset = UInt64(bytes.count)
        bytes += other.bytes
        cells.makeRoom(for: other.cells.count)
        for var cell in other.cells {
            if cell.hasBytes { cell.payload += offset }
            cells.append(cell)
        }
    }

    /// A column of its own, of a part of each row.
    func column(_ part: Int) -> ParameterBuffer {
        guard width > 1 else { return self }
        var column = ParameterBuffer(width: 1)
        column.cells.reserveCapacity(cells.count / width)
        for row in rowIndices { column.append(cells[row * width + part], of: self) }
        return column
    }

    /// One row of list parameters, one for each column.
    package var asLists: ParameterBuffer { lists(followedBy: ParameterBuffer(width: 0)) }

    /// One row of list parameters, one for each column, and then the row of another buffer.
    func lists(followedBy other: ParameterBuffer) -> ParameterBuffer {
        var lists = ParameterBuffer(width: width + other.width)
        for part in 0..<width { lists.append(list: column(part)) }
        if other.width > 0 { lists.appendRow(0, of: other) }
        return lists
    }

    /// The rows at some positions.
    func selecting(_ chosen: [Int]) -> ParameterBuffer {
        if chosen.count == rowIndices.count, chosen.indices.allSatisfy({ chosen[$0] == $0 }) { return self }
        var result = ParameterBuffer(width: width)
        result.cells.reserveCapacity(chosen.count * width)
        for row in chosen { result.appendRow(row, of: self) }
        return result
    }
}
