@_spi(Driver) import Holdfast
import Synchronization

/// A cursor that says after some rows that there are no more.
final class CursorThatEnds: RowCursor {
    private let base: any RowCursor

    init(_ base: any RowCursor) { self.base = base }

    var queuesReads: Bool { base.queuesReads }

    func read(upTo count: Int, bytes: Int, timeout: Duration?) async throws -> sending RowPortion {
        RowPortion(try await base.read(upTo: count, bytes: bytes, timeout: timeout).rows, isLast: true)
    }

    func abandon() { base.abandon() }

    func close() async { await base.close() }
}

/// No cursor, but a query that is asked anew for each portion.
final class RepeatedQuery: RowCursor {
    private let connection: any DriverConnection
    private let statement: Statement
    private let parameters: ParameterBuffer
    private let seen = Atomic(0)

    init(_ connection: any DriverConnection, _ statement: Statement, _ parameters: ParameterBuffer) {
        self.connection = connection
        self.statement = statement
        self.parameters = parameters
    }

    var queuesReads: Bool { false }

    func read(upTo count: Int, bytes: Int, timeout: Duration?) async throws -> sending RowPortion {
        let offset = seen.add(count, ordering: .relaxed).oldValue
        let some = Statement("SELECT * FROM (\(statement.sql)) LIMIT \(count) OFFSET \(offset)", isCached: false)
        return try await connection.run(some, parameters, timeout: timeout) { source in
            let rows = StoredRows(width: source.columnNames.count)
            while let cells = try source.next() { rows.append(copying: cells) }
            let isLast = rows.rowCount < count
            return RowPortion(StoredRowSource(rows, columnNames: source.columnNames), isLast: isLast)
        }
    }

    func abandon() {}

    func close() async {}
}
