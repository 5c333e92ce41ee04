// What migrations are checked for before any of them runs, and what of them is for new databases.

extension Migration {
    /// Refuses what contradicts itself, and changes of the library's own tables.
    ///
    /// - Throws: ``DatabaseError/Code/conflict``.
    func validate() throws {
        try tables.forEach(SchemaJournal.refuse)
        guard isAdditive, let step = steps.first(where: \.takesAway) else { return }
        throw DatabaseError(
            .conflict,
            "The migration \"\(id)\" is said to be additive, and changes or drops what earlier programs may use. Nothing "
                + "was changed.",
            table: step.tables.first)
    }
}

extension Migration.Step {
    /// Whether earlier programs may miss what it changes.
    var takesAway: Bool {
        switch self {
        case .renameTable, .renameColumn, .changeType, .dropTable, .dropColumn: true
        case .sql, .data: false
        }
    }

    /// Whether it can make something that was not there: in doubt, it can.
    fileprivate var canMake: Bool {
        guard case .sql(let fragment) = self else { return !takesAway }
        guard case .text(let text)? = fragment.pieces.first else { return true }
        return !["update", "delete", "drop", "truncate"].contains(RawStatementText(text).parts.first)
    }
}

extension [Migration] {
    /// The names that they give up.
    var pastNames: PastNames {
        var names = PastNames()
        for step in flatMap(\.steps) {
            switch step {
            case .renameTable(let table, let name): names.follow(.renameTable(table, to: name))
            case .renameColumn(let column, let table, let name):
                names.follow(.renameColumn(column, table: table, to: name))
            case .changeType, .dropTable, .dropColumn, .sql, .data: continue
            }
        }
        return names
    }

    /// What a new database runs of them, when the types have their tables.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` for a migration of which it can't be told whether a new database needs
    ///   it.
    func forNewDatabases() throws -> [Migration] {
        var others: String?
        return try compactMap { migration in
            let steps = migration.steps.filter { !$0.takesAway }
            let isRun: Bool
            switch (migration.purpose, migration.phase) {
            case (.existingData, _): isRun = false
            case (.everyDatabase, _), (nil, .afterTypes): isRun = true
            case (nil, .beforeTypes):
                isRun = false
                if steps.contains(where: \.canMake) || others != nil && !steps.isEmpty {
                    throw migration.isUndecided(after: others)
                }
            }
            guard isRun, !steps.isEmpty else { return nil }
            if steps.contains(where: \.canMake) { others = migration.id }
            return Migration(migration.id, migration.phase, migration.purpose, migration.isAdditive, steps)
        }
    }
}

extension Migration {
    /// Whether it alters or drops what views may be about.
    var takesAway: Bool { steps.contains(where: \.takesAway) }

    fileprivate func isUndecided(after other: String?) -> DatabaseError {
        let what =
            steps.contains(where: \.canMake)
            ? "runs SQL or a closure that may make something"
            : "may be about what the migration \"\(other ?? "")\" makes"
        return DatabaseError(
            .conflict,
            "The migration \"\(id)\" \(what), and does not say whether a new database needs it. Add `for: .existingData` "
                + "if it is about what earlier versions have stored, or `for: .everyDatabase`, and it is run when the types "
                + "have their tables. Nothing was changed.")
    }
}
