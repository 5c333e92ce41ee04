import CSQLite
@_spi(Driver) import Holdfast

/// An open `sqlite3`, closed when it goes.
///
/// It is opened without a mutex of its own: whoever holds it uses it on one thread at a time.
final class DatabaseHandle {
    let pointer: OpaquePointer
    /// Told of commits; kept, as the library holds a bare pointer to it.
    private var checkpointer: Checkpointer?
    /// Whether other files are attached.
    var hasAttached = false
    /// Whether recursive triggers are set by compiling the PRAGMA, without running it.
    var setsRecursionWhenCompiled = false
    /// The table of the change that is running; nil if none is whose table is known.
    @exclusivity(unchecked) var tableOfChange: UnsafePointer<CChar>?
    /// Whether the library was kept from compiling the running change again.
    private var hasRefusedToCompile = false
    /// The error that a function of the program threw last, until it is told.
    var thrown: DatabaseError?
    /// Whether the running upsert has found a row.
    var hasFoundRow = false
    /// How many times the library has reported steps since they were limited.
    private var stepReports = 0

    /// Opens the file at `path`, an absolute path.
    ///
    /// - Parameter flags: The flags of `sqlite3_open_v2` that say what for.
    init(path: String, flags: Int32) throws(ResultCode) {
        var pointer: OpaquePointer?
        let status = sqlite3_open_v2(
            path,
            &pointer,
            flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE,
            nil
        )
        guard status == SQLITE_OK, let pointer else {
            let code = pointer.map(sqlite3_extended_errcode) ?? status
            let message = pointer.map { String(cString: sqlite3_errmsg($0)) } ?? ""
            sqlite3_close_v2(pointer)
            throw ResultCode(code, message)
        }
        self.pointer = pointer
    }

    // All statements are finalized by then: `close_v2` would otherwise leave a zombie that holds its locks.
    deinit { sqlite3_close_v2(pointer) }

    /// What to do when the path was found to lead to another file.
    var whenMoved: (() -> Void)?

