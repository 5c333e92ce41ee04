import Synchronization

/// The statements about one table, rendered once for the dialect of a database.
final class TableStatements: Sendable {
    /// The statements that depend on more than the mapping.
    enum Variant: Hashable, Sendable {
        case insert(PropertyMask, returningKey: Bool)
        case upsert(PropertyMask, Upsert)
        case insertOrIgnore(PropertyMask)
        case update(PropertyMask)
        case elements(property: Int, ofAll: Bool, withPositions: Bool)
        case insertElement(property: Int)
        case deleteElement(property: Int)
        case related(property: Int, ofAll: Bool)
        case links(property: Int, ofAll: Bool)
        case linked(property: Int)
        case holders(property: Int)
        case chain(property: Int)
        case link(property: Int)
        case unlink(property: Int)
        case mark
        case restore
        case lockKeys
        case lockMarked
    }

    /// The number of variants that are kept: there can be one for each set of properties, and so any number of them.
    static let variantCapacity = 512

    let description: TableDescription
    let columns: TableColumns
    let selectOne: Statement
    let selectAll: Statement
    let selectMany: Statement
    let selectKeys: Statement
    let selectExisting: Statement
    let lockExisting: Statement
    let deleteMany: Statement
    let delete: Statement
    let lock: Statement
    let lockMany: Statement
    let exists: Statement
    let count: Statement
    let deleteAll: Statement
    let advanceGeneratedKey: Statement?
    /// Inserts a row whose key the engine makes: what most saves of new objects do; nil where it makes none.
    private let insertNew: Statement?

    let sql: TableSQL
    /// The statements about other rows of a type some of whose rows are hidden.
    private let others = Mutex<[SeenRows?: TableStatements]>([:])
    private let variants = Mutex(RecentlyUsed<Variant, Statement>(capacity: variantCapacity))

    /// Creates the statements about rows that are there, or about all.
    init(_ description: TableDescription, dialect: any Dialect, seen: SeenRows? = SeenRows()) {
        self.description = description
        columns = description.columns
        let sql = TableSQL(description: description, dialect: dialect, seen: seen)
        let table = description.table
        self.sql = sql
        let key = description.keyIndices.count
        func statement(
            _ parameters: Int, isBrief: Bool = false, deletion: Statement.Deletion? = nil,
            _ write: (TableSQL) -> String
        ) -> Statement {
            Statement(sql.text(after: parameters, write), isBrief: isBrief, table: table, deletion: deletion)
        }
        selectOne = statement(key, isBrief: true) { $0.selectOne() }
        selectAll = statement(0) { $0.selectAll() }
        selectMany = statement(key) { $0.selectMany() }
        selectKeys = statement(0) { $0.selectKeys() }
        selectExisting = statement(key) { $0.selectExisting() }
        lockExisting = statement(key) { $0.selectExisting() + dialect.rowLock }
        deleteMany = statement(key, deletion: .objects) { $0.deleteMany() }
        delete = statement(key, isBrief: true, deletion: .objects) { $0.delete() }
        lock = statement(key, isBrief: true) { $0.lock() }
        lockMany = statement(key) { $0.lockMany() }
        exists = statement(key, isBrief: true) { $0.exists() }
        count = statement(0) { $0.count() }
        deleteAll = statement(0) { $0.deleteAll() }
        insertNew =
            description.hasGeneratedKey
            ? Self.insert(description.nonKeyMask, returningKey: true, description, sql) : nil
        advanceGeneratedKey =
            description.hasGeneratedKey && description.hasCountedKey
            ? description.keyColumns.first
                .flatMap { [description] in dialect.advanceGeneratedKey(table: description.tableName, column: $0) }
                .map { Statement($0, table: table) }
            : nil
    }

    /// The statements about all rows, also those that have expired or are marked as deleted.
    var ofAllRows: TableStatements { seeing(nil) }

    /// The statements about the rows that a permanent deletion means: also those that are marked as deleted.
    var ofMarkedRows: TableStatements {
        guard description.deletion != nil, let seen = sql.seen else { return self }
        return description.scopes.isEmpty ? ofAllRows : seeing(SeenRows(deleted: .included, passed: seen.passed))
    }

    /// The statements that find the rows of objects that the program has already.
    var ofHeldRows: TableStatements {
        description.scopes.isEmpty ? self : sql.seen.map { seeing($0.ofHeld) } ?? self
    }

    /// The statements that find rows again of which was heard: wherever they are by now.
    var ofObservedRows: TableStatements { description.scopes.isEmpty ? ofMarkedRows : ofAllRows }

    /// The statements about other rows.
    ///
    /// - Parameter seen: Which; nil for all.
    func seeing(_ seen: SeenRows?) -> TableStatements {
        guard description.hidesRows, seen != sql.seen else { return self }
        return others.withLock { others in
            if let known = others[seen] { return known }
            let made = TableStatements(description, dialect: sql.dialect, seen: seen)
            others[seen] = made
            return made
        }
    }

    /// The statement of a variant, rendered at its first use.
    func rendered(_ variant: Variant) throws -> Statement {
        if case .insert(let mask, true) = variant, let insertNew, mask == description.nonKeyMask { return insertNew }
        return try variants.withLock { variants in
            if let statement = variants.value(for: variant) { return statement }
            let statement = try render(variant)
            _ = variants.removeOldest()
            variants.insert(statement, for: variant)
            return statement
        }
    }

    /// How many statements are kept beyond those that every mapping has.
    var variantCount: Int { variants.withLock { $0.count } }

    /// The statement that inserts rows of some properties.
    static func insert(
        _ mask: PropertyMask, returningKey: Bool, _ description: TableDescription, _ sql: TableSQL
    ) -> Statement {
        let (table, columns) = (description.table, description.columnNames(mask))
        // How the database makes a key is its own affair: no driver takes keys from a sequence beforehand.
        let isTold = returningKey && description.keySource != nil
        return Statement(
            sql.insert(mask, returningKey: returningKey), isBrief: true, table: table,
            rowChange: isTold
                ? .upsert(table: description.tableName, columns: columns, returnsRows: true)
                : .insert(
                    table: description.tableName, columns: columns,
                    generatedKey: returningKey ? description.keyColumns.first : nil),
            columnTypes: description.columnTypes(mask))
    }
}
