import Synchronization

/// The number of rows of a statement, which are counted while they are read: for the log.
final class RowCounter: Sendable {
    private let number = Atomic<Int>(0)

    /// How many rows were returned; if none was, how many were inserted, updated or deleted.
    var count: Int { number.load(ordering: .relaxed) }

    /// Has rows consumed, and counts them.
    func counting<Output>(
        _ rows: any RowSource, _ consume: (any RowSource) throws -> sending Output
    ) throws -> sending Output {
        let counted = CountedRows(rows)
        defer { number.store(counted.count, ordering: .relaxed) }
        return try consume(counted)
    }
}

/// Rows that are counted while they are read.
private final class CountedRows: RowSource {
    private let rows: any RowSource
    private var returned = 0
    private var changed = 0

    init(_ rows: any RowSource) { self.rows = rows }

    var count: Int { returned > 0 ? returned : changed }
    var columnNames: [String] { rows.columnNames }
    var underestimatedCount: Int { rows.underestimatedCount }
    var affectedRows: Int { rows.affectedRows }

    func next() throws -> UnsafePointer<Cell>? {
        if let cells = try rows.next() {
            returned += 1
            return cells
        }
        changed = rows.affectedRows
        return nil
    }
}
