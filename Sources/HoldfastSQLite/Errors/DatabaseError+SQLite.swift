import CSQLite
@_spi(Driver) import Holdfast

extension DatabaseError {
    /// Creates the error for a result of the library, in the terms that all engines share.
    ///
    /// The library's own words are read here, and go no further unless values are shown.
    ///
    /// - Parameters:
    ///   - isCompiling: Whether the statement was refused before it ran.
    ///   - interruption: Why the run was stopped, if it was.
    ///   - knows: Whether a table has a column: decides how a name with dots or commas in it is read.
    init(
        sqlite result: ResultCode,
        isCompiling: Bool = false,
        interruption: Interrupter.Reason? = nil,
        showsValues: Bool,
        knows: (_ table: String, _ column: String) -> Bool = { _, _ in false }
    ) {
        if let thrown = result.thrown {
            self = thrown
            return
        }
        switch result.code & 0xff {
        case SQLITE_CONSTRAINT: self = .constraint(result, knows)
        case SQLITE_ERROR: self = .generic(result.message, isCompiling: isCompiling)
        case SQLITE_INTERRUPT where interruption == .timedOut:
            self.init(
                .statementTimeout,
                "The statement took longer than its timeout allows. Raise it (`timeouts.statement`), or ask for less.")
        case SQLITE_INTERRUPT:
            self.init(.cancelled, "The task was cancelled while the statement ran.")
        default:
            let (code, message) = Self.meaning(result.code)
            self.init(code, message)
        }
        engineCode = String(result.code)
        // The write-ahead log may have the commit of a change that could not be made safe: if all programs end before
        // the next change takes its place, whoever opens the database afterwards finds it.
        mayHaveRun = result.code & 0xff == SQLITE_IOERR && result.code != ExtendedCode.noMemoryForFile
        if showsValues { shownEngineMessage = result.message }
        // Nothing was bound yet.
        if isCompiling, result.code & 0xff == SQLITE_ERROR { engineSentence = result.message }
    }

    /// Creates the error for a result that came while a database was opened.
    init(opening result: ResultCode, showsValues: Bool) {
        self.init(sqlite: result, showsValues: showsValues)
        if code == .lockTimeout {
            code = .cannotConnect
            message = "The database was locked by another process for as long as it may take to open it."
        } else if code == .engine {
            code = .cannotConnect
        }
    }

