import CSQLite
@_spi(Driver) import Holdfast

extension DatabaseHandle {
    /// Opens the database file at `path` and sets the connection up.
    ///
    /// Blocks. Many processes may open one new file concurrently: each step is tried again while another holds a lock.
    ///
    /// - Parameters:
    ///   - deadline: How long to try.
    ///   - isCancelled: Asked between attempts.
    static func open(
        path: String,
        _ options: SQLiteOptions,
        role: ConnectionRole,
        until deadline: MonotonicTime,
        isCancelled: () -> Bool
    ) throws(ResultCode) -> DatabaseHandle {
        let flags =
            switch options.mode {
            case .create: SQLITE_OPEN_READWRITE | (role == .write ? SQLITE_OPEN_CREATE : 0)
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        var lock = LockWait.until(deadline)
        while true {
            do throws(ResultCode) {
                let database = try DatabaseHandle(path: path, flags: flags)
                try database.setUp(options, role)
                return database
            } catch {
                guard error.isBusy, lock.pause(), !isCancelled() else { throw error }
            }
        }
    }

    private func setUp(_ options: SQLiteOptions, _ role: ConnectionRole) throws(ResultCode) {
        try configure(SQLITE_DBCONFIG_DQS_DML, false)
        try configure(SQLITE_DBCONFIG_DQS_DDL, false)
        try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, options.trustsSchema)
        try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
        try configure(SQLITE_DBCONFIG_ENABLE_FKEY, true)
        sqlite3_wal_autocheckpoint(pointer, 0)
        let status = holdfast_sqlite_register_list(pointer)
        if status != SQLITE_OK { throw failure(status) }
        try registerFunctions()
        try registerMoved()

        // The first statement that reads the file, so the one that finds out whether it is a database.
        let encoding = try execute("PRAGMA encoding")
        guard encoding == "UTF-8" else { throw ResultCode(ResultCode.foreignEncoding, "encoding") }
        if role == .write, sqlite3_db_readonly(pointer, "main") == 0, try execute("PRAGMA journal_mode") != "wal" {
            guard try execute("PRAGMA journal_mode = WAL") == "wal" else {
                throw ResultCode(ResultCode.noWriteAheadLog, "journal_mode")
            }
        }
        try execute("PRAGMA synchronous = \(options.synchronous.rawValue)")
        try execute("PRAGMA journal_size_limit = \(16 << 20)")
        for (name, path) in options.attached.sorted(by: { $0.key < $1.key }) { try attach(path, name, options, role) }
        switch role {
        case .read: try execute("PRAGMA query_only = ON")
        case .write:
            try learnRecursion()
            refuseToRecompileChanges()
            // In KiB, and only taken when needed: a transaction that changes indexes all over would else write the same
            // pages to the log again and again.
            try execute("PRAGMA cache_size = -\(64 << 10)")
        }
    }

    /// Attaches another file, and sets it up as the first.
    ///
    /// One of another encoding is refused by the library.
    private func attach(
        _ path: String, _ name: String, _ options: SQLiteOptions, _ role: ConnectionRole
    ) throws(ResultCode) {
        let dialect = SQLiteDialect()
        let schema = dialect.quoted(name)
        try execute("ATTACH DATABASE \(dialect.quotedText(path)) AS \(schema)")
        hasAttached = true
        if role == .write, sqlite3_db_readonly(pointer, name) == 0,
            try execute("PRAGMA \(schema).journal_mode") != "wal",
            try execute("PRAGMA \(schema).journal_mode = WAL") != "wal"
        {
            throw ResultCode(ResultCode.noWriteAheadLog, "journal_mode")
        }
        try execute("PRAGMA \(schema).synchronous = \(options.synchronous.rawValue)")
        try execute("PRAGMA \(schema).journal_size_limit = \(16 << 20)")
    }
}
