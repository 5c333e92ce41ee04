/// The rows of one type in a load, each key once, and the index at which the row of a key is.
final class KeyedRows {
    /// The columns that each row has.
    let columns: TableColumns
    // Nothing that changes these calls code which could look at them meanwhile, so no access is checked for that.
    @exclusivity(unchecked) private(set) var stored: StoredRows
    /// The indices of the rows, by their keys.
    @exclusivity(unchecked) private(set) var index = KeyIndex()
    /// Whether every row that the table has is here.
    var holdsAll = false
    /// The number of rows, from the first on, that came by the statement which selects all.
    var fetchedCount = 0

    init(_ columns: TableColumns) {
        self.columns = columns
        stored = StoredRows(width: columns.all.count)
    }

    var count: Int { stored.rowCount }

    /// The number of cells of each row.
    var width: Int { stored.width }

    /// The cells of a row.
    func cells(ofRow row: Int) -> UnsafePointer<Cell> { stored.row(row) }

    func key(ofRow row: Int) -> Key { columns.key(inRow: stored.row(row)) }

    /// The index of the row with the key; nil if that is not here.
    func rowIndex(of key: Key) -> Int? { index[key].map(Int.init) }

    /// The keys of some rows, as they are bound to a statement.
    func keys(of rowIndices: [Int]) -> ParameterBuffer {
        var keys = ParameterBuffer(width: columns.keySlots.count)
        keys.cells.reserveCapacity(rowIndices.count * keys.width)
        for row in rowIndices {
            let cells = stored.row(row)
            for slot in columns.keySlots { keys.append(copying: cells[slot]) }
        }
        return keys
    }

    /// Adds rows whose keys are not here yet.
    ///
    /// - Parameter keys: The indices of the added rows by their keys, if each key is known to be among them once.
    /// - Returns: For each of the added rows, the index of the row here that has its key.
    @discardableResult
    func add(_ added: StoredRows, keys: KeyIndex? = nil) -> [Int] {
        if keys == nil { reserveKeys(of: added) }
        if useAsOnly(added, keys: keys) { return Array(0..<count) }
        stored.keep(added)
        return (0..<added.rowCount).map { row in
            let key = columns.key(inRow: added.row(row))
            if let known = index[key] { return Int(known) }
            let new = count
            index[key] = Int32(truncatingIfNeeded: new)
            stored.append(row, of: added)
            return new
        }
    }

    /// Makes the added rows the first ones, without a copy, if each has a key of its own.
    private func useAsOnly(_ added: StoredRows, keys: KeyIndex?) -> Bool {
        guard count == 0, added.width == width else { return false }
        var index = keys ?? self.index
        if keys == nil {
            for row in 0..<added.rowCount {
                guard index.insert(columns.key(inRow: added.row(row)), Int32(truncatingIfNeeded: row)) else {
                    return false
                }
            }
        }
        stored = added
        self.index = index
        return true
    }

    /// Prepares the index for the first rows, by how close together their keys lie.
    private func reserveKeys(of added: StoredRows) {
        guard count == 0, columns.keySlots.count == 1 else { return }
        let keys = added.integerRange(in: columns.keySlots[0], of: 0..<added.rowCount, skipsNull: false)
        if let keys { index.reserve(keys, count: added.rowCount) }
    }
}

extension StoredRows {
    /// The least and the greatest integer in a column of some rows; nil if there is none, or another value.
    ///
    /// - Parameter skipsNull: Whether NULL is passed over; otherwise it counts as another value.
    func integerRange(in column: Int, of rowIndices: some Sequence<Int>, skipsNull: Bool) -> ClosedRange<Int64>? {
        var (least, greatest) = (Int64.max, Int64.min)
        for row in rowIndices {
            let cell = self.row(row)[column]
            guard cell.kind == .integer else {
                if skipsNull, cell.isNull { continue }
                return nil
            }
            least = min(least, cell.integer)
            greatest = max(greatest, cell.integer)
        }
        return least <= greatest ? least...greatest : nil
    }
}
