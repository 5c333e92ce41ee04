/// Elements in the order of their join table, to be arranged by row.
final class ElementCollector {
    private let elementWidth: Int
    // Nothing here calls code that could look at a property while it is changed, so no access is checked for that.
    @exclusivity(unchecked) private var cells: [Cell] = []
    @exclusivity(unchecked) private var owners: [Int32] = []
    /// What the cells point into.
    private var sources: [StoredRows] = []

    init(elementWidth: Int) { self.elementWidth = elementWidth }

    /// Takes elements from `source` from here on.
    func begin(_ source: StoredRows) {
        sources.append(source)
        cells.makeRoom(for: source.rowCount * elementWidth)
        owners.makeRoom(for: source.rowCount)
    }

    func append(_ element: UnsafePointer<Cell>, owner: Int32) {
        cells.append(contentsOf: UnsafeBufferPointer(start: element, count: elementWidth))
        owners.append(owner)
    }

    /// The elements, those of one row after those of the row before.
    func column(rowCount: Int) -> ArrayColumn {
        var starts = [Int](repeating: 0, count: rowCount + 1)
        var isArranged = true
        var latest: Int32 = 0
        for owner in owners {
            starts[Int(owner) + 1] += 1
            if owner < latest { isArranged = false }
            latest = owner
        }
        for row in 0..<rowCount { starts[row + 1] += starts[row] }
        var elements = ParameterBuffer(width: elementWidth)
        if isArranged {
            elements.cells = cells
            return ArrayColumn(elements: elements, starts: starts, sources: sources)
        }
        var next = starts
        elements.cells = [Cell](repeating: .null, count: cells.count)
        for (position, owner) in owners.enumerated() {
            let place = next[Int(owner)]
            for part in 0..<elementWidth {
                elements.cells[place * elementWidth + part] = cells[position * elementWidth + part]
            }
            next[Int(owner)] += 1
        }
        return ArrayColumn(elements: elements, starts: starts, sources: sources)
    }
}
