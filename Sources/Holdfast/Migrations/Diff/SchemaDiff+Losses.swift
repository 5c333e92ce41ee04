import NearMisses

// Permissions to lose what the database has under another name.

extension SchemaDiff {
    /// Refuses a permission that is misspelt.
    ///
    /// What it names may have been lost before, or have come and gone in versions that the database has missed. So it
    /// is refused if the database never had such a name, and has a similar one of which the same could be meant.
    func checkLosses(_ definitions: [TableDefinition]) throws {
        for loss in allowed.inOrder({ "\($0)" < "\($1)" }) {
            switch loss.kind {
            case .table(let table), .unwrapping(let table, _, _, _):
                if had(table, definitions) { continue }
                let models = Set(definitions.map(\.name))
                try refuse(table, nil, nearMisses(of: table, among: journal.tables.subtracting(models).sorted()))
            case .column(let column, let table), .wrapping(let column, let table, _):
                if had(column, of: table, definitions) { continue }
                if had(table, definitions) {
                    try refuse(column, table, nearMisses(of: column, among: leftovers(of: table, definitions)))
                } else {
                    try refuse(
                        table, nil,
                        nearMisses(of: table, among: journal.tables.sorted()).filter {
                            leftovers(of: $0, definitions).contains(column)
                        })
                }
            case .narrowing(let column, let table), .requiring(let column, let table):
                if had(column, of: table, definitions) { continue }
                if had(table, definitions) {
                    try refuse(column, table, nearMisses(of: column, among: differing(in: table, definitions)))
                } else {
                    try refuse(
                        table, nil,
                        nearMisses(of: table, among: definitions.map(\.name)).filter {
                            differing(in: $0, definitions).contains(column)
                        })
                }
            case .log(let table):
                if had(table, definitions) { continue }
                try refuse(
                    table, nil,
                    nearMisses(of: table, among: journal.tables.sorted()).filter {
                        snapshot.tables[$0]?.ownTriggers.contains { LogTrigger.log(ofTrigger: $0) != nil } ?? true
                    })
            case .search(let table):
                if had(table, definitions) { continue }
                try refuse(
                    table, nil,
                    nearMisses(of: table, among: journal.tables.sorted()).filter {
                        snapshot.tables[$0].map { !$0.searchIndexes(isComplete: false).isEmpty } ?? true
                    })
            }
        }
    }

    private func refuse(_ name: String, _ table: String?, _ others: [String]) throws {
        if others.isEmpty { return }
        let what = table.map { "the column \"\(name)\" of \"\($0)\"" } ?? "the table \"\(name)\""
        throw DatabaseError(
            .conflict,
            "The schema allows for a loss of \(what), which the database never had. Did you mean "
                + others.map { "\"\($0)\"" }.joined(separator: " or ") + "? Nothing was changed.",
            table: table ?? name)
    }

    /// Whether there is a table of a name, or was.
    private func had(_ table: String, _ definitions: [TableDefinition]) -> Bool {
        snapshot.tables[table] != nil || journal.tables.contains(table) || journal.past.contains(table)
            || definitions.contains { $0.name == table || $0.formerNames.contains(table) }
    }

    /// Whether a table has a column of a name, or had.
    private func had(_ column: String, of table: String, _ definitions: [TableDefinition]) -> Bool {
        let definition = definitions.first { $0.name == table || $0.formerNames.contains(table) }
        return snapshot.tables[table]?.columns.contains { $0.name == column } ?? false
            || journal.entry(table: table, column: column) != nil || journal.past.contains(table, column)
            || journal.past.contains(table)
            || definition?.columns.contains { $0.name == column || $0.formerNames.contains(column) } ?? false
    }

    /// The columns that a table has, and no model.
    private func leftovers(of table: String, _ definitions: [TableDefinition]) -> [String] {
        let models = Set(definitions.first { $0.name == table }?.columns.map(\.name) ?? [])
        let existing = snapshot.tables[table]?.columns.map(\.name) ?? journal.columns(of: table)
        return existing.filter { !models.contains($0) }
    }

    /// The columns that are otherwise than their model has them.
    private func differing(in table: String, _ definitions: [TableDefinition]) -> [String] {
        guard let definition = definitions.first(where: { $0.name == table }), let found = snapshot.tables[table] else {
            return []
        }
        return definition.columns.filter { column in
            found.columns.contains {
                $0.name == column.name
                    && ($0.isNullable != column.isNullable || $0.typeName != dialect.storedTypeName(of: column)
                        || journal.entry(table: table, column: column.name) != JournalEntry.Contents(column))
            }
        }.map(\.name)
    }
}