    /// Looks whether the path still leads to the open file, and not to another one that has taken its place, or to
    /// none: nothing that is written here would last.
    func findsItsFile() -> Bool {
        var hasMoved: Int32 = 0
        // Where the file system can't tell, it has not.
        guard sqlite3_file_control(pointer, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK, hasMoved != 0
        else {
            return true
        }
        whenMoved?()
        return false
    }

    /// Returns `status` with the library's message about the failure of the last call.
    func failure(_ status: Int32) -> ResultCode {
        hasFoundRow = false
        let message = String(cString: sqlite3_errmsg(pointer))
        guard status & 0xff == SQLITE_ERROR, message == Self.thrownMessage else { return ResultCode(status, message) }
        defer { thrown = nil }
        return ResultCode(status, message, thrown: thrown)
    }

    /// What the library is told of an error that a function of the program threw.
    static let thrownMessage = "a function of the program failed"

    // MARK: Limited steps

    /// How many steps of the library's machine are between two reports: about 20 microseconds.
    private static let stepsToReport: Int32 = 1_000

    /// Has statements interrupted that take more than a few thousand steps, until ``endStepLimit()``.
    func limitSteps() {
        stepReports = 0
        sqlite3_progress_handler(
            pointer, Self.stepsToReport,
            { context in
                guard let context else { return 0 }
                let handle = Unmanaged<DatabaseHandle>.fromOpaque(context).takeUnretainedValue()
                handle.stepReports += 1
                // The first report can come at once: the library counts on from earlier runs.
                return handle.hasReachedStepLimit ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func endStepLimit() { sqlite3_progress_handler(pointer, 0, nil, nil) }

    var hasReachedStepLimit: Bool { stepReports > 1 }

    /// Switches an option of `sqlite3_db_config`.
    func configure(_ option: Int32, _ isOn: Bool) throws(ResultCode) {
        let status = holdfast_sqlite_configure(pointer, option, isOn ? 1 : 0)
        if status != SQLITE_OK { throw failure(status) }
    }

    /// Tells `checkpointer` of each commit and how long the log of the file is then.
    func reportCommits(to checkpointer: Checkpointer) {
        self.checkpointer = checkpointer
        sqlite3_wal_hook(
            pointer,
            { context, _, schema, pages in
                if let context, let schema {
                    Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue()
                        .committed(pages: Int(pages), to: schema)
                }
                return SQLITE_OK
            },
            Unmanaged.passUnretained(checkpointer).toOpaque()
        )
    }

    /// Keeps the library from compiling a change again by itself, as it does at the first step of one whose schema
    /// another program has changed.
    ///
    /// The session knows things of the table that it found out when it compiled the statement: which columns make
    /// numbers of texts, and where the key of a new row is. When the library compiles a statement, it asks for each
    /// access to a table, which names the trigger if it is one's. See `sqlite3_set_authorizer`.
    func refuseToRecompileChanges() {
        sqlite3_set_authorizer(
            pointer,
            { context, action, table, _, _, trigger in
                guard action == SQLITE_INSERT || action == SQLITE_UPDATE, trigger == nil, let context else {
                    return SQLITE_OK
                }
                let database = Unmanaged<DatabaseHandle>.fromOpaque(context).takeUnretainedValue()
                guard let changed = database.tableOfChange, sqlite3_stricmp(changed, table) == 0 else {
                    return SQLITE_OK
                }
                database.hasRefusedToCompile = true
                return SQLITE_DENY
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Whether a step has failed because it would have compiled the running change again; asking forgets it.
    func takeRefusalToCompile() -> Bool {
        defer { hasRefusedToCompile = false }
        return hasRefusedToCompile
    }

    /// Whether `table` exists and has that column.
    func hasColumn(_ table: String, _ column: String) -> Bool {
        sqlite3_table_column_metadata(pointer, nil, table, column, nil, nil, nil, nil, nil) == SQLITE_OK
    }

    /// The schema of a table; nil to have it looked for, which would find one of an attached file as well.
    private func schema(of table: TableName) -> String? { table.schema ?? (hasAttached ? "main" : nil) }

    /// Has the library read the schema of a table again, if another program has changed it.
    func readSchema(of table: TableName) {
        let schema = SQLiteDialect().quoted(table.schema ?? "main")
        // If it fails, what was known of the columns goes on to decide, and refuses.
        _ = try? execute("SELECT 1 FROM \(schema).sqlite_schema LIMIT 0")
    }

    /// Whether a column is the number of its table's rows, which the library makes and tells after an insert.
    ///
    /// - Returns: False also where that can't be told without doubt: if the column is not AUTOINCREMENT.
    func isRowID(_ column: String, of table: TableName) -> Bool {
        var isAutoincrement: Int32 = 0
        let status = sqlite3_table_column_metadata(
            pointer, schema(of: table), table.name, column, nil, nil, nil, nil, &isAutoincrement)
        return status == SQLITE_OK && isAutoincrement != 0
    }

    /// Whether a column belongs to its table's primary key.
    func isPrimaryKey(_ column: String, of table: TableName) -> Bool {
        var isPrimaryKey: Int32 = 0
        let status = sqlite3_table_column_metadata(
            pointer, schema(of: table), table.name, column, nil, nil, nil, &isPrimaryKey, nil)
        return status == SQLITE_OK && isPrimaryKey != 0
    }

    /// The type that a column was declared with; empty if there is none, or no such column.
    func declaredType(of column: String, in table: TableName) -> String {
        var type: UnsafePointer<CChar>?
        let status = sqlite3_table_column_metadata(
            pointer, schema(of: table), table.name, column, &type, nil, nil, nil, nil)
        return status == SQLITE_OK ? type.map { String(cString: $0) } ?? "" : ""
    }

    /// Whether a table is STRICT; false if that can't be told, so that its columns are looked at.
    func isStrict(_ table: TableName) -> Bool {
        let dialect = SQLiteDialect()
        let sql =
            "SELECT strict FROM pragma_table_list(\(dialect.quotedText(table.name))) "
            + "WHERE schema = \(dialect.quotedText(table.schema ?? "main"))"
        return ((try? execute(sql)) ?? nil) == "1"
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(pointer) == 0 }

    /// Whether the open transaction holds the lock for writing, of the file or of an attached one.
    var isWriting: Bool { sqlite3_txn_state(pointer, nil) == SQLITE_TXN_WRITE }

    /// Runs a statement of ours and returns the first column of its first row as text, if there is one.
    @discardableResult
    func execute(_ sql: String) throws(ResultCode) -> String? {
        var statement: OpaquePointer?
        var status = sqlite3_prepare_v2(pointer, sql, -1, &statement, nil)
        guard status == SQLITE_OK else { throw failure(status) }
        defer { sqlite3_finalize(statement) }
        status = sqlite3_step(statement)
        guard status == SQLITE_ROW || status == SQLITE_DONE else { throw failure(status) }
        guard status == SQLITE_ROW, let text = sqlite3_column_text(statement, 0) else { return nil }
        return String(cString: text)
    }
}