    private static func meaning(_ code: Int32) -> (Code, String) {
        switch code {
        case ExtendedCode.busySnapshot:
            return (.serializationFailure, "Another transaction has written since this one began to read; retry it.")
        case ExtendedCode.moved:
            return (
                .connectionLost,
                "The database file was moved, replaced or deleted while it was open; the next connection opens the one that is there now."
            )
        case ExtendedCode.noMemoryForFile:
            return (.engine, "SQLite ran out of memory.")
        case ResultCode.foreignEncoding:
            return (.unsupported, "The database is encoded as UTF-16; only databases encoded as UTF-8 can be used.")
        case ExtendedCode.readOnlyDirectory, ExtendedCode.readOnlyRecovery, ExtendedCode.cannotLockReadOnly,
            ExtendedCode.cannotInitializeReadOnly:
            return (
                .readOnly,
                "The database can't be opened where nothing may be written: its write-ahead log needs files next to it, also to read. Make the directory and the file writable for this process, or read a copy elsewhere."
            )
        case ResultCode.noWriteAheadLog:
            return (.unsupported, "The file system can't have a write-ahead log; keep the database on a local disk.")
        default: break
        }
        return switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
            (
                .lockTimeout,
                "Another connection or process was writing for longer than the lock timeout allows to wait. Look for "
                    + "transactions that stay open."
            )
        case SQLITE_READONLY:
            (
                .readOnly,
                "Nothing can be written here: the transaction is for reading only, or the database was opened so, or its "
                    + "file may not be written to by this process."
            )
        case SQLITE_FULL: (.diskFull, "The disk or the database is full; make room and try again.")
        case SQLITE_CORRUPT: (.corrupt, "The database file is damaged; restore it from a backup.")
        case SQLITE_NOTADB: (.corrupt, "The file is not an SQLite database, or it is encrypted.")
        case SQLITE_CANTOPEN:
            (
                .cannotConnect,
                "The database file can't be opened: see that its directory exists, that it is a file, and that this "
                    + "process may read and write both."
            )
        case SQLITE_PERM, SQLITE_AUTH:
            (.permissionDenied, "SQLite was not allowed to do that; check the file's permissions.")
        case SQLITE_TOOBIG: (.invalidValue, "A value or the statement is longer than SQLite allows; split it up.")
        case SQLITE_RANGE: (.invalidValue, "A parameter has no placeholder in the statement.")
        case SQLITE_MISMATCH: (.invalidValue, "A value does not have the type of its column.")
        case SQLITE_IOERR: (.engine, "Reading or writing the database file failed; check the disk.")
        case SQLITE_NOMEM: (.engine, "SQLite ran out of memory.")
        case SQLITE_SCHEMA: (.engine, "The schema kept changing while the statement was prepared; try again.")
        default: (.engine, "SQLite failed with result code \(code).")
        }
    }

    // MARK: Constraints

    private static func constraint(_ result: ResultCode, _ knows: (String, String) -> Bool) -> DatabaseError {
        if result.code == ExtendedCode.trigger, let denial = DenialMessage(result.message) {
            var error = DatabaseError(
                .foreignKeyViolation,
                "A row of \"\(denial.table)\" holds another one, and its delete rule refuses to let it go. Unlink that first.",
                table: denial.table,
                properties: denial.columns
            )
            error.constraint = denial.constraint
            return error
        }
        let subject = ConstraintSubject(result.message, knows: knows)
        var error =
            switch result.code {
            case ExtendedCode.unique, ExtendedCode.primaryKey, ExtendedCode.rowid:
                DatabaseError(
                    .uniqueViolation,
                    uniqueMessage(
                        table: subject.table, properties: subject.columns, constraint: subject.constraint))
            // ON DELETE RESTRICT is a trigger to the library, one with these words.
            case ExtendedCode.foreignKey,
                ExtendedCode.trigger where result.message == "FOREIGN KEY constraint failed":
                DatabaseError(.foreignKeyViolation, foreignKeyMessage(nil))
            case ExtendedCode.notNull:
                DatabaseError(.notNullViolation, "A row\(subject.ofTable) needs a value\(subject.ofColumns). Set one.")
            case ExtendedCode.check:
                DatabaseError(
                    .checkViolation,
                    checkMessage(subject.constraint.map { CheckDefinition.name(ofConstraint: $0) ?? $0 }))
            case ExtendedCode.datatype:
                DatabaseError(
                    .invalidValue,
                    "A value does not have the type of its column\(subject.ofColumns)\(subject.ofTable)."
                )
            default:
                DatabaseError(.checkViolation, "A trigger or a constraint of the database refused the change.")
            }
        error.table = subject.table
        error.properties = subject.columns
        error.constraint = subject.constraint.flatMap(CheckDefinition.name) ?? subject.constraint
        return error
    }

    /// Returns the error with the side of the foreign key, of which the library tells nothing: the statement does.
    func tellingSide(of statement: Statement?) -> DatabaseError {
        if code == .checkViolation, table == nil, let statement {
            // A deletion breaks the checks of rows that refer to what it deletes: which ones, the library does not
            // tell.
            if statement.kind == .delete { return self }
            guard let table = statement.rowChange?.table.name ?? statement.table else { return self }
            var error = self
            error.table = table
            if Int32(engineCode ?? "") == ExtendedCode.check {
                error.message = Self.checkMessage(constraint, of: table)
            }
            return error
        }
        guard code == .foreignKeyViolation, constraint == nil, let statement else { return self }
        let side: ForeignKeySide? =
            switch statement.kind {
            case .insert: .missing
            // No statement of the library's changes a primary key.
            case .update: statement.isRaw ? nil : .missing
            case .delete: .referred
            default: nil
            }
        guard let side else { return self }
        var error = self
        error.foreignKeySide = side
        let table = statement.rowChange?.table.name ?? statement.table
        if side == .missing { error.table = table }
        error.message = Self.foreignKeyMessage(side, of: table)
        return error
    }

    // MARK: Result code 1, which only words tell apart

    private static func generic(_ message: String, isCompiling: Bool) -> DatabaseError {
        func says(_ words: String...) -> Bool { words.contains { message.contains($0) } }

        if let name = message.suffix(after: "no such table: ") {
            return DatabaseError(
                .notMigrated,
                missingTableMessage(name),
                table: name.split(separator: ".").last.map(String.init)
            )
        }
        if says("no such column: ", " has no column named ") {
            var error = DatabaseError(
                .notMigrated,
                "A column that the statement names does not exist. Migrate the database, or check the name.")
            error.lacksColumn = true
            return error
        }
        if says("a stored value is not of its type") {
            return DatabaseError(
                .decoding,
                "A row holds a value that is stored otherwise than its property says, so that a query can't compare it."
            )
        }
        if says("integer overflow", "real overflow", "decimal overflow") {
            return DatabaseError(.invalidValue, "The result of a computation is outside the range of its type.")
        }
        if says("malformed JSON", "LIKE or GLOB pattern too complex", "string or blob too big") {
            return DatabaseError(.invalidValue, "A value is malformed or too long for a function of the statement.")
        }
        if says("cannot INSERT into generated column", "cannot UPDATE generated column") {
            return DatabaseError(
                .unsupported,
                "A column is computed by the database, and can't be written. Mark it by `@Column(generated: true)`.")
        }
        if message.hasPrefix("cannot modify "), message.hasSuffix(" because it is a view") {
            return DatabaseError(
                .unsupported, "The table is a view without an INSTEAD OF trigger for this: it can only be read.")
        }
        if says("no transaction is active") {
            return DatabaseError(.transactionAborted, "The transaction was already ended by an earlier error.")
        }
        if says("unsafe use of") {
            return DatabaseError(
                .unsupported,
                "A trigger, a view or an index of the database uses a virtual table or a function that SQLite runs only "
                    + "for trusted schemas, as it does those of JSON in some versions. If you trust the author of the file, open it with trustsSchema: true, or "
                    + "trusted_schema=on in its URL.")
        }
        if says(
            "too many",
            "too large",
            "parser stack overflow",
            "at most",
            "cannot change into wal mode"
        ) {
            return DatabaseError(.unsupported, "The statement needs more than SQLite can do; make it smaller.")
        }
        if says("already exists", "duplicate column name", "already another table or index") {
            return DatabaseError(.conflict, "Something of that name exists in the database.")
        }
        if says("constraint cannot be dropped") {
            return DatabaseError(.conflict, "A constraint of the table depends on what was to be dropped.")
        }
        if isCompiling || says("no such", "syntax error") {
            return DatabaseError(
                .syntax,
                "SQLite can't understand the statement, or does not know a name in it. Correct the statement."
            )
        }
        return DatabaseError(.engine, "SQLite refused the statement.")
    }
}

extension String {
    fileprivate func suffix(after prefix: String) -> String? {
        guard let range = firstRange(of: prefix) else { return nil }
        return String(self[range.upperBound...])
    }
}
