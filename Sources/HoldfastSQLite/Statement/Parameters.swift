import CSQLite
import Holdfast

/// The rows of a `ParameterBuffer`, while it is pinned.
struct Parameters {
    let width: Int
    let rowCount: Int
    let cells: UnsafeBufferPointer<Cell>
    let bytes: UnsafeRawBufferPointer
    let lists: [ParameterBuffer]

    static var none: Parameters {
        Parameters(
            width: 0, rowCount: 0, cells: .init(start: nil, count: 0), bytes: .init(start: nil, count: 0), lists: [])
    }

    /// Calls `body` with the rows of `buffer`, valid during the call.
    static func with<Result>(
        _ buffer: ParameterBuffer,
        _ body: (Parameters) throws -> sending Result
    ) rethrows -> sending Result {
        try buffer.cells.withUnsafeBufferPointer { cells in
            try buffer.bytes.withUnsafeBytes { bytes in
                Handover(
                    value: try body(
                        Parameters(
                            width: buffer.width, rowCount: buffer.rowCount, cells: cells, bytes: bytes,
                            lists: buffer.lists)
                    )
                )
            }
        }.value
    }

    // Sendable: it holds what the body has just handed over as `sending`, so nothing else has that. (The compiler loses
    // track of it in nested closures.)
    private struct Handover<Value>: @unchecked Sendable { let value: Value }

    /// The cells of a row.
    func row(_ row: Int) -> Slice<UnsafeBufferPointer<Cell>> { cells[row * width..<(row + 1) * width] }

    /// Binds a row to `statement`, which has as many placeholders; nothing is copied but lists.
    ///
    /// - Returns: The first result code that is not success.
    func bind(row: Int, to statement: OpaquePointer) -> Int32 {
        for column in 0..<width {
            let cell = cells[row * width + column]
            let position = Int32(truncatingIfNeeded: column + 1)
            let status =
                switch cell.kind {
                case .null: sqlite3_bind_null(statement, position)
                case .boolean, .integer, .timestamp: sqlite3_bind_int64(statement, position, cell.integer)
                case .real: sqlite3_bind_double(statement, position, cell.real)
                case .text, .decimal, .json:
                    holdfast_sqlite_bind_text(statement, position, address(cell), UInt64(cell.count))
                case .blob, .uuid:
                    holdfast_sqlite_bind_blob(statement, position, address(cell), UInt64(cell.count))
                case .list: bind(lists[Int(truncatingIfNeeded: cell.payload)], to: statement, at: position)
                }
            if status != SQLITE_OK { return status }
        }
        return SQLITE_OK
    }

    /// Binds a list as what `holdfast_list` reads, which the statement frees when it has another one, or none.
    private func bind(_ list: ParameterBuffer, to statement: OpaquePointer, at position: Int32) -> Int32 {
        let copy = list.bytes.withUnsafeBytes { bytes in
            holdfast_sqlite_list_create(Int64(list.cells.count), bytes.baseAddress, Int64(bytes.count))
        }
        guard let copy, let values = holdfast_sqlite_list_values(copy) else { return SQLITE_NOMEM }
        for (index, cell) in list.cells.enumerated() {
            let type =
                switch cell.kind {
                case .null, .list: SQLITE_NULL
                case .boolean, .integer, .timestamp: SQLITE_INTEGER
                case .real: SQLITE_FLOAT
                case .text, .decimal, .json: SQLITE_TEXT
                case .blob, .uuid: SQLITE_BLOB
                }
            values[index] = holdfast_sqlite_value(type: type, count: cell.count, payload: cell.integer)
        }
        return holdfast_sqlite_bind_list(statement, position, copy)
    }

    /// Where the bytes of a cell are.
    ///
    /// An empty text or blob needs an address too: without one it would be NULL.
    private func address(_ cell: Cell) -> UnsafeRawPointer {
        guard cell.count > 0, let base = bytes.baseAddress else { return Self.nowhere }
        return base + Int(truncatingIfNeeded: cell.payload)
    }

    // Sendable: it is constant, and never read through, as no bytes are asked for.
    private nonisolated(unsafe) static let nowhere = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    )
}
