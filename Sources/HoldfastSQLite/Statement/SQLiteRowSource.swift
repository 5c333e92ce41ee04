import CSQLite
@_spi(Driver) import Holdfast

/// The rows of a statement that runs once for each row of parameters.
///
/// A connection has one, and uses it again; each cursor has another. It points into memory of the library and of a
/// `ParameterBuffer`, both only between ``begin(_:_:_:_:)`` and ``end()``.
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

    // Nothing that changes these calls code which could look at them meanwhile, so no access is checked for that
    // (decision 0024).
    @exclusivity(unchecked) private var statement: PreparedStatement?
    /// The library's pointer to the statement, to be used for each row without retaining `statement`.
    @exclusivity(unchecked) private var pointer: OpaquePointer?
    @exclusivity(unchecked) private var text: Statement?
    @exclusivity(unchecked) private var parameters = Parameters.none
    @exclusivity(unchecked) private var position = Position.ended
    @exclusivity(unchecked) private var lock = LockWait.none
    @exclusivity(unchecked) private var columnCount = 0
    /// The columns whose values are looked at before they are stored.
    @exclusivity(unchecked) private var numericColumns: NumericColumns?
    /// Whether those are the columns as they were after the run had begun.
    @exclusivity(unchecked) private var hasReadSchema = false
    @exclusivity(unchecked) private var cells: UnsafeMutableBufferPointer<Cell> = .allocate(capacity: 32)
    private let database: DatabaseHandle
    private let interrupter: Interrupter
    private let showsValues: Bool
    /// Prepares a change for the schema as it is now; nil for a cursor's, which changes nothing.
    var prepareAgain: ((Statement, inout LockWait) throws -> PreparedStatement)?

    /// The row of parameters that runs, or ran last.
    @exclusivity(unchecked) private var parameterRow = -1
    /// The error that occurred, kept so that it is not lost if the reader of the rows ignores it.
    @exclusivity(unchecked) private var failure: (any Error)?

    @exclusivity(unchecked) private(set) var affectedRows = 0

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
        self.text = text
        self.parameters = parameters
        use(statement)
        self.lock = lock
        parameterRow = -1
        affectedRows = 0
        failure = nil
        hasReadSchema = false
        position = .between
        if try advance() { position = .waiting }
    }

    private func use(_ statement: PreparedStatement) {
        self.statement = statement
        pointer = statement.pointer
        numericColumns = statement.numericColumns.flatMap { columns in
            parameters.rowCount > 0 && columns.concern(parameters.row(0)) ? columns : nil
        }
        database.tableOfChange = UnsafePointer(statement.tableOfChange)
    }

    func next() throws -> UnsafePointer<Cell>? {
        guard try moveToNext() else { return nil }
        if position == .inserted {
            cells.initializeElement(at: 0, to: .integer(sqlite3_last_insert_rowid(database.pointer)))
        } else if let pointer {
            if cells.count < columnCount {
                cells.deallocate()
                cells = .allocate(capacity: columnCount)
            }
            if let cells = cells.baseAddress { try read(pointer, into: cells, copyingTo: nil) }
        }
        return UnsafePointer(cells.baseAddress)
    }

    /// Copies rows of a query to the end of others, until those are so many, or have so many bytes.
    func copy(to rows: StoredRows, upTo count: Int, bytes: Int) throws {
        guard rows.rowCount < count, rows.byteCount < bytes, try moveToNext() else { return }
        while let pointer {
            try read(pointer, into: rows.appendRow(), copyingTo: rows)
            guard rows.rowCount < count, rows.byteCount < bytes else { return }
            // The usual case by itself: after one row comes another.
            let status = sqlite3_step(pointer)
            if status == SQLITE_ROW { continue }
            guard try hasRow(status) || advance() else { return }
        }
    }

    private func moveToNext() throws -> Bool {
        guard position == .waiting else { return try advance() }
        position = statement?.rowIDColumn != nil ? .inserted : .within
        return true
    }

    /// Whether no more rows come.
    var isAtEnd: Bool { position == .ended }

    /// Throws what went wrong, if something has.
    func checkFailure() throws { if let failure { throw failure } }

    /// Runs whatever has not run yet, and drops its rows; a query is just given up.
    func drain() throws {
        try checkFailure()
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
            database.tableOfChange = nil
        }
        statement = nil
        pointer = nil
        text = nil
        parameters = .none
    }

    /// Runs on to the next row: false at the end.
    private func advance() throws -> Bool {
        // Asked for each time, since a statement that is prepared again has another.
        while let pointer {
            switch position {
            case .ended: return false
            case .between: try start(pointer)
            case .inserted: position = .between
            case .started, .waiting, .within:
                if try hasRow(sqlite3_step(pointer)) { return true }
            }
        }
        return false
    }

    /// Takes what a step said: true of a row.
    private func hasRow(_ status: Int32) throws -> Bool {
        if status == SQLITE_ROW {
            if position == .started { columnCount = Int(sqlite3_column_count(pointer)) }
            position = .within
            return true
        }
        guard let statement else { return false }
        switch status {
        case SQLITE_DONE:
            let changes = statement.changesRows ? Int(sqlite3_changes64(database.pointer)) : 0
            affectedRows += changes
            sqlite3_reset(statement.pointer)
            lock.succeed()
            position = .between
            // If a trigger has prevented the change, there is no new row.
            if statement.rowIDColumn != nil, changes > 0 {
                position = .inserted
                return true
            }
            return false
        default:
            try retry(after: database.failure(status), statement)
            return false
        }
    }

    /// Binds the next row of parameters, if there is one.
    private func start(_ statement: OpaquePointer) throws {
        parameterRow += 1
        guard parameterRow < parameters.rowCount else {
            position = .ended
            return
        }
        // Asked here as well, as an interrupt that comes between two runs is forgotten by the library.
        if interrupter.isInterrupted { throw fail(.interrupted) }
        if let error = numericColumns?.failure(parameters.row(parameterRow), parameters.bytes) {
            // The value does not fit the columns as they were known, but another program may have changed them: they
            // are read again, once.
            if hasReadSchema { throw fail(error) }
            hasReadSchema = true
            if let table = text?.rowChange?.table { database.readSchema(of: table) }
            return try prepareAgain(forRow: parameterRow)
        }
        if let prepared = self.statement, let probe = prepared.textKeyProbe, try !hasNoTexts(probe, prepared) { return }
        let status = parameters.bind(row: parameterRow, to: statement)
        if status != SQLITE_OK { throw fail(database.failure(status)) }
        // A trigger can pass over a row after it was found.
        database.hasFoundRow = false
        position = .started
    }

    /// Returns false if a lock was in the way, and the row of parameters is to be tried again.
    private func hasNoTexts(_ probe: TextKeyProbe, _ statement: PreparedStatement) throws -> Bool {
        let status = probe.look()
        if status == SQLITE_DONE { return true }
        if status == SQLITE_ROW { throw fail(probe.error) }
        position = .started
        try retry(after: database.failure(status), statement)
        parameterRow -= 1
        position = .between
        return false
    }

    /// Waits and lets the step be tried again, if a lock was in its way and nothing has come of it yet.
    private func retry(after result: ResultCode, _ statement: PreparedStatement) throws {
        if result.code & 0xff == SQLITE_AUTH, position == .started, database.takeRefusalToCompile() {
            return try prepareAgain(forRow: parameterRow)
        }
        guard result.isBusy, position == .started else { throw fail(result) }
        sqlite3_reset(statement.pointer)
        if !lock.isAllowed, parameterRow == 0 {
            position = .ended
            throw MustWait()
        }
        if !lock.pause() { throw fail(result) }
        if interrupter.isInterrupted { throw fail(.interrupted) }
    }

    /// Prepares the statement again for the present schema, and goes on with a row of parameters that has not been run.
    private func prepareAgain(forRow row: Int) throws {
        guard let text, let prepareAgain else { return position = .ended }
        if let statement { sqlite3_reset(statement.pointer) }
        database.tableOfChange = nil
        do {
            use(try prepareAgain(text, &lock))
        } catch let error as DatabaseError {
            throw fail(error)
        }
        parameterRow = row - 1
        position = .between
    }

    private func fail(_ result: ResultCode) -> any Error {
        fail(
            DatabaseError(
                sqlite: result, interruption: interrupter.reason, showsValues: showsValues, knows: database.hasColumn))
    }

    private func fail(_ error: DatabaseError) -> any Error {
        var error = error.tellingSide(of: text)
        error.sql = text?.sql
        if parameters.rowCount > 1 { error.objectIndex = parameterRow }
        position = .ended
        failure = error
        return error
    }

    /// Fills cells from the current row: one call for the value of a column, the others look into that.
    ///
    /// - Parameter rows: Where to copy texts and blobs to, unless they are only lent.
    private func read(
        _ statement: OpaquePointer, into cells: UnsafeMutablePointer<Cell>, copyingTo rows: StoredRows?
    ) throws {
        let columnCount = columnCount
        for column in 0..<columnCount {
            // The value is not protected by the library's mutex, and need not be: this connection has none, and is used
            // by one thread at a time.
            let value = sqlite3_column_value(statement, Int32(truncatingIfNeeded: column))
            switch sqlite3_value_type(value) {
            case SQLITE_NULL: cells[column] = .null
            case SQLITE_INTEGER: cells[column] = .integer(sqlite3_value_int64(value))
            case SQLITE_FLOAT: cells[column] = .real(sqlite3_value_double(value))
            case SQLITE_BLOB:
                let start = UnsafeRawPointer(sqlite3_value_blob(value))
                cells[column] = try bytes(.blob, start, sqlite3_value_bytes(value), rows)
            default:
                let start = UnsafeRawPointer(sqlite3_value_text(value))
                cells[column] = try bytes(.text, start, sqlite3_value_bytes(value), rows)
            }
        }
    }

    private func bytes(
        _ kind: Cell.Kind, _ start: UnsafeRawPointer?, _ count: Int32, _ rows: StoredRows?
    ) throws -> Cell {
        // Without memory for a text there is no address. An empty blob has none either.
        if start == nil, kind == .text || count > 0 { throw fail(ResultCode(SQLITE_NOMEM, "out of memory")) }
        let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
        guard let rows, !bytes.isEmpty else { return .bytes(kind, bytes) }
        return Cell(kind: kind, count: UInt32(bytes.count), payload: rows.copy(bytes))
    }
}
