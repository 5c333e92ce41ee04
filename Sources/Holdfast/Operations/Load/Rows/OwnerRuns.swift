/// The owners of rows that come ordered by owner: one key for each run of rows of one owner.
struct OwnerRuns: Sendable {
    private let keys: StoredRows
    private let width: Int
    /// Where the rows of each run begin.
    private var starts: [Int32] = []
    private(set) var rowCount = 0

    /// - Parameter width: Of how many cells a key is.
    init(width: Int) {
        keys = StoredRows(width: width)
        self.width = width
    }

    /// Notes the owner of the next row.
    ///
    /// - Parameter cells: Its key.
    mutating func append(_ cells: UnsafePointer<Cell>) {
        if starts.isEmpty || !isLatest(cells) {
            keys.append(copying: cells)
            starts.append(Int32(truncatingIfNeeded: rowCount))
        }
        rowCount += 1
    }

    private func isLatest(_ cells: UnsafePointer<Cell>) -> Bool {
        let latest = keys.row(keys.rowCount - 1)
        for part in 0..<width where !latest[part].hasSameContents(as: cells[part]) { return false }
        return true
    }

    /// Calls `body` with the key of each owner, and which rows are its own; more than once for one that comes again.
    func forEach(_ body: (Key, Range<Int>) throws -> Void) rethrows {
        for run in starts.indices {
            let end = run + 1 < starts.count ? Int(starts[run + 1]) : rowCount
            try body(keys.key(ofRow: run, count: width), Int(starts[run])..<end)
        }
    }
}

extension Cell {
    /// Whether both hold the same, to the bit.
    fileprivate func hasSameContents(as other: Cell) -> Bool {
        guard kind == other.kind else { return false }
        return hasBytes ? bytes.elementsEqual(other.bytes) : payload == other.payload
    }
}
