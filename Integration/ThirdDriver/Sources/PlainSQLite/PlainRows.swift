@_spi(Driver) import Holdfast
import SystemSQLite

/// The rows of a statement that runs once for each row of parameters.
final class PlainRows: RowSource {
    private let (connection, statement): (PlainConnection, Statement)
    private let (pointer, parameters): (OpaquePointer, ParameterBuffer)
    private var (parameterRow, isBound) = (0, false)
    private var failure: DatabaseError?
    /// The cells of a row, which the caller reads until the next call.
    private let cells = UnsafeMutablePointer<Cell>.allocate(capacity: 2_000)
    private(set) var affectedRows = 0

    init(_ connection: PlainConnection, _ statement: Statement, _ pointer: OpaquePointer, _ parameters: ParameterBuffer)
    {
        (self.connection, self.statement) = (connection, statement)
        (self.pointer, self.parameters) = (pointer, parameters)
    }

    deinit { cells.deallocate() }

    var columnNames: [String] {
        (0..<sqlite3_column_count(pointer)).map { String(cString: sqlite3_column_name(pointer, $0)) }
    }

    func next() throws -> UnsafePointer<Cell>? {
        if let failure { throw failure }
        while parameterRow < parameters.rowCount {
            if !isBound { try bind() }
            switch sqlite3_step(pointer) {
            case SQLITE_ROW:
                for column in 0..<sqlite3_column_count(pointer) { cells[Int(column)] = cell(column) }
                return UnsafePointer(cells)
            case SQLITE_DONE:
                let changes = statement.kind.changesRows && sqlite3_stmt_readonly(pointer) == 0
                affectedRows += changes ? Int(sqlite3_changes64(connection.database)) : 0
                sqlite3_reset(pointer)
                (isBound, parameterRow) = (false, parameterRow + 1)
            case let status: throw fail(connection.failure(status))
            }
        }
        return nil
    }

    private func cell(_ column: Int32) -> Cell {
        func bytes(_ kind: Cell.Kind, _ start: UnsafeRawPointer?) -> Cell {
            .bytes(kind, UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column))))
        }
        return switch sqlite3_column_type(pointer, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(pointer, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(pointer, column))
        case SQLITE_BLOB: bytes(.blob, sqlite3_column_blob(pointer, column))
        default: bytes(.text, sqlite3_column_text(pointer, column))
        }
    }

    private func bind() throws {
        let count = Int(sqlite3_bind_parameter_count(pointer))
        guard parameters.width == count else {
            throw fail(DatabaseError(.invalidValue, "It takes \(count) parameters, not \(parameters.width)."))
        }
        let statuses = try parameters.withRow(parameterRow) { try $0.enumerated().map { try bind($1, Int32($0 + 1)) } }
        if let status = statuses.first(where: { $0 != SQLITE_OK }) { throw fail(connection.failure(status)) }
        isBound = true
    }

    private func bind(_ cell: Cell, _ position: Int32) throws -> Int32 {
        // The library copies; an empty value needs an address, as without one it would be NULL.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let start = cell.hasBytes ? cell.bytes.baseAddress ?? UnsafeRawPointer(cells) : UnsafeRawPointer(cells)
        switch cell.kind {
        case .null: return sqlite3_bind_null(pointer, position)
        case .boolean, .integer, .timestamp: return sqlite3_bind_int64(pointer, position, cell.integer)
        case .real: return sqlite3_bind_double(pointer, position, cell.real)
        case .text, .decimal, .json:
            let text = start.assumingMemoryBound(to: CChar.self)
            return sqlite3_bind_text64(pointer, position, text, UInt64(cell.count), copied, UInt8(SQLITE_UTF8))
        case .blob, .uuid: return sqlite3_bind_blob64(pointer, position, start, UInt64(cell.count), copied)
        case .list:
            return try sqlite3_bind_text(pointer, position, parameters.lists[Int(cell.payload)].json(), -1, copied)
        }
    }

    private func fail(_ error: DatabaseError) -> DatabaseError {
        failure = error.naming(statement)
        if parameters.rowCount > 1 { failure?.objectIndex = parameterRow }
        return failure ?? error
    }
}
