// Columns that exist and are to be otherwise.

extension SchemaDiff {
    /// A column that exists and is to be otherwise.
    struct Alteration {
        var column: ColumnDefinition
        /// The type that it has, if that is another one.
        var oldType: ColumnType?
        /// Whether it is to accept NULL, if it is otherwise now.
        var isNullable: Bool?
        /// The integers that fit, where not all do.
        var bounds: ClosedRange<Int64>?
        var changesDefault = false
        var changesCollation = false
        var check: CheckChange?

        /// Whether the column is as it has to be.
        var isEmpty: Bool {
            oldType == nil && isNullable == nil && !changesDefault && !changesCollation && check == nil
        }
    }

    /// Compares the columns of a table that exists with those that the mapping needs.
    func alterations(
        of table: DatabaseSchema.Table, _ definition: TableDefinition, _ problems: inout SchemaProblems
    ) throws -> [Alteration] {
        try definition.columns.compactMap { column in
            guard !column.isGenerated, let existing = table.columns.first(where: { $0.name == column.name }),
                var alteration = try problems.collect({
                    try typeAlteration(existing, column, definition) ?? Alteration(column: column)
                })
            else { return nil }
            // Only a column of the library's own: others decide themselves what theirs accept.
            if journal.hasMade(table: definition.name, column: column.name) {
                let isKey = table.keyColumns.contains(column.name)
                if existing.isNullable != column.isNullable, !isKey,
                    column.isNullable || allows(.requiring(column: column.name, of: definition.name))
                {
                    alteration.isNullable = column.isNullable
                }
                alteration.changesDefault = !isKey && hasOtherDefault(existing, column)
                alteration.changesCollation = hasOtherCollation(existing, column)
            }
            alteration.check = checkChange(table, column)
            return alteration.isEmpty ? nil : alteration
        }
    }

    /// Whether a column that exists can hold what the property needs, or can be made so.
    private func typeAlteration(
        _ existing: DatabaseSchema.Column, _ column: ColumnDefinition, _ definition: TableDefinition
    ) throws -> Alteration? {
        let expected = dialect.storedTypeName(of: column)
        let recorded = journal.entry(table: definition.name, column: column.name)
        let isOfType = existing.typeName.lowercased() == expected.lowercased()
        // The engine may tell apart less than the mapping: what wrote the column is in the journal.
        if isOfType, recorded == nil || recorded == .init(column) { return nil }
        let isKey = definition.primaryKey.contains(column.name)
        if let recorded, let old = recorded.columnType, recorded.storage == column.storage.recorded, !isKey,
            existing.typeName.lowercased() == dialect.storedTypeName(old).lowercased()
        {
            switch TypeChange(from: old, to: column.type) {
            case .widening: return Alteration(column: column, oldType: old)
            case .narrowing(let bounds):
                if allows(.narrowing(column: column.name, of: definition.name)) {
                    return Alteration(column: column, oldType: old, bounds: bounds)
                }
                throw conflict(
                    definition,
                    "Its column \"\(column.name)\" holds more than the mapping needs (\(recorded.description), and not \(JournalEntry.Contents(column).description)). Allow the change by `.narrowing(column: \"\(column.name)\", of: \"\(definition.name)\")`",
                    [column.property])
            case .unknown: break
            }
        }
        guard isOfType, let recorded else {
            throw conflict(
                definition,
                "Its column \"\(column.name)\" is of type \(existing.typeName), but the mapping needs \(expected). Change it by a Migration",
                [column.property])
        }
        throw conflict(
            definition,
            "Its column \"\(column.name)\" was created for \(recorded.description), but the mapping needs \(JournalEntry.Contents(column).description)",
            [column.property])
    }

    private func allows(_ loss: SchemaLoss) -> Bool { allowed.contains(loss) }

    /// The change by which the journal follows a column that gets another type.
    func bookkeeping(_ alteration: Alteration, _ definition: TableDefinition) -> JournalChange? {
        guard alteration.oldType != nil else { return nil }
        let column = alteration.column
        return .setType(column.type, storage: nil, column: column.name, table: definition.name)
    }

    func quoted(_ name: String) -> String { dialect.quoted(name) }

    // MARK: Steps

    /// Whether a table has to be made anew, since the engine can't alter it otherwise.
    func needsRebuild(
        _ alterations: [Alteration], _ table: DatabaseSchema.Table, _ definition: TableDefinition
    ) -> Bool {
        if dialect.tableRebuild == nil { return false }
        let altersColumns = alterations.contains { alteration in
            guard let old = alteration.oldType else { return true }
            return alteration.isNullable != nil || alteration.changesDefault || alteration.changesCollation
                || alteration.check != nil
                || dialect.storedTypeName(old) != dialect.storedTypeName(alteration.column.type)
        }
        return altersColumns || !checkDifference(table, definition).isEmpty
            || isOwn(table) && needsOtherKeys(table, definition)
    }

    /// Whether all columns of a table were made by the library, so that it is known how they are declared.
    private func isOwn(_ table: DatabaseSchema.Table) -> Bool {
        table.columns.allSatisfy { journal.hasMade(table: table.name, column: $0.name) }
    }

