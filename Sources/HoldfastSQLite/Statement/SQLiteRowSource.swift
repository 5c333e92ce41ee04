import CSQLite
import Holdfast

/// The rows of a statement that runs once for each row of parameters.
///
/// A connection has one, and uses it again. It points into memory of the library and of a `ParameterBuffer`, both only
/// between ``begin(_:_:_:_:)`` and ``end()``.
final class SQLiteRowSource: RowSource {
    private enum Position {
        /// Nothing runs: before the beginning, or after the end.
        case ended
        /// The next row of parameters is to be bound.
        case between
        /// The statement runs; no row came yet.
        case started
        /// A row came that was not handed out yet.
        case waiting
        /// Rows are being handed out.
        case within
        /// A row was inserted, whose number is to be handed out.
        case inserted
    }

    private var statement: PreparedStatement?
    private var text: Statement?
    private var parameters = Parameters.none
    private var position = Position.ended
    private var lock = LockWait.none
    private var columnCount = 0
    private var cells: UnsafeMutableBufferPointer<Cell> = .allocate(capacity: 32)
    private let database: DatabaseHandle
    private let interrupter: Interrupter
    private let showsValues: Bool

    /// The row of parameters that runs, or ran last.
    private var parameterRow = -1
    /// What went wrong, so that it is not lost if the reader of the rows ignores it.
    private var failure: (any Error)?

    private(set) var affectedRows = 0

    init(_ database: DatabaseHandle, _ interrupter: Interrupter, showsValues: Bool) {
        self.database = database
        self.interrupter = interrupter
        self.showsValues = showsValues
    }

    deinit { cells.deallocate() }

    var columnNames: [String] { statement?.columnNames ?? [] }

    /// Takes a statement with its parameters, and runs it up to its first row.
    ///
    /// - Throws: `MustWait` if `lock` does not allow to wait, and that would be needed at the first row of parameters.
    func begin(_ statement: PreparedStatement, _ text: Statement, _ parameters: Parameters, _ lock: LockWait) throws {
        self.statement = statement
        self.text = text
        self.parameters = parameters
        self.lock = lock
        parameterRow = -1
        affectedRows = 0
        failure = nil
        position = .between
        if try advance() { position = .waiting }
    }

    func next() throws -> UnsafePointer<Cell>? {
        if position == .waiting {
            position = statement?.rowIDColumn != nil ? .inserted : .within
        } else if try !advance() {
            return nil
        }
        try read()
        return UnsafePointer(cells.baseAddress)
    }

    /// Runs whatever has not run yet, and drops its rows; a query is just given up.
    func drain() throws {
        if let failure { throw failure }
        if let statement, statement.isReadOnly { position = .ended }
        if position == .waiting { position = statement?.rowIDColumn != nil ? .inserted : .within }
        while try advance() {}
    }

    /// Lets go of the statement and the parameters.
    func end() {
        position = .ended
        if let statement {
            // The result repeats what the last step said.
            sqlite3_reset(statement.pointer)
            sqlite3_clear_bindings(statement.pointer)
        }
        statement = nil
        text = nil
        parameters = .none
    }

    /// Runs on to the next row: false at the end.
    private func advance() throws -> Bool {
        guard let statement else { return false }
        while true {
            switch position {
            case .ended: return false
            case .between: try start(statement)
            case .inserted: position = .between
            case .started, .waiting, .within:
                switch sqlite3_step(statement.pointer) {
                case SQLITE_ROW:
                    if position == .started { columnCount = Int(sqlite3_column_count(statement.pointer)) }
                    position = .within
                    return true
                case SQLITE_DONE:
                    let changes = statement.kind == .change ? Int(sqlite3_changes64(database.pointer)) : 0
                    affectedRows += changes
                    sqlite3_reset(statement.pointer)
                    lock.succeed()
                    position = .between
                    // Without a change, as a trigger can have it, there is no new row.
                    if statement.rowIDColumn != nil, changes > 0 {
                        position = .inserted
                        return true
                    }
                case let status:
                    try retry(after: database.failure(status), statement)
                }
            }
        }
    }

    /// Binds the next row of parameters, if there is one.
    private func start(_ statement: PreparedStatement) throws {
        parameterRow += 1
        guard parameterRow < parameters.rowCount else {
            position = .ended
            return
        }
        // Asked here as well, as an interrupt that comes between two runs is forgotten by the library.
        if interrupter.isInterrupted { throw fail(.interrupted) }
        let status = parameters.bind(row: parameterRow, to: statement.pointer)
        if status != SQLITE_OK { throw fail(database.failure(status)) }
        position = .started
    }

    /// Waits and lets the step be tried again, if a lock was in its way and nothing has come of it yet.
    private func retry(after result: ResultCode, _ statement: PreparedStatement) throws {
        guard result.isBusy, position == .started else { throw fail(result) }
        sqlite3_reset(statement.pointer)
        if !lock.isAllowed, parameterRow == 0 {
            position = .ended
            throw MustWait()
        }
        if !lock.pause() { throw fail(result) }
        if interrupter.isInterrupted { throw fail(.interrupted) }
    }

    private func fail(_ result: ResultCode) -> any Error {
        var error = DatabaseError(
            sqlite: result,
            interruption: interrupter.reason,
            showsValues: showsValues,
            knows: database.hasColumn
        )
        error.sql = text?.sql
        if parameters.rowCount > 1 { error.objectIndex = parameterRow }
        position = .ended
        failure = error
        return error
    }

    /// Fills the cells from the current row: one call for the value of a column, the others look into that.
    private func read() throws {
        if position == .inserted {
            cells.initializeElement(at: 0, to: .integer(sqlite3_last_insert_rowid(database.pointer)))
            return
        }
        guard let statement = statement?.pointer else { return }
        if cells.count < columnCount {
            cells.deallocate()
            cells = .allocate(capacity: columnCount)
        }
        for column in 0..<columnCount {
            // The value is not protected by the library's mutex, and need not be: this connection has none, and is used
            // by one thread at a time.
            let value = sqlite3_column_value(statement, Int32(truncatingIfNeeded: column))
            switch sqlite3_value_type(value) {
            case SQLITE_NULL: cells.initializeElement(at: column, to: .null)
            case SQLITE_INTEGER: cells.initializeElement(at: column, to: .integer(sqlite3_value_int64(value)))
            case SQLITE_FLOAT: cells.initializeElement(at: column, to: .real(sqlite3_value_double(value)))
            case SQLITE_BLOB:
                let start = UnsafeRawPointer(sqlite3_value_blob(value))
                try setBytes(.blob, column, start, sqlite3_value_bytes(value))
            default:
                let start = UnsafeRawPointer(sqlite3_value_text(value))
                try setBytes(.text, column, start, sqlite3_value_bytes(value))
            }
        }
    }

    private func setBytes(_ kind: Cell.Kind, _ column: Int, _ start: UnsafeRawPointer?, _ count: Int32) throws {
        // Without memory for a text there is no address. An empty blob has none either.
        if start == nil, kind == .text || count > 0 { throw fail(ResultCode(SQLITE_NOMEM, "out of memory")) }
        cells.initializeElement(
            at: column,
            to: .bytes(kind, UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
        )
    }
}
