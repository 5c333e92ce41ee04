/// The rows of a statement of a load, copied.
struct LoadedRows: Sendable {
    /// What of the rows of a statement is kept.
    enum Shape: Sendable {
        /// All cells, or those at some positions: -1 for one that is NULL.
        case rows(width: Int, positions: [Int]? = nil)
        /// All cells, of each key once.
        case distinct(TableColumns)
        /// Of each link, which comes as the keys of owner and target and then the target's row: the owner's key. Each row is kept once.
        case links(near: Int, far: Int, width: Int)
    }

    let rows: StoredRows
    /// The owner's key for each link.
    let owners: StoredRows
    /// For each link the position of its target's row; -1 where there is none.
    private(set) var places: [Int32] = []

    /// Reads all rows that a source gives.
    init(copying source: any RowSource, as shape: Shape) throws {
        switch shape {
        case .rows(let width, let positions):
            rows = try StoredRows(copying: source, width: width, at: positions)
            owners = StoredRows(width: 0)
        case .distinct(let columns):
            rows = StoredRows(width: columns.columns.count, capacity: max(source.underestimatedCount, 16))
            owners = StoredRows(width: 0)
            var keys = KeyIndex()
            while let cells = try source.next() {
                let key = columns.key(inRow: cells)
                guard keys[key] == nil else { continue }
                keys[key] = 0
                rows.append(copying: cells)
            }
        case .links(let near, let far, let width):
            (rows, owners) = (
                StoredRows(width: width), StoredRows(width: near, capacity: max(source.underestimatedCount, 16))
            )
            try copyLinks(source, near: near, far: far, width: width)
        }
    }

    private mutating func copyLinks(_ source: any RowSource, near: Int, far: Int, width: Int) throws {
        let prefix = near + far
        places.reserveCapacity(source.underestimatedCount)
        var placesByKey = KeyIndex()
        while let cells = try source.next() {
            owners.append(copying: cells)
            let key = Key(cells: cells + near, count: far)
            if let place = placesByKey[key] {
                places.append(place)
                continue
            }
            // A row that is there has a key, and no part of that is NULL.
            let isThere = (prefix..<prefix + width).contains { !cells[$0].isNull }
            let place = isThere ? Int32(truncatingIfNeeded: rows.rowCount) : -1
            placesByKey[key] = place
            places.append(place)
            if isThere { rows.append(copying: cells + prefix) }
        }
    }
}
