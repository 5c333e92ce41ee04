// The CHECK constraints over several columns, which are known by their names.

extension SchemaDiff {
    /// What has to be done to the checks of a table that exists.
    struct CheckDifference {
        /// The checks that it lacks.
        var missing: [CheckDefinition]
        /// The names of the constraints that no type declares any more.
        var unknown: [String]

        var isEmpty: Bool { missing.isEmpty && unknown.isEmpty }
    }

    /// Compares the checks of a table that exists with those that the mapping needs.
    func checkDifference(_ table: DatabaseSchema.Table, _ definition: TableDefinition) -> CheckDifference {
        let existing = table.checks.filter { $0.declaredName != nil }.compactMap(\.name)
        let needed = Set(definition.checks.map(\.constraint))
        return CheckDifference(
            missing: definition.checks.filter { !existing.contains($0.constraint) },
            unknown: existing.filter { !needed.contains($0) })
    }

    /// The steps that give a table the checks that it needs, where the engine can alter it.
    func checkSteps(_ table: DatabaseSchema.Table, _ definition: TableDefinition) -> [SchemaStep] {
        if dialect.tableRebuild != nil { return [] }
        let difference = checkDifference(table, definition)
        let alter = "ALTER TABLE \(quoted(table.name))"
        let drops = difference.unknown.map { name in
            SchemaStep(
                SchemaStatement(.dropTableCheck(name: name, table: table.name)),
                "\(alter) DROP CONSTRAINT \(quoted(name))", dialect)
        }
        let additions = difference.missing.map { check in
            SchemaStep(
                SchemaStatement(.addTableCheck(check, table: table.name)), "\(alter) ADD \(sql.check(check))", dialect,
                obstacles: obstacles(check, table, definition))
        }
        return drops + additions
    }

    /// Returns the changes to the checks of a table, whatever statements they take.
    func checkChanges(_ table: DatabaseSchema.Table, _ definition: TableDefinition) -> [SchemaChange] {
        let difference = checkDifference(table, definition)
        return difference.unknown.map { .dropTableCheck(name: $0, table: table.name) }
            + difference.missing.map { .addTableCheck($0, table: table.name) }
    }

    /// The rows that are in the way of the checks that a table lacks.
    func checkObstacles(_ table: DatabaseSchema.Table, _ definition: TableDefinition) -> [SchemaStep.Obstacle] {
        checkDifference(table, definition).missing.flatMap { obstacles($0, table, definition) }
    }

    private func obstacles(
        _ check: CheckDefinition, _ table: DatabaseSchema.Table, _ definition: TableDefinition
    ) -> [SchemaStep.Obstacle] {
        let condition = sql.condition(check)
        // Before a column is there, nothing can be asked of it; then the engine refuses the constraint.
        let names = definition.columns.map(\.name).filter { name in !table.columns.contains { $0.name == name } }
        let text = condition.lowercased()
        if names.contains(where: { text.contains($0.lowercased()) }) { return [] }
        return [
            SchemaStep.Obstacle(
                query: "SELECT 1 FROM \(quoted(table.name)) WHERE NOT (\(sql.enclosable(condition))) LIMIT 1",
                error:
                    "The table \"\(table.name)\" can't be migrated. A row breaks the check \"\(check.name)\". "
                    + "Correct it first. Nothing was changed.",
                table: table.name)
        ]
    }
}
