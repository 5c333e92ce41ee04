import Synchronization

/// A cursor whose rows were all copied when it was opened.
final class StoredCursor: RowCursor {
    private let rows: StoredRows
    private let columnNames: [String]
    private let position = Mutex(0)

    init(copying source: any RowSource) throws {
        columnNames = source.columnNames
        rows = try StoredRows(copying: source, width: columnNames.count)
    }

    var queuesReads: Bool { false }

    func read(upTo count: Int, bytes: Int, timeout: Duration?) async throws -> sending RowPortion {
        if Task.isCancelled { throw DatabaseError(.cancelled, "The task was cancelled between two portions of rows.") }
        let range = position.withLock { position in
            let start = position
            position = min(start + count, rows.rowCount)
            return start..<position
        }
        let portion = StoredRowSource(rows, columnNames: columnNames, range: range)
        return RowPortion(portion, isLast: range.upperBound == rows.rowCount)
    }

    func abandon() {}

    func close() async {}
}
