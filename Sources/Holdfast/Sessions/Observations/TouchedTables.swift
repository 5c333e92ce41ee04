/// The tables whose rows the statements of one transaction may have changed.
struct TouchedTables: Sendable {
    /// The names of tables, as ``TableName`` describes them.
    private(set) var names: Set<String> = []
    /// Whether any other table may have changed, too.
    private(set) var touchesOthers = false
    /// The tables with changed rows that are not reported one by one.
    private(set) var untold: Set<String> = []
    /// The tables from which rows were deleted: foreign keys may have changed rows of those that refer to them.
    private var deletedFrom: Set<String> = []

    init(names: Set<String> = [], untold: Set<String> = []) { (self.names, self.untold) = (names, untold) }

    var isEmpty: Bool { names.isEmpty && !touchesOthers }

    /// Notes a statement that is about to run.
    mutating func note(_ statement: Statement) {
        switch statement.kind {
        case .read, .begin, .commit, .setting: return
        case .other:
            // A savepoint or a rollback of core's own changes nothing; a definition may change anything.
            if !statement.isTransactionControl { touchesOthers = true }
        case .replace: touchesOthers = true
        case .delete:
            guard !statement.isRaw, let table = statement.table else { return touchesOthers = true }
            names.insert(table)
            deletedFrom.insert(table)
            if statement.deletion == nil { untold.insert(table) }
        case .insert, .update:
            guard !statement.isRaw, let table = statement.rowChange?.table.description ?? statement.table else {
                return touchesOthers = true
            }
            names.insert(table)
            if !statement.isOfObjects { untold.insert(table) }
        }
    }

    /// Notes that any table may have been touched.
    mutating func noteAll() { touchesOthers = true }

    /// Whether rows of one of the tables may have changed; nil stands for any table.
    func touches(_ tables: Set<String>?) -> Bool {
        guard !touchesOthers, let tables else { return !isEmpty }
        return !names.isDisjoint(with: tables)
    }

    /// Whether rows of a table may have changed that are not reported one by one.
    ///
    /// - Parameter targets: The tables that its rows refer to.
    func hasUntoldChanges(of table: String, referringTo targets: Set<String>) -> Bool {
        touchesOthers || untold.contains(table) || !deletedFrom.isDisjoint(with: targets)
    }
}

extension Statement {
    /// Whether it writes rows of objects, each of which is reported by the operation that writes it.
    fileprivate var isOfObjects: Bool {
        switch rowChange {
        case .insert, .update, .upsert: true
        case .set: isTold
        case nil: false
        }
    }
}
