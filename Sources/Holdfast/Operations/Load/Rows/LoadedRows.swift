/// The rows of a statement of a load, copied.
struct LoadedRows: Sendable {
    /// The part of a statement's rows that is kept.
    enum Shape: Sendable {
        /// All cells, or those at some positions: -1 for one that is NULL.
        case rows(width: Int, positions: [Int]? = nil)
        /// All cells, of each key once.
        case distinct(TableColumns)
        /// The cells that come after the owner's key.
        case owned(near: Int, width: Int)
        /// Of each link, which comes as the keys of owner and target and then the target's row: each row once.
        case links(near: Int, far: Int, width: Int)
    }

    let rows: StoredRows
    /// The indices of the rows by their keys, if each is there once.
    private(set) var keys: KeyIndex?
    /// The owners of the rows, or of the links.
    private(set) var owners: OwnerRuns
    /// For each link the index of its target's row; -1 where there is none.
    private(set) var targetRows: [Int32] = []

    /// Reads all rows that a source gives.
    init(copying source: any RowSource, as shape: Shape) throws {
        let count = max(source.underestimatedCount, 16)
        switch shape {
        case .rows(let width, let positions):
            owners = OwnerRuns(width: 0)
            rows = try StoredRows(copying: source, width: width, at: positions)
        case .distinct(let columns):
            owners = OwnerRuns(width: 0)
            rows = StoredRows(width: columns.all.count, capacity: count)
            var keys = KeyIndex()
            while let cells = try source.next() {
                let isNew = keys.insert(columns.key(inRow: cells), Int32(truncatingIfNeeded: rows.rowCount))
                if isNew { rows.append(copying: cells) }
            }
            self.keys = keys
        case .owned(let near, let width):
            owners = OwnerRuns(width: near)
            rows = StoredRows(width: width, capacity: count)
            while let cells = try source.next() {
                owners.append(cells)
                rows.append(copying: cells + near)
            }
        case .links(let near, let far, let width):
            owners = OwnerRuns(width: near)
            rows = StoredRows(width: width)
            targetRows.reserveCapacity(count)
            try copyLinks(source, near: near, far: far, width: width)
        }
    }

    private mutating func copyLinks(_ source: any RowSource, near: Int, far: Int, width: Int) throws {
        let prefix = near + far
        var rowsByKey = KeyIndex()
        while let cells = try source.next() {
            owners.append(cells)
            let key = Key(cells: cells + near, count: far)
            if let row = rowsByKey[key] {
                targetRows.append(row)
                continue
            }
            // A row that is there has a key, and no part of that is NULL.
            let isThere = (prefix..<prefix + width).contains { !cells[$0].isNull }
            let row = isThere ? Int32(truncatingIfNeeded: rows.rowCount) : -1
            rowsByKey[key] = row
            targetRows.append(row)
            if isThere { rows.append(copying: cells + prefix) }
        }
    }
}