    /// The steps that alter a column in place.
    func steps(for alteration: Alteration, _ table: DatabaseSchema.Table) -> [SchemaStep] {
        let obstacles = obstacles(alteration, table)
        guard dialect.tableRebuild == nil else {
            // The engine has one type for both. What does not fit is in the way all the same.
            return obstacles.map { obstacle in
                SchemaStep(
                    SchemaStatement(.replaceTable(table.name)), obstacle.query, dialect,
                    for: .alterColumn(alteration.column, table: table.name), losesData: true, obstacles: [obstacle],
                    consequences: changes(of: alteration, table.name))
            }
        }
        let column = alteration.column
        let alter = "ALTER TABLE \(quoted(table.name)) ALTER COLUMN \(quoted(column.name))"
        var statements: [(SchemaChange, String)] = []
        if let old = alteration.oldType, let change = typeChange(alteration, table.name) {
            let value = dialect.converted(quoted(column.name), from: old, to: column.type)
            statements.append((change, "\(alter) TYPE \(dialect.typeName(column.type)) USING \(value)"))
        } else if alteration.changesCollation {
            statements.append(
                (.setCollation(column: column.name, table: table.name), "\(alter) TYPE \(dialect.typeName(of: column))")
            )
        }
        // One that fitted the old type may read otherwise now.
        if alteration.changesDefault || alteration.oldType != nil, let value = column.defaultValue {
            let sql = "\(alter) SET DEFAULT \(value.literal(dialect, column.type))"
            statements.append((.setDefault(column: column.name, table: table.name), sql))
        } else if alteration.changesDefault {
            statements.append((.setDefault(column: column.name, table: table.name), "\(alter) DROP DEFAULT"))
        }
        switch alteration.isNullable {
        case true?:
            statements.append((.dropNotNull(column: column.name, table: table.name), "\(alter) DROP NOT NULL"))
        case false?:
            statements.append((.setNotNull(column: column.name, table: table.name), "\(alter) SET NOT NULL"))
        case nil: break
        }
        if let check = alteration.check {
            statements.append((change(check, column, table.name), checkStatement(check, column, table.name)))
        }
        var steps = statements.enumerated().map { index, statement in
            SchemaStep(
                SchemaStatement(statement.0), statement.1, dialect, for: .alterColumn(column, table: table.name),
                losesData: alteration.bounds != nil, obstacles: index == 0 ? obstacles : [])
        }
        // In front of NOT NULL, and behind what locks the table: meanwhile nobody adds a row without a value.
        if let fill = fillStep(alteration, table),
            let position = statements.firstIndex(where: { if case .setNotNull = $0.0 { true } else { false } })
        {
            steps.insert(fill, at: position)
        }
        return steps
    }

    private func typeChange(_ alteration: Alteration, _ table: String) -> SchemaChange? {
        alteration.oldType.map { old in
            .changeType(
                column: alteration.column.name, table: table, from: dialect.storedTypeName(old),
                to: alteration.column.type, isComputed: false)
        }
    }

    /// Returns the changes that an alteration makes, whatever statements it takes.
    func changes(of alteration: Alteration, _ table: String) -> [SchemaChange] {
        let nullability = alteration.isNullable.map { isNullable -> SchemaChange in
            isNullable
                ? .dropNotNull(column: alteration.column.name, table: table)
                : .setNotNull(column: alteration.column.name, table: table)
        }
        let name = alteration.column.name
        let others: [SchemaChange?] = [
            alteration.changesDefault ? .setDefault(column: name, table: table) : nil,
            alteration.changesCollation ? .setCollation(column: name, table: table) : nil,
            alteration.check.map { change($0, alteration.column, table) },
        ]
        return ([typeChange(alteration, table), nullability] + others).compactMap(\.self)
    }

    /// Gives rows without a value the default, where the column is to be NOT NULL.
    func fillStep(_ alteration: Alteration, _ table: DatabaseSchema.Table) -> SchemaStep? {
        guard alteration.isNullable == false, table.hasRows, let value = alteration.column.defaultValue else {
            return nil
        }
        let name = quoted(alteration.column.name)
        return SchemaStep(
            SchemaStatement(.updateRows(table: table.name)),
            "UPDATE \(quoted(table.name)) SET \(name) = \(value.literal(dialect, alteration.column.type)) "
                + "WHERE \(name) IS NULL", dialect, for: .alterColumn(alteration.column, table: table.name))
    }

    /// The values that are in the way of an alteration, if any can be.
    func obstacles(_ alteration: Alteration, _ table: DatabaseSchema.Table) -> [SchemaStep.Obstacle] {
        let name = quoted(alteration.column.name)
        var found: [(condition: String, what: String)] = []
        if let bounds = alteration.bounds {
            found.append(
                (
                    "\(name) NOT BETWEEN \(bounds.lowerBound) AND \(bounds.upperBound)",
                    "a value that does not fit \(JournalEntry.Contents(alteration.column).description)"
                ))
        } else if alteration.isNullable == false, alteration.column.defaultValue == nil {
            found.append(("\(name) IS NULL", "no value, and the property has no default"))
        }
        if alteration.check?.refusesMore == true, !alteration.column.cases.isEmpty {
            found.append((sql.isCase(alteration.column, isNegated: true), "a value that is no case of its property"))
        }
        return found.map { condition, what in
            SchemaStep.Obstacle(
                query: "SELECT 1 FROM \(quoted(table.name)) WHERE \(condition) LIMIT 1",
                error:
                    "The table \"\(table.name)\" can't be migrated. A row has in \"\(alteration.column.name)\" \(what). "
                    + "Nothing was changed.",
                table: table.name, property: alteration.column.property)
        }
    }
}
