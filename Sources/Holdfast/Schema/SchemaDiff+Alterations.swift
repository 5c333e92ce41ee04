// Columns that exist and are to be otherwise, and what is dropped.

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
    func alterations(of table: TableSnapshot, _ definition: TableDefinition) throws -> [Alteration] {
        try definition.columns.compactMap { column in
            guard !column.isGenerated, let existing = table.columns.first(where: { $0.name == column.name }) else {
                return nil
            }
            var alteration = try typeAlteration(existing, column, definition) ?? Alteration(column: column)
            // Only a column of the library's own: others decide themselves what theirs accept.
            if journal.hasMade(table: definition.name, column: column.name) {
                let isKey = table.primaryKey.contains(column.name)
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
        _ existing: ColumnSnapshot, _ column: ColumnDefinition, _ definition: TableDefinition
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

    /// The statement by which the journal follows a column that gets another type.
    func bookkeeping(_ alteration: Alteration, _ definition: TableDefinition) -> String? {
        guard alteration.oldType != nil else { return nil }
        let contents = JournalEntry.Contents(alteration.column)
        return "UPDATE \(quoted(JournalEntry.tableMapping.description.table)) "
            + "SET \"logical_type\" = \(dialect.literal(contents.type)) "
            + "WHERE \"table_name\" = \(dialect.literal(definition.name)) "
            + "AND \"column_name\" = \(dialect.literal(alteration.column.name))"
    }

    private func quoted(_ name: String) -> String { dialect.quoted(name) }

    // MARK: Steps

    /// Whether a table has to be made anew, since the engine can't alter it otherwise.
    func needsRebuild(
        _ alterations: [Alteration], _ table: TableSnapshot, _ definition: TableDefinition
    ) -> Bool {
        if dialect.tableRebuild == nil { return false }
        let altersColumns = alterations.contains { alteration in
            guard let old = alteration.oldType else { return true }
            return alteration.isNullable != nil || alteration.changesDefault || alteration.changesCollation
                || alteration.check != nil
                || dialect.storedTypeName(old) != dialect.storedTypeName(alteration.column.type)
        }
        return altersColumns || isOwn(table) && needsOtherKeys(table, definition)
    }

    /// Whether all columns of a table were made by the library, so that it is known how they are declared.
    private func isOwn(_ table: TableSnapshot) -> Bool {
        table.columns.allSatisfy { journal.hasMade(table: table.name, column: $0.name) }
    }

    /// The steps that alter a column in place.
    func steps(for alteration: Alteration, _ table: TableSnapshot) -> [SchemaStep] {
        let obstacles = obstacles(alteration, table)
        guard dialect.tableRebuild == nil else {
            // The engine has one type for both. What does not fit is in the way all the same.
            return obstacles.map { obstacle in
                SchemaStep(
                    .alterColumn(alteration.column, table: table.name), .replaceTable(table.name), obstacle.query,
                    dialect, losesData: true, obstacles: [obstacle], consequences: changes(of: alteration, table.name))
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
                .alterColumn(column, table: table.name), statement.0, statement.1, dialect,
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
    private func fillStep(_ alteration: Alteration, _ table: TableSnapshot) -> SchemaStep? {
        guard alteration.isNullable == false, table.hasRows, let value = alteration.column.defaultValue else {
            return nil
        }
        let name = quoted(alteration.column.name)
        return SchemaStep(
            .alterColumn(alteration.column, table: table.name), .updateRows(table: table.name),
            "UPDATE \(quoted(table.name)) SET \(name) = \(value.literal(dialect, alteration.column.type)) "
                + "WHERE \(name) IS NULL", dialect)
    }

    /// The values that are in the way of an alteration, if any can be.
    private func obstacles(_ alteration: Alteration, _ table: TableSnapshot) -> [SchemaStep.Obstacle] {
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

    // MARK: Rebuilding

    /// Makes a table anew, with its rows, indexes and triggers.
    ///
    /// ```sql
    /// CREATE TABLE "holdfast_new_note" (…)
    /// INSERT INTO "holdfast_new_note" ("id", "title") SELECT "id", "title" FROM "note"
    /// DROP TABLE "note"
    /// ALTER TABLE "holdfast_new_note" RENAME TO "note"
    /// ```
    func rebuild(
        _ table: TableSnapshot, _ definition: TableDefinition, _ alterations: [Alteration]
    ) throws -> [SchemaStep] {
        guard let rebuild = dialect.tableRebuild, let subject = alterations.first?.column ?? definition.columns.first
        else { return [] }
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
            guard journal.hasMade(table: table.name, column: existing.name),
                let known = journal.entry(table: table.name, column: existing.name)?.columnType
            else {
                throw conflict(
                    definition,
                    "It can be altered only by making it anew, and its column \"\(existing.name)\" is not the library's, so that it might not become what it was. Alter it yourself",
                    [subject.property])
            }
            if definition.columns.contains(where: { $0.name == existing.name }) { continue }
            leftovers.append(sql.leftover(existing, known))
        }
        let name = Naming.shortened("holdfast_new_\(table.name)")
        // Those that were added just now are at the end of the table, and have their values already.
        columns += added.map(\.name)
        values += added.map { quoted($0.name) }
        let action = SchemaStep.Action.alterColumn(subject, table: table.name)
        let isNarrowing = alterations.contains { $0.bounds != nil }
        let copyIndex = 1
        var statements = [
            sql.createTable(
                definition.keepingNullable(table, besides: alterations), as: name, leftovers: leftovers),
            "INSERT INTO \(quoted(name)) (\(dialect.list(columns))) SELECT \(values.joined(separator: ", ")) "
                + "FROM \(quoted(table.name))",
        ]
        statements += dialect.keepGeneratedKeys(of: table.name, in: name, definition.hasGeneratedKey)
        statements += [
            "DROP TABLE \(quoted(table.name))", rebuild.beforeRename,
            "ALTER TABLE \(quoted(name)) RENAME TO \(quoted(table.name))", rebuild.afterRename,
        ]
        // Delete rules and indexes that are made in this plan come later.
        statements += table.dependents
        let obstacles = alterations.flatMap { self.obstacles($0, table) }
        let fills = alterations.compactMap { fillStep($0, table) }
        let consequences = alterations.flatMap { changes(of: $0, table.name) } + otherKeys(table, definition)
        return fills
            + statements.enumerated().map { index, sql in
                SchemaStep(
                    action, index == copyIndex ? .copyRows(table: table.name) : .replaceTable(table.name), sql, dialect,
                    losesData: isNarrowing, obstacles: index == copyIndex ? obstacles : [],
                    consequences: index == copyIndex ? consequences : [])
            }
    }

    /// The foreign keys that a table gets by being made anew.
    private func otherKeys(_ table: TableSnapshot, _ definition: TableDefinition) -> [SchemaChange] {
        definition.foreignKeys.filter { key in
            !table.foreignKeys.contains { $0.columns == key.columns && $0.onDelete == key.onDelete }
        }.map { .addForeignKey($0, table: table.name) }
    }

    // MARK: Dropping

    /// Drops what may be dropped and is there.
    func dropSteps(_ definitions: [TableDefinition]) throws -> [SchemaStep] {
        try allowed.sorted { "\($0)" < "\($1)" }.flatMap { loss -> [SchemaStep] in
            switch loss.kind {
            case .table(let name):
                guard let table = snapshot.tables[name] else { return [] }
                if let definition = definitions.first(where: { $0.name == name }) {
                    throw conflict(definition, "It may be dropped, but a model has it", [])
                }
                let other = snapshot.tables.values.first { other in
                    other.name != name && other.foreignKeys.contains { $0.table == name && $0.schema == nil }
                }
                if let other {
                    throw DatabaseError(
                        .conflict,
                        "The table \"\(name)\" can't be dropped: \"\(other.name)\" refers to it. Nothing was changed.",
                        table: name)
                }
                let rules = table.deleteRules.flatMap { dialect.dropDeleteRuleSteps($0, on: name) }
                return rules + [
                    SchemaStep(
                        .dropTable(name), .dropTable(name, targets: table.foreignKeys.map(\.table)),
                        "DROP TABLE \(quoted(name))", dialect, losesData: true)
                ]
            case .column(let column, let name): return try dropSteps(column, of: name, definitions)
            case .narrowing, .requiring, .wrapping, .unwrapping: return []
            }
        }
    }

    /// Drops a column with its indexes and delete rules.
    ///
    /// - Parameter action: What it is a part of, if its values are elsewhere by then.
    func dropSteps(
        _ column: String, of name: String, _ definitions: [TableDefinition], as action: SchemaStep.Action? = nil
    ) throws -> [SchemaStep] {
        guard let table = snapshot.tables[name], table.columns.contains(where: { $0.name == column }) else { return [] }
        if let definition = definitions.first(where: { $0.name == name }),
            let property = definition.columns.first(where: { $0.name == column })?.property
        {
            throw conflict(definition, "Its column \"\(column)\" may be dropped, but a model has it", [property])
        }
        if !dialect.canAlterForeignKeys, table.foreignKeys.contains(where: { $0.columns.contains(column) }) {
            throw DatabaseError(
                .unsupported,
                "The column \"\(column)\" of \"\(name)\" has a foreign key, and the engine can drop no such column.",
                table: name, properties: [column])
        }
        let rules = table.deleteRules.filter { table.deleteRuleColumns[$0]?.contains(column) == true }
            .flatMap { dialect.dropDeleteRuleSteps($0, on: name) }
        let indexes = table.indexes.filter { $0.columns.contains(column) }.map { index in
            SchemaStep(
                action ?? .dropColumn(column, table: name), .dropIndex(index.name, table: name, isConcurrent: false),
                sql.dropIndex(index.name, isConcurrent: false), dialect)
        }
        let targets = table.foreignKeys.filter { $0.columns.contains(column) }.map(\.table)
        return rules + indexes + [
            SchemaStep(
                action ?? .dropColumn(column, table: name), .dropColumn(column, table: name, targets: targets),
                "ALTER TABLE \(quoted(name)) DROP COLUMN \(quoted(column))", dialect, losesData: action == nil)
        ]
    }

    /// The statements by which the journal follows what is dropped.
    func dropBookkeeping(_ definitions: [TableDefinition]) -> [String] {
        let journal = quoted(JournalEntry.tableMapping.description.table)
        return allowed.sorted { "\($0)" < "\($1)" }.compactMap { loss in
            switch loss.kind {
            case .table(let table):
                guard snapshot.tables[table] != nil else { return nil }
                return "DELETE FROM \(journal) WHERE \"table_name\" = \(dialect.literal(table))"
            case .column(let column, let table):
                guard snapshot.tables[table]?.columns.contains(where: { $0.name == column }) == true else { return nil }
                return "DELETE FROM \(journal) WHERE \"table_name\" = \(dialect.literal(table)) "
                    + "AND \"column_name\" = \(dialect.literal(column))"
            case .narrowing, .requiring, .wrapping, .unwrapping: return nil
            }
        }
    }
}

extension TableDefinition {
    /// The definition with columns that accept NULL, and that nothing asks to do otherwise.
    fileprivate func keepingNullable(_ table: TableSnapshot, besides alterations: [SchemaDiff.Alteration]) -> Self {
        var definition = self
        for (index, column) in columns.enumerated() where !primaryKey.contains(column.name) {
            let isKept = table.columns.contains { $0.name == column.name && $0.isNullable }
            let isRequired = alterations.contains { $0.column.name == column.name && $0.isNullable == false }
            if isKept, !isRequired { definition.columns[index].isNullable = true }
        }
        return definition
    }
}

extension Set<SchemaLoss> {
    /// The tables that they name.
    var tables: [String] {
        flatMap { loss in
            switch loss.kind {
            case .table(let table), .column(_, let table), .narrowing(_, let table), .requiring(_, let table): [table]
            case .wrapping(_, let table, let array), .unwrapping(let array, _, let table, _): [table, array]
            }
        }
    }
}
