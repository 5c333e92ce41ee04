// Tables that are made anew, since the engine can't alter them otherwise.

extension SchemaDiff {
    /// Makes a table anew, with its rows, indexes and triggers.
    ///
    /// ```sql
    /// CREATE TABLE "holdfast_new_note" (…)
    /// INSERT INTO "holdfast_new_note" ("id", "title") SELECT "id", "title" FROM "note"
    /// DROP TABLE "note"
    /// ALTER TABLE "holdfast_new_note" RENAME TO "note"
    /// ```
    ///
    /// - Returns: The steps, and the table as it is then; nil if the table can't be made anew.
    func rebuild(
        _ table: DatabaseSchema.Table, _ definition: TableDefinition, _ alterations: [Alteration],
        _ problems: inout SchemaProblems
    ) -> (steps: [SchemaStep], result: DatabaseSchema.Table)? {
        guard let rebuild = dialect.tableRebuild, let subject = alterations.first?.column ?? definition.columns.first
        else { return nil }
        let others = table.columns.filter { !journal.hasMade(table: table.name, column: $0.name) }
        for other in others {
            problems.add(
                conflict(
                    definition,
                    "It can be altered only by making it anew, and its column \"\(other.name)\" is not the library's, so that it might not become what it was. Alter it yourself",
                    [subject.property]))
        }
        if !others.isEmpty { return nil }
        let added = definition.columns.filter { column in !table.columns.contains { $0.name == column.name } }
        var (columns, values): ([String], [String]) = ([], [])
        var leftovers: [String] = []
        for existing in table.columns {
            columns.append(existing.name)
            let alteration = alterations.first { $0.column.name == existing.name }
            if let old = alteration?.oldType, let column = alteration?.column {
                values.append(dialect.converted(quoted(existing.name), from: old, to: column.type))
            } else {
                values.append(quoted(existing.name))
            }
            if definition.columns.contains(where: { $0.name == existing.name }) { continue }
            guard let known = journal.entry(table: table.name, column: existing.name)?.columnType else {
                problems.add(
                    conflict(
                        definition,
                        "It can be altered only by making it anew, and its column \"\(existing.name)\" is of a type of a newer version of the library",
                        [subject.property]))
                return nil
            }
            leftovers.append(sql.leftover(existing, known))
        }
        let remade = definition.keepingNullable(table, besides: alterations)
        let name = Naming.shortened("holdfast_new_\(table.name)")
        // Those that were added just now are at the end of the table, and have their values already.
        columns += added.map(\.name)
        values += added.map { quoted($0.name) }
        let action = SchemaChange.alterColumn(subject, table: table.name)
        let isNarrowing = alterations.contains { $0.bounds != nil }
        let copyIndex = 1
        var statements = [
            sql.createTable(remade, as: name, leftovers: leftovers),
            "INSERT INTO \(quoted(name)) (\(dialect.list(columns))) SELECT \(values.joined(separator: ", ")) "
                + "FROM \(quoted(table.name))",
        ]
        statements += dialect.keepGeneratedKeys(of: table.name, in: name, definition.hasGeneratedKey)
        statements += [
            "DROP TABLE \(quoted(table.name))", rebuild.beforeRename,
            "ALTER TABLE \(quoted(name)) RENAME TO \(quoted(table.name))", rebuild.afterRename,
        ]
        // Delete rules and indexes that are made in this plan come later.
        let firstDependent = statements.count
        statements += table.dependents.map(\.sql)
        let obstacles = alterations.flatMap { self.obstacles($0, table) } + checkObstacles(table, definition)
        let fills = alterations.compactMap { fillStep($0, table) }
        let consequences =
            alterations.flatMap { changes(of: $0, table.name) } + checkChanges(table, definition)
            + otherKeys(table, definition)
        let steps = statements.enumerated().map { index, sql in
            var step = SchemaStep(
                SchemaStatement(index == copyIndex ? .copyRows(table: table.name) : .replaceTable(table.name)), sql,
                dialect, for: action, losesData: isNarrowing && index == copyIndex,
                obstacles: index == copyIndex ? obstacles : [],
                consequences: index == copyIndex ? consequences : [])
            if index >= firstDependent, !table.dependents[index - firstDependent].isExact { step.unknown = .text }
            return step
        }
        var result = DatabaseSchema.Table(remade, dialect)
        result.columns += table.columns.filter { existing in !remade.columns.contains { $0.name == existing.name } }
        (result.indexes, result.hasRows, result.dependents) = (table.indexes, table.hasRows, table.dependents)
        (result.triggers, result.triggerColumns) = (table.triggers, table.triggerColumns)
        return (fills + steps, result)
    }

    /// The foreign keys that a table gets by being made anew.
    private func otherKeys(_ table: DatabaseSchema.Table, _ definition: TableDefinition) -> [SchemaChange] {
        definition.foreignKeys.filter { key in
            !table.foreignKeys.contains { $0.columns == key.columns && $0.onDelete == key.onDelete }
        }.map { .addForeignKey($0, table: table.name) }
    }
}

extension TableDefinition {
    /// The definition with columns that accept NULL, and that nothing asks to do otherwise.
    fileprivate func keepingNullable(
        _ table: DatabaseSchema.Table, besides alterations: [SchemaDiff.Alteration]
    ) -> Self {
        var definition = self
        for (index, column) in columns.enumerated() where !primaryKey.contains(column.name) {
            let isKept = table.columns.contains { $0.name == column.name && $0.isNullable }
            let isRequired = alterations.contains { $0.column.name == column.name && $0.isNullable == false }
            if isKept, !isRequired { definition.columns[index].isNullable = true }
        }
        return definition
    }
}
