import Synchronization

/// The text of a statement, with an identity by which connections cache what they prepared.
///
/// ```swift
/// let statement = Statement(#"SELECT "title" FROM "note" WHERE "id" = $1"#, isBrief: true, table: "note")
/// statement.kind    // .read
/// ```
@_spi(Driver) public final class Statement: Sendable {
    /// The text, with the dialect's placeholders.
    public let sql: String
    /// Identifies this statement.
    ///
    /// Prepared-statement caches use it as their key.
    public let id: Int
    /// The effect of the statement, as far as its words show it.
    public let kind: Kind
    /// Whether it reads or changes few rows by key, so that running it immediately costs less than handing it on.
    public let isBrief: Bool
    /// Whether connections should keep it prepared.
    public let isCached: Bool

    /// Whether it runs to its end even in a cancelled task: COMMIT, ROLLBACK and what belongs to them.
    public let ignoresCancellation: Bool

    /// Whether it is a savepoint, a rollback or the like of core's own.
    let isTransactionControl: Bool

    /// Whether it may change settings of its session.
    ///
    /// If so, the connection is closed when it is given back.
    public let changesSession: Bool

    /// The table that it is about, for the log; nil for what is about none or several.
    public let table: String?

    /// Whether the text is the caller's, and so may hold values.
    public let isRaw: Bool

    /// Whether the library has written it around SQL of the caller's, such as a condition.
    let includesCallersSQL: Bool

    /// Whether the library has written it for a type, whose properties take what its rows hold.
    package var isMapped: Bool { !isRaw && table != nil }

    /// The change that the statement makes to rows; nil where it can't be determined.
    ///
    /// With it, a driver can make the same change to many rows together.
    public let rowChange: RowChange?

    /// The types of the columns that ``rowChange`` writes, in their order; empty if they are not known.
    ///
    /// Nil stands for a value that the library makes, such as the time of a change, which a column may round.
    public let columnTypes: [ColumnType?]

    /// A change that a statement makes to one row for each row of parameters.
    ///
    /// A driver may do it in any way that has the same outcome as running the statement once for each row of
    /// parameters, in their order: the same rows in the tables, the same rows returned, the same error for the same
    /// row. ``set(table:columns:parameters:)`` concerns any number of rows.
    public enum RowChange: Sendable {
        /// Inserts a row, whose values in `columns` are the parameters; returns the value of `generatedKey`, if that is
        /// given, which the engine makes.
        ///
        /// ```sql
        /// INSERT INTO "note" ("title", "rank") VALUES ($1, $2) RETURNING "id"
        /// ```
        case insert(table: TableName, columns: [String], generatedKey: String?)
        /// Sets `columns` to the first parameters in the row whose `keyColumns` hold the others. No two rows of
        /// parameters have the same key, unless they are the same in everything.
        ///
        /// ```sql
        /// UPDATE "note" SET "title" = $1, "rank" = $2 WHERE "id" = $3
        /// ```
        case update(table: TableName, columns: [String], keyColumns: [String])
        /// Inserts a row, whose values in `columns` are the first parameters, unless another one is in its way, which
        /// may be updated instead; `returnsRows` says whether the statement returns columns. A driver runs it as it is,
        /// or inserts many rows by one statement that ends with `onConflict`, if that is given; in their order, since
        /// of several rows with one key the last one is to stay.
        ///
        /// ```sql
        /// INSERT INTO "note" ("id", "rank") VALUES ($1, $2) ON CONFLICT ("id") DO UPDATE SET "rank" = excluded."rank"
        /// ```
        case upsert(table: TableName, columns: [String], returnsRows: Bool, onConflict: String? = nil)
        /// Sets `columns` in all rows that meet a condition. `parameters` holds for each column the position of the
        /// parameter that it is set to, counted from 0; nil where the value is computed. A driver runs it as it is.
        ///
        /// ```sql
        /// UPDATE "note" SET "title" = $1, "rank" = "rank" + $2 WHERE "id" > $3 -- parameters: [0, nil]
        /// ```
        case set(table: TableName, columns: [String], parameters: [Int?])

        /// The table that it changes.
        public var table: TableName {
            switch self {
            case .insert(let table, _, _), .update(let table, _, _), .upsert(let table, _, _, _), .set(let table, _, _):
                table
            }
        }

        /// The names of the columns that it writes.
        public var columns: [String] {
            switch self {
            case .insert(_, let columns, _), .update(_, let columns, _), .upsert(_, let columns, _, _),
                .set(_, let columns, _):
                columns
            }
        }
    }

    /// What a statement deletes of which its operation tells row by row.
    public enum Deletion: Sendable {
        /// The rows of objects.
        case objects
        /// Elements of arrays and links, which are changes of their owners.
        case elements
    }

