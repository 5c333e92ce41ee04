/// The tables whose rows the statements of one transaction may have changed.
struct TouchedTables: Sendable {
    /// The names of tables, as ``TableName`` describes them.
    private(set) var names: Set<String> = []
    /// Whether other tables may have changed, too.
    private(set) var touchesOthers = false

    init(names: Set<String> = []) { self.names = names }

    static let all = {
        var touched = TouchedTables()
        touched.touchesOthers = true
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
            touchesOthers = true
        case .delete, .replace:
            // Foreign keys and triggers may delete or change rows of tables that no mapping knows.
            touchesOthers = true
        case .insert, .update:
            if !statement.isRaw, let table = statement.rowChange?.table.description ?? statement.table {
                names.insert(table)
            } else {
                touchesOthers = true
            }
        }
    }

    /// Whether rows of one of the tables may have changed; nil stands for any table.
    func touches(_ tables: Set<String>?) -> Bool {
        guard !touchesOthers, let tables else { return !isEmpty }
        return !names.isDisjoint(with: tables)
    }
}
