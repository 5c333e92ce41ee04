import CSQLite
@_spi(Driver) import Holdfast

/// An open database with what belongs to it: compiled statements, the rows being read, the way to stop it.
///
/// Everything here is synchronous, and used on one thread at a time; ``SQLiteConnection`` decides on which.
final class SQLiteSession {
    /// The settings that are fixed when a session opens.
    struct Settings {
        var synchronous = SQLiteSynchronous.full
        var lockTimeout: Duration? = .seconds(10)
        var showsValues = false
        /// How many compiled statements are kept.
        var cachedStatements = 200
    }

    let settings: Settings
    let interrupter: Interrupter
    private let database: DatabaseHandle
    private let checkpointer: Checkpointer?
    private let rows: SQLiteRowSource
    private var statements: RecentlyUsed<Int, PreparedStatement>
    /// The delete rules, and the schema that has them.
    private var deleteRules: (rules: DeleteRules, schema: String, isOfTransaction: Bool)?
    /// The cursors of the open transaction that may be asked for more rows.
    var cursors: [Int: OpenCursor] = [:]
    var lastCursor = 0

    /// Takes over `database`, which is set up.
    ///
    /// - Parameter checkpointer: What looks after the log of what is written here; nil if nothing is.
    init(_ database: DatabaseHandle, _ settings: Settings, deadlines: Deadlines, checkpointer: Checkpointer?) {
        self.database = database
        self.checkpointer = checkpointer
        if let checkpointer { database.reportCommits(to: checkpointer) }
        self.settings = settings
        self.interrupter = Interrupter(database.pointer, deadlines: deadlines)
        self.rows = SQLiteRowSource(database, interrupter, showsValues: settings.showsValues)
        self.statements = RecentlyUsed(capacity: settings.cachedStatements)
        rows.prepareAgain = { [unowned self] statement, lock in
            statements.remove(statement.id)
            return try prepare(statement, &lock)
        }
    }

    // The statements and the handle go right after this.
    deinit { interrupter.invalidate() }

    var isInTransaction: Bool { database.isInTransaction }

    /// What to do when its path is found to lead to another file.
    func onMove(_ body: @escaping () -> Void) { database.whenMoved = body }

