/// The indices of rows by their keys, each 0 or more.
///
/// Keys that an engine makes lie close together: of those it holds only the indices, in the order of the keys. With a
/// million rows, it is the size of an item that counts, and that neighbours are neighbours.
struct KeyIndex {
    /// The indices of the rows with the keys from ``first`` on; -1 where there is none.
    private var dense: [Int32] = []
    private var first: Int64 = 0
    private var denseCount = 0
    /// Integer keys that lie elsewhere.
    private var sparse: [Int64: Int32] = [:]
    /// Keys of other types, and of several parts.
    private var others: [Key: Int32] = [:]

    subscript(key: Key) -> Int32? {
        get {
            if case .integer(let value) = key.storage { return self[integer: value] }
            return others[key]
        }
        set {
            if case .integer(let value) = key.storage {
                self[integer: value] = newValue
            } else {
                others[key] = newValue
            }
        }
    }

    subscript(integer key: Int64) -> Int32? {
        get {
            let (offset, overflows) = key.subtractingReportingOverflow(first)
            if !overflows, offset >= 0, offset < dense.count {
                let row = dense[Int(offset)]
                return row < 0 ? nil : row
            }
            return sparse.isEmpty ? nil : sparse[key]
        }
        set {
            guard let newValue else { return }
            if dense.isEmpty { first = key }
            let (offset, overflows) = key.subtractingReportingOverflow(first)
            // At least a quarter of the array is used, so that it takes no more memory than a dictionary would.
            guard !overflows, offset >= 0, offset < max(dense.count, 4 * (denseCount + 16)) else {
                sparse[key] = newValue
                return
            }
            let index = Int(offset)
            if index >= dense.count { extend(to: index) }
            if dense[index] < 0 { denseCount += 1 }
            dense[index] = newValue
        }
    }

    /// Adds the index of the row with a key, unless the key is there already.
    ///
    /// - Returns: Whether it was not.
    mutating func insert(_ key: Key, _ row: Int32) -> Bool {
        guard self[key] == nil else { return false }
        self[key] = row
        return true
    }

    /// Makes the array reach so far; what was elsewhere until then comes along.
    private mutating func extend(to index: Int) {
        let start = dense.count
        if index == start { dense.append(-1) } else { dense += [Int32](repeating: -1, count: index + 1 - start) }
        guard !sparse.isEmpty else { return }
        for offset in start...index {
            if let row = sparse.removeValue(forKey: first + Int64(offset)) {
                dense[offset] = row
                denseCount += 1
            }
        }
    }

    /// Prepares an empty index for keys between two bounds, where that many of them lie close together.
    mutating func reserve(_ keys: ClosedRange<Int64>, count: Int) {
        let (span, overflows) = keys.upperBound.subtractingReportingOverflow(keys.lowerBound)
        guard dense.isEmpty, sparse.isEmpty, !overflows, span < 4 * Int64(count) else { return }
        first = keys.lowerBound
        dense = [Int32](repeating: -1, count: Int(span) + 1)
    }
}
