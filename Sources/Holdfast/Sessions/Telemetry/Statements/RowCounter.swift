import Synchronization

/// The number of rows of a statement.
struct RowCount: Sendable {
    /// How many it returned.
    var returned = 0
    /// How many it inserted, updated or deleted; 0 unless it returned none.
    var changed = 0

    /// How many it returned; if that is none, how many it inserted, updated or deleted.
    var total: Int { returned > 0 ? returned : changed }
}

/// Counts the rows of a statement while they are read.
final class RowCounter: Sendable {
    private let returned = Atomic<Int>(0)
    private let changed = Atomic<Int>(0)

    var count: RowCount {
        RowCount(returned: returned.load(ordering: .relaxed), changed: changed.load(ordering: .relaxed))
    }

    /// Has rows consumed, and counts them.
    func counting<Output>(
        _ rows: any RowSource, _ consume: (any RowSource) throws -> sending Output
    ) throws -> sending Output {
        let counted = CountedRows(rows)
        defer {
            returned.store(counted.count.returned, ordering: .relaxed)
            changed.store(counted.count.changed, ordering: .relaxed)
        }
        return try consume(counted)
    }
}

/// Rows that are counted while they are read.
private final class CountedRows: RowSource {
    private let rows: any RowSource
    private(set) var count = RowCount()

    init(_ rows: any RowSource) { self.rows = rows }

    var columnNames: [String] { rows.columnNames }
    var underestimatedCount: Int { rows.underestimatedCount }
    var affectedRows: Int { rows.affectedRows }

    func next() throws -> UnsafePointer<Cell>? {
        if let cells = try rows.next() {
            count.returned += 1
            return cells
        }
        count.changed = rows.affectedRows
        return nil
    }
}