    /// The greatest number of parameters of a statement.
    var maximumParameters: Int { Int(sqlite3_limit(database.pointer, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) }

    /// Whether running `statement` may take a wait for something else than a lock: the disk, or the checkpointer.
    private func mayWait(_ statement: PreparedStatement) -> Bool {
        switch statement.kind {
        case .begin: beginsToWrite(statement) && checkpointer?.wantsTurn == true
        case .commit: database.isWriting && commitWaits()
        default: beginsToWrite(statement) && (commitWaits() || checkpointer?.wantsTurn == true)
        }
    }

    private func beginsToWrite(_ statement: PreparedStatement) -> Bool {
        !statement.isReadOnly && !database.isInTransaction
    }

    /// Whether the commit that comes waits for the disk.
    private func commitWaits() -> Bool {
        switch settings.synchronous {
        case .full: true
        case .normal: checkpointer?.takeRestart() == true
        case .off: false
        }
    }

    /// Runs a statement as `DriverConnection.run` has it, on this thread.
    ///
    /// - Parameters:
    ///   - lock: Whether and how long to wait for a lock.
    ///   - isTried: Whether it is given up where it takes more steps than are brief.
    /// - Throws: `MustWait`, after which nothing was done, if it needs to wait and `lock` does not allow that, or if it
    ///   was tried and given up.
    func perform<Output>(
        _ statement: Statement,
        _ parameters: ParameterBuffer,
        lock: LockWait,
        isTried: Bool = false,
        consume: (any RowSource) throws -> sending Output
    ) throws -> sending Output {
        var lock = lock
        let prepared = try prepare(statement, &lock)
        try checkCount(parameters, of: prepared, statement)
        if isTried {
            guard prepared.isReadOnly, prepared.isWorthTrying() else { throw MustWait() }
            database.limitSteps()
        }
        defer { if isTried { database.endStepLimit() } }
        let mayWait = mayWait(prepared)
        if lock.isAllowed {
            if beginsToWrite(prepared) { checkpointer?.giveWay() }
        } else if mayWait || parameters.rowCount > 1 && !database.isInTransaction {
            throw MustWait()  // outside of a transaction, each row of parameters may meet a lock of its own
        }
        defer { settleCursors() }
        if !cursors.isEmpty { try settleCursors(before: prepared, mayWait: lock.isAllowed) }
        if deleteRules?.isOfTransaction == true, prepared.kind == .begin || statement.ignoresCancellation {
            deleteRules = nil  // a schema that is rolled back has the number of one that is made later
        }
        // Set for its first step too, in which the library compiles it anew if others have changed the schema.
        if prepared.isRecursive { database.setRecursiveTriggers(true) }
        defer { if prepared.isRecursive { database.setRecursiveTriggers(false) } }
        return try Parameters.with(parameters) { parameters in
            defer { rows.end() }
            do {
                try rows.begin(prepared, statement, parameters, lock)
                let output = try consume(rows)
                try rows.drain()
                return output
            } catch  where isTried && database.hasReachedStepLimit {
                prepared.tookLong()
                throw MustWait()
            }
        }
    }

    func checkCount(_ parameters: ParameterBuffer, of prepared: PreparedStatement, _ statement: Statement) throws {
        guard parameters.width == prepared.parameterCount else {
            throw failure(
                .invalidValue,
                "The statement has \(prepared.parameterCount) placeholders, but was given \(parameters.width) parameters.",
                statement
            )
        }
    }

    func makeRowSource() -> SQLiteRowSource {
        SQLiteRowSource(database, interrupter, showsValues: settings.showsValues)
    }

    /// The compiled `statement`: the one that is kept, or a new one.
    func prepare(_ statement: Statement, _ lock: inout LockWait) throws -> PreparedStatement {
        if let kept = statements.value(for: statement.id),
            kept.isRecursive == needsRecursion(kept.kind)
        {
            return kept
        }
        let isRecursive = needsRecursion(statement.kind)
        // A PRAGMA acts while it is compiled, so that compiling it once is not enough.
        let isKept = statement.isCached && statement.kind != .setting
        while true {
            do {
                let insertion = insertionTellingRowID(statement)
                let prepared = try PreparedStatement(
                    statement, as: insertion?.sql, isKept: isKept, rowIDColumn: insertion?.column,
                    isRecursive: isRecursive, in: database)
                // Compiling it may have read the schema again.
                if let insertion, !database.isRowID(insertion.column, of: insertion.table) { continue }
                if isKept {
                    _ = statements.removeOldest()
                    statements.insert(prepared, for: statement.id)
                }
                lock.succeed()
                return prepared
            } catch {
                switch error {
                case .empty: throw failure(.syntax, "The statement is empty.", statement)
                case .several:
                    throw failure(.syntax, "There is more than one statement; run one at a time.", statement)
                case .engine(var result):
                    if result.isBusy, !lock.isAllowed { throw MustWait() }
                    if result.isBusy, lock.pause() {
                        if !interrupter.isInterrupted { continue }
                        result = .interrupted
                    }
                    var error = DatabaseError(
                        sqlite: result,
                        isCompiling: true,
                        interruption: interrupter.reason,
                        showsValues: settings.showsValues,
                        knows: database.hasColumn
                    )
                    error.sql = statement.sql
                    throw error
                }
            }
        }
    }

    /// Whether a statement that removes rows needs recursive triggers, by the schema as it is now.
    private func needsRecursion(_ kind: Statement.Kind) -> Bool {
        guard kind == .delete || kind == .replace else { return false }
        let schema = (try? database.execute("PRAGMA schema_version")) ?? nil
        if let known = deleteRules, known.schema == schema { return known.rules.needRecursion(kind) }
        let rules = database.readDeleteRules()
        if let schema { deleteRules = (rules, schema, database.isInTransaction) }
        return rules.needRecursion(kind)
    }

    /// The text of an INSERT as it would be without its RETURNING clause, if what that returns is the row's own number,
    /// which the library reports without the temporary table that RETURNING costs.
    private func insertionTellingRowID(_ statement: Statement) -> (sql: String, table: TableName, column: String)? {
        guard case .insert(let table, let columns, let generatedKey?) = statement.rowChange,
            database.isRowID(generatedKey, of: table)
        else { return nil }
        return (SQLiteDialect().insert(columns, into: table), table, generatedKey)
    }

    func failure(_ code: DatabaseError.Code, _ message: String, _ statement: Statement) -> DatabaseError {
        var error = DatabaseError(code, message)
        error.sql = statement.sql
        return error
    }
}