    /// What it deletes, if somebody tells of it who knows the rows.
    let deletion: Deletion?

    /// Whether its operation tells of each row that it sets something in.
    let isTold: Bool

    /// Whether its last parameter is the time, which the program's clock tells when it is sent.
    let takesTime: Bool

    /// The values of scopes that come behind its other parameters.
    let scopeValues: [ScopeValue]

    /// The text without literals, once it was asked for.
    private let redacted = Mutex<String?>(nil)

    /// The text of a caller's statement without its literals.
    var redactedText: String {
        redacted.withLock { redacted in
            if let redacted { return redacted }
            let text = makeRedactedText()
            redacted = text
            return text
        }
    }

    private static let lastID = Atomic<Int>(0)

    /// Creates a statement of `sql`.
    ///
    /// - Parameters:
    ///   - sql: The text, with the dialect's placeholders.
    ///   - isBrief: Whether it touches few rows, by key.
    ///   - isCached: Whether it will be run again, so that preparing it once pays.
    ///   - ignoresCancellation: Whether it runs to its end even in a cancelled task.
    ///   - changesSession: Whether it may leave something in its session.
    ///   - table: The table that it is about.
    ///   - isRaw: Whether the text is the caller's.
    ///   - rowChange: What it does to rows.
    ///   - columnTypes: The types of the columns that it writes.
    ///   - deletion: What it deletes, if somebody tells of it who knows the rows.
    ///   - isTold: Whether its operation tells of each row that it sets something in.
    public convenience init(
        _ sql: String, isBrief: Bool = false, isCached: Bool = true, ignoresCancellation: Bool = false,
        changesSession: Bool = false, table: String? = nil, isRaw: Bool = false, rowChange: RowChange? = nil,
        columnTypes: [ColumnType?] = [], deletion: Deletion? = nil, isTold: Bool = false
    ) {
        self.init(
            TimedSQL(sql: sql), isBrief: isBrief, isCached: isCached, ignoresCancellation: ignoresCancellation,
            changesSession: changesSession, table: table, isRaw: isRaw, rowChange: rowChange, columnTypes: columnTypes,
            deletion: deletion, isTold: isTold)
    }

    /// Creates a statement of SQL that may take the time as its last parameter.
    init(
        _ text: TimedSQL, isBrief: Bool = false, isCached: Bool = true, ignoresCancellation: Bool = false,
        changesSession: Bool = false, table: String? = nil, isRaw: Bool = false, rowChange: RowChange? = nil,
        columnTypes: [ColumnType?] = [], deletion: Deletion? = nil, isTold: Bool = false,
        includesCallersSQL: Bool = false
    ) {
        self.sql = text.sql
        self.takesTime = text.takesTime
        self.scopeValues = text.scopeValues
        self.kind = Kind(text.sql)
        self.isBrief = isBrief
        self.isCached = isCached
        self.ignoresCancellation = ignoresCancellation
        self.changesSession = changesSession
        self.table = table
        self.isRaw = isRaw
        self.includesCallersSQL = includesCallersSQL
        self.rowChange = rowChange
        self.columnTypes = columnTypes
        self.isTransactionControl = false
        self.deletion = deletion
        self.isTold = isTold
        self.id = text.isShared ? Self.id(of: text.sql) : Self.lastID.add(1, ordering: .relaxed).newValue
    }

    /// By bytes: to `String`, two literals in different Unicode forms would be the same.
    private static let idsOfTexts = Mutex<[[UInt8]: Int]>([:])
    private static let greatestTextCount = 4096

    /// The number of a text that several statements have, with other values of scopes, so that it is prepared once.
    private static func id(of sql: String) -> Int {
        let text = Array(sql.utf8)
        return idsOfTexts.withLock { ids in
            if let id = ids[text] { return id }
            if ids.count >= greatestTextCount { ids.removeAll(keepingCapacity: true) }
            let id = lastID.add(1, ordering: .relaxed).newValue
            ids[text] = id
            return id
        }
    }

    /// The parameters as they are sent: with the values of scopes.
    func completed(_ parameters: ParameterBuffer) -> ParameterBuffer {
        scopeValues.isEmpty ? parameters : parameters.followed(by: scopeValues)
    }

    /// Creates a statement that begins or ends a transaction or a part of one.
    init(transactionControl sql: String, ignoresCancellation: Bool) {
        self.sql = sql
        self.kind = Kind(sql)
        (isBrief, isCached, isRaw, changesSession, includesCallersSQL) = (true, true, false, false, false)
        self.ignoresCancellation = ignoresCancellation
        (table, rowChange, columnTypes) = (nil, nil, [])
        isTransactionControl = true
        deletion = nil
        (isTold, takesTime, scopeValues) = (false, false, [])
        id = Self.lastID.add(1, ordering: .relaxed).newValue
    }
}
