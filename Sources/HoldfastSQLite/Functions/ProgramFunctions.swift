import CSQLite
@_spi(Driver) import Holdfast

/// The functions of the program, which it has in its configuration.
extension DatabaseHandle {
    /// How many values a function can take.
    static let mostArguments = 100

    /// Registers them, unless SQLite has functions of these names, which statements of ours may call.
    func register(_ functions: [ProgramFunction]) throws(ResultCode) {
        for name in Set(functions.map(\.name)) {
            let text = SQLiteDialect().quotedText(name)
            let found = try execute(
                "SELECT count(*) FROM pragma_function_list WHERE name = \(text) COLLATE NOCASE")
            guard found == "0" else {
                throw ResultCode(
                    SQLITE_ERROR, "",
                    thrown: DatabaseError(
                        .invalidValue, "SQLite has a function \"\(name)\" already. Name that of the program otherwise.")
                )
            }
        }
        for function in functions {
            // Triggers, views and indexes are in the file, and other programs that open it have no such function.
            let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY | (function.isDeterministic ? SQLITE_DETERMINISTIC : 0)
            let body = Unmanaged.passRetained(FunctionBody(function, self)).toOpaque()
            // Frees the body itself if it fails.
            let status = sqlite3_create_function_v2(
                pointer, function.name, Int32(function.argumentCount), flags, body,
                { context, count, values in
                    guard let context, let body = sqlite3_user_data(context) else { return }
                    Unmanaged<FunctionBody>.fromOpaque(body).takeUnretainedValue().call(context, count, values)
                }, nil, nil,
                { body in if let body { Unmanaged<FunctionBody>.fromOpaque(body).release() } })
            if status != SQLITE_OK { throw failure(status) }
        }
    }
}

/// What SQLite calls for a function of the program.
private final class FunctionBody {
    private let function: ProgramFunction
    /// It keeps the function.
    private unowned let database: DatabaseHandle

    init(_ function: ProgramFunction, _ database: DatabaseHandle) {
        self.function = function
        self.database = database
    }

    func call(_ context: OpaquePointer, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        do {
            let result = try withUnsafeTemporaryAllocation(of: Cell.self, capacity: Int(count)) { cells in
                for index in 0..<Int(count) {
                    cells.initializeElement(at: index, to: values?[index].map(cell) ?? .null)
                }
                return try function.compute(UnsafeBufferPointer(cells))
            }
            result.withRow(0) { cells in if let cell = cells.first { give(context, cell) } }
        } catch {
            var failure =
                error as? DatabaseError
                ?? DatabaseError(.invalidValue, "The function \"\(function.name)\" threw a \(type(of: error)).")
            failure.engineCode = failure.engineCode ?? String(SQLITE_ERROR)
            database.thrown = failure
            sqlite3_result_error(context, DatabaseHandle.thrownMessage, -1)
        }
    }

    private func cell(_ value: OpaquePointer) -> Cell {
        switch sqlite3_value_type(value) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_BLOB:
            let start = UnsafeRawPointer(sqlite3_value_blob(value))
            return .bytes(.blob, UnsafeRawBufferPointer(start: start, count: count(value, start)))
        default:
            let start = UnsafeRawPointer(sqlite3_value_text(value))
            return .bytes(.text, UnsafeRawBufferPointer(start: start, count: count(value, start)))
        }
    }

    /// The number of bytes of a value, whose address was asked for first, as that may convert it.
    private func count(_ value: OpaquePointer, _ start: UnsafeRawPointer?) -> Int {
        start == nil ? 0 : Int(sqlite3_value_bytes(value))
    }

    private func give(_ context: OpaquePointer, _ cell: Cell) {
        switch cell.kind {
        case .null, .list: sqlite3_result_null(context)
        case .boolean, .integer, .timestamp: sqlite3_result_int64(context, cell.integer)
        case .real: sqlite3_result_double(context, cell.real)
        case .text, .decimal, .json:
            holdfast_sqlite_result_bytes(context, cell.bytes.baseAddress, UInt64(cell.count), 1)
        case .blob, .uuid:
            holdfast_sqlite_result_bytes(context, cell.bytes.baseAddress, UInt64(cell.count), 0)
        }
    }
}
