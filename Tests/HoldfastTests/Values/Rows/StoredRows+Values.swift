@testable import Holdfast

extension StoredRows {
    /// Rows of integers, and NULL for nil.
    convenience init(_ rows: [[Int64?]], width: Int) {
        self.init(width: width)
        for row in rows {
            let cells = appendRow()
            for column in 0..<width { cells[column] = row[column].map { .integer($0) } ?? .null }
        }
    }

    /// Rows of one text each.
    convenience init(texts: [String]) {
        self.init(width: 1)
        for text in texts {
            let payload = Array(text.utf8).withUnsafeBytes { copy($0) }
            appendRow()[0] = Cell(kind: .text, count: UInt32(text.utf8.count), payload: payload)
        }
    }

    /// The integers of all rows.
    var integers: [[Int64]] {
        (0..<rowCount).map { row in (0..<width).map { self.row(row)[$0].integer } }
    }
}

extension OwnerRuns {
    /// The owners of rows, by keys of one integer.
    init(of owners: [Int64]) {
        self.init(StoredRows(owners.map { [$0] }, width: 1))
    }

    /// The owners of rows, by keys that are whole rows.
    init(_ keys: StoredRows) {
        self.init(width: keys.width)
        for row in 0..<keys.rowCount { append(keys.row(row)) }
    }

    /// The key of each run, and its rows.
    var runs: [(key: Key, rows: Range<Int>)] {
        var runs: [(key: Key, rows: Range<Int>)] = []
        forEach { runs.append(($0, $1)) }
        return runs
    }
}

extension KeyIndex {
    /// Keys of one integer, each with its index in the array.
    init(of keys: [Int64]) {
        self.init()
        for (row, key) in keys.enumerated() { self[integer: key] = Int32(row) }
    }
}
