import CSQLite
@_spi(Driver) import Holdfast

/// A compiled statement of one connection, finalized when it goes.
final class PreparedStatement {
    let pointer: OpaquePointer
    let kind: Statement.Kind
    /// The number of its placeholders.
    let parameterCount: Int
    /// Whether it changes nothing in the database by itself.
    let isReadOnly: Bool
    /// The name under which the number of an inserted row is returned, as if the statement had a RETURNING clause.
    let rowIDColumn: String?
    /// Whether it counts the rows that it adds, changes or removes.
    let changesRows: Bool
    /// Whether it is compiled, and to be run, with recursive triggers.
    let isRecursive: Bool
    /// The columns in which it may store another value than it is given; nil if there are none.
    let numericColumns: NumericColumns?
    /// Tells whether its table has UUIDs as texts; nil if they would not be in its way.
    let textKeyProbe: TextKeyProbe?
    /// The table that it changes; nil if it changes none, or that is not known.
    let tableOfChange: UnsafeMutablePointer<CChar>?
    /// How many more times it is run without being tried, since it took long.
    private var untriedRuns = 0

    /// Compiles `statement`, which has to be one.
    ///
    /// - Parameter sql: Its text, if another one is to be compiled.
    init(
        _ statement: Statement, as sql: String? = nil, isKept: Bool, rowIDColumn: String? = nil,
        isRecursive: Bool = false, in database: DatabaseHandle
    ) throws(PreparationFailure) {
        self.rowIDColumn = rowIDColumn
        self.isRecursive = isRecursive
        if isRecursive { database.setRecursiveTriggers(true) }
        defer { if isRecursive { database.setRecursiveTriggers(false) } }
        let compiled = Self.compile(
            sql ?? statement.sql, flags: isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, database.pointer)
        guard compiled.status == SQLITE_OK else { throw .engine(database.failure(compiled.status)) }
        guard let pointer = compiled.pointer else { throw .empty }
        self.pointer = pointer
        // After it was compiled, which reads the schema again where that has changed. Later changes are noticed.
        numericColumns = NumericColumns(statement.rowChange, in: database)
        textKeyProbe = TextKeyProbe(statement, in: database)
        tableOfChange = statement.rowChange.flatMap { strdup($0.table.name) }
        self.isReadOnly = sqlite3_stmt_readonly(pointer) != 0
        kind = statement.kind
        self.changesRows = kind.changesRows && !isReadOnly
        self.parameterCount = Int(sqlite3_bind_parameter_count(pointer))
        // From here on `deinit` finalizes.
        guard !compiled.hasMore else { throw .several }
    }

    deinit {
        sqlite3_finalize(pointer)
        free(tableOfChange)
    }

    /// Whether it may take few steps, as far as is known.
    func isWorthTrying() -> Bool {
        if untriedRuns > 0 { untriedRuns -= 1 }
        return untriedRuns == 0
    }

    /// Notes that it was tried in vain.
    func tookLong() { untriedRuns = 100 }

    /// The names of the columns, as they are now: the table of a `SELECT *` may have changed since it was compiled.
    var columnNames: [String] {
        if let rowIDColumn { return [rowIDColumn] }
        return (0..<sqlite3_column_count(pointer)).map { column in
            sqlite3_column_name(pointer, column).map { String(cString: $0) } ?? ""
        }
    }

    private static func compile(
        _ sql: String,
        flags: UInt32,
        _ database: OpaquePointer
    ) -> (status: Int32, pointer: OpaquePointer?, hasMore: Bool) {
        var sql = sql
        return sql.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { characters in
                var pointer: OpaquePointer?
                var tail: UnsafePointer<CChar>?
                guard let count = Int32(exactly: characters.count) else { return (SQLITE_TOOBIG, nil, false) }
                let status = sqlite3_prepare_v3(database, characters.baseAddress, count, flags, &pointer, &tail)
                let end = tail.flatMap { tail in characters.baseAddress.map { tail - $0 } } ?? characters.count
                // SQLite stops at a NUL character, so text after one counts as another statement.
                let rest = SQLTokens(String(decoding: text[min(end, text.count)...], as: UTF8.self), .sqlite)
                return (status, pointer, rest.contains { $0.isContent && rest.text(of: $0) != ";" })
            }
        }
    }
}

/// Why a statement could not be compiled.
enum PreparationFailure: Error {
    /// There is nothing in it.
    case empty
    /// There is something after its end.
    case several
    /// The library refused it.
    case engine(ResultCode)
}

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
