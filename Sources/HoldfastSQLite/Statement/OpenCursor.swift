@_spi(Driver) import Holdfast

/// A statement that has begun to run and of which more rows may be asked for, while other statements run beside it.
final class OpenCursor {
    private let rows: SQLiteRowSource
    private let statement: PreparedStatement
    /// The parameters that the statement is bound to, which the library does not copy.
    private let parameters: HeldParameters
    /// The rows that were left when the transaction began to write.
    private var ahead: StoredRowSource?
    /// The buffers of rows that were handed out, to be used again when nobody reads them any more.
    private var handedOut: [StoredRows] = []
    private(set) var columnNames: [String] = []
    private(set) var hasEnded = false
    private let abandonment: Flag

    /// Runs `statement` up to its first row.
    init(
        _ statement: PreparedStatement, _ text: Statement, _ parameters: ParameterBuffer, rows: SQLiteRowSource,
        lock: LockWait, isAbandoned: Flag
    ) throws {
        self.rows = rows
        abandonment = isAbandoned
        self.statement = statement
        self.parameters = HeldParameters(parameters)
        do {
            try rows.begin(statement, text, self.parameters.parameters, lock)
            // Not before: if another connection has changed the table, the first step has compiled the statement anew.
            columnNames = statement.columnNames
        } catch {
            end()
            throw error
        }
    }

    deinit { end() }

    /// Whether nobody reads it any more.
    var isAbandoned: Bool { abandonment.isRaised }

    var isAtEnd: Bool { hasEnded || (ahead?.isAtEnd ?? rows.isAtEnd) }

    /// Copies the rows that come next.
    func read(upTo count: Int, bytes: Int) throws -> StoredRows {
        let portion = makeRows(count)
        do {
            if let ahead {
                while portion.rowCount < count, portion.byteCount < bytes, let cells = ahead.next() {
                    portion.append(copying: cells)
                }
            } else {
                try rows.copy(to: portion, upTo: count, bytes: bytes)
            }
        } catch {
            end()
            throw error
        }
        return portion
    }

    /// Reads the rest into memory, so that what the transaction writes is not seen: the library's own statements see
    /// it, or not, as their plan happens to be.
    func prefetch() throws {
        guard ahead == nil, !hasEnded else { return }
        let kept = StoredRows(width: columnNames.count)
        do {
            try rows.copy(to: kept, upTo: .max, bytes: .max)
        } catch {
            end()
            throw error
        }
        rows.end()
        ahead = StoredRowSource(kept)
    }

    private func makeRows(_ count: Int) -> StoredRows {
        for index in handedOut.indices where isKnownUniquelyReferenced(&handedOut[index]) {
            handedOut[index].removeAll()
            return handedOut[index]
        }
        let made = StoredRows(width: columnNames.count, capacity: count)
        handedOut.append(made)
        return made
    }

    /// Lets go of the statement and its snapshot.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        rows.end()
        ahead = nil
        handedOut = []
    }
}

/// A copy of a row of parameters that stays where it is.
private final class HeldParameters {
    let parameters: Parameters
    private let bytes: UnsafeMutableRawBufferPointer
    private let cells: UnsafeMutableBufferPointer<Cell>

    init(_ buffer: ParameterBuffer) {
        bytes = .allocate(byteCount: max(buffer.bytes.count, 1), alignment: 1)
        bytes.copyBytes(from: buffer.bytes)
        cells = .allocate(capacity: buffer.cells.count)
        _ = cells.initialize(from: buffer.cells)
        parameters = Parameters(
            width: buffer.width, rowCount: buffer.rowCount, cells: UnsafeBufferPointer(cells),
            bytes: UnsafeRawBufferPointer(bytes), lists: buffer.lists)
    }

    deinit {
        bytes.deallocate()
        cells.deallocate()
    }
}
