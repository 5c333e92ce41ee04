/// Elements in the order of their join table, to be arranged by row.
struct ElementCollector {
    private var elements: ParameterBuffer
    private var rows: [Int] = []

    init(width: Int) { elements = ParameterBuffer(width: width) }

    mutating func append(_ index: Int, of other: ParameterBuffer, row: Int) {
        elements.appendRow(index, of: other)
        rows.append(row)
    }

    /// The elements, those of one row after those of the row before.
    func column(rowCount: Int) -> ArrayValues.Column {
        let width = elements.width
        var starts = [Int](repeating: 0, count: rowCount + 1)
        for row in rows { starts[row + 1] += 1 }
        for row in 0..<rowCount { starts[row + 1] += starts[row] }
        var next = starts
        var arranged = ParameterBuffer(width: width)
        arranged.cells = [Cell](repeating: .null, count: rows.count * width)
        for (position, row) in rows.enumerated() {
            for part in 0..<width {
                arranged.cells[next[row] * width + part] = elements.cells[position * width + part]
            }
            next[row] += 1
        }
        arranged.bytes = elements.bytes
        return .init(elements: arranged, starts: starts)
    }
}
