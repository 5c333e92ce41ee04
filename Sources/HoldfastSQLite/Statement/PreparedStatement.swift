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
