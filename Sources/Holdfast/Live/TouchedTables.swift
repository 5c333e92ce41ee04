/// The tables whose rows the statements of one transaction may have changed.
struct TouchedTables: Sendable {
    /// The names of tables, as ``TableName`` describes them.
    private(set) var names: Set<String> = []
    /// Whether other tables may have changed, too.
    private(set) var touchesOthers = false
    /// The tables of which rows were changed that nobody tells of one by one.
    private var untold: Set<String> = []
    /// The only tables of which all changes are told of one by one; nil if that is so of all besides ``untold``.
    private var told: Set<String>?

    init(names: Set<String> = []) { (self.names, untold) = (names, names) }

    static let all = {
        var touched = TouchedTables()
        (touched.touchesOthers, touched.told) = (true, [])
        return touched
    }()

    var isEmpty: Bool { names.isEmpty && !touchesOthers }

    /// Notes a statement that is about to run.
    mutating func note(_ statement: Statement) {
        switch statement.kind {
        case .read, .begin, .commit, .setting: return
        case .other:
            // A savepoint or a rollback of core's own changes nothing; a definition may change anything.
            if statement.isTransactionControl { return }
            (touchesOthers, told) = (true, [])
        case .delete, .replace:
            // Foreign keys and triggers may delete or change rows of tables that no mapping knows.
            touchesOthers = true
            switch statement.deletion {
            case .objects: told = (told ?? [statement.table ?? ""]).intersection([statement.table ?? ""])
            case .elements: break
            case nil: told = []
            }
        case .insert, .update:
            if !statement.isRaw, let table = statement.rowChange?.table.description ?? statement.table {
                names.insert(table)
                if !statement.isOfObjects { untold.insert(table) }
            } else {
                (touchesOthers, told) = (true, [])
            }
        }
    }

    /// Whether rows of one of the tables may have changed; nil stands for any table.
    func touches(_ tables: Set<String>?) -> Bool {
        guard !touchesOthers, let tables else { return !isEmpty }
        return !names.isDisjoint(with: tables)
    }

    /// Whether rows of a table may have changed that nobody tells of one by one.
    func hasUntoldChanges(of table: String) -> Bool {
        untold.contains(table) || told.map { !$0.contains(table) } ?? false
    }
}

extension Statement {
    /// Whether it writes rows of objects, by whose operation each is told of.
    fileprivate var isOfObjects: Bool {
        switch rowChange {
        case .insert, .update, .upsert: true
        case .set, nil: false
        }
    }
}
