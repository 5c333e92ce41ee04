/// Finds what is missing: the pure difference of what a database has and what the mappings need.
///
/// No table, column or index is dropped or changed: what exists and contradicts the mapping is refused, before anything
/// is done. Only what is done on deletion follows the mapping, as far as the engine lets it.
struct SchemaDiff {
    let snapshot: SchemaSnapshot
    let journal: SchemaJournal
    let dialect: any Dialect

    func plan(for definitions: [TableDefinition]) throws -> SchemaPlan {
        try NameCheck.run(definitions, dialect)
        var steps: [SchemaStep] = []
        // What needs all tables and columns.
        var keys: [SchemaStep] = []
        let created = creationOrder(definitions.filter { snapshot.tables[$0.name] == nil })
        var missing = Set(created.map(\.name))
        for definition in created {
            missing.remove(definition.name)
            let later = dialect.canAlterForeignKeys ? definition.foreignKeys.filter { missing.contains($0.table) } : []
            steps += creation(of: definition, without: later)
            keys += later.map { keyStep($0, definition, locksRows: false) }
        }
        for definition in definitions {
            guard let table = snapshot.tables[definition.name] else { continue }
            steps += try additions(to: table, definition)
            keys += try keySteps(for: table, definition)
        }
        return SchemaPlan(steps: steps + keys + deleteRuleSteps(definitions))
    }

    var sql: SchemaSQL { SchemaSQL(dialect: dialect) }

    private func creation(of definition: TableDefinition, without later: [ForeignKeyDefinition]) -> [SchemaStep] {
        [
            SchemaStep(
                action: .createTable(definition), sql: sql.createTable(definition, without: later), losesData: false,
                locksRows: false)
        ] + definition.indexes.map { indexStep($0, definition, locksRows: false) }
    }

    private func indexStep(_ index: IndexDefinition, _ definition: TableDefinition, locksRows: Bool) -> SchemaStep {
        let nullable = Set(definition.columns.filter(\.isNullable).map(\.name))
        return SchemaStep(
            action: .createIndex(index, table: definition.name),
            sql: sql.createIndex(index, on: definition.name, nullable: nullable), losesData: false, locksRows: locksRows
        )
    }

    private func additions(to table: TableSnapshot, _ definition: TableDefinition) throws -> [SchemaStep] {
        guard table.primaryKey == definition.primaryKey else {
            throw conflict(
                definition,
                "Its primary key is (\(table.primaryKey.joined(separator: ", "))), but the mapping needs (\(definition.primaryKey.joined(separator: ", ")))",
                definition.primaryKey)
        }
        var steps: [SchemaStep] = []
        for column in definition.columns {
            if let existing = table.columns.first(where: { $0.name == column.name }) {
                try check(existing, column, definition)
            } else {
                steps.append(try addition(of: column, to: table, definition))
            }
        }
        for index in definition.indexes where !table.has(index) {
            steps.append(indexStep(index, definition, locksRows: table.hasRows))
        }
        return steps
    }

    /// Whether a column that exists can hold what the property needs.
    private func check(_ existing: ColumnSnapshot, _ column: ColumnDefinition, _ definition: TableDefinition) throws {
        let expected = dialect.storedTypeName(column.type)
        guard existing.typeName.lowercased() == expected.lowercased() else {
            throw conflict(
                definition,
                "Its column \"\(column.name)\" is of type \(existing.typeName), but the mapping needs \(expected)",
                [column.property])
        }
        // The engine may tell apart less than the mapping: what wrote the column is in the journal.
        guard let recorded = journal.entry(table: definition.name, column: column.name), recorded != .init(column)
        else { return }
        throw conflict(
            definition,
            "Its column \"\(column.name)\" was created for \(recorded.description), but the mapping needs \(JournalEntry.Contents(column).description)",
            [column.property])
    }

    private func addition(
        of column: ColumnDefinition, to table: TableSnapshot, _ definition: TableDefinition
    ) throws -> SchemaStep {
        if let near = table.columns.first(where: { $0.name.lowercased() == column.name.lowercased() }) {
            throw conflict(
                definition, "It has a column \"\(near.name)\", which differs from \"\(column.name)\" only in case",
                [column.property])
        }
        guard column.isNullable || column.defaultValue != nil || !table.hasRows else {
            throw conflict(
                definition,
                "It has rows, so the new column \"\(column.name)\" needs a constant default, or its property has to be optional",
                [column.property])
        }
        return SchemaStep(
            action: .addColumn(column, table: definition.name),
            sql: sql.addColumn(
                column, to: definition.name, isEmpty: !table.hasRows, with: key(of: column, in: definition)),
            losesData: false, locksRows: table.hasRows)
    }

    func conflict(_ definition: TableDefinition, _ sentence: String, _ properties: [String]) -> DatabaseError {
        DatabaseError(
            .conflict, "The table \"\(definition.name)\" can't be migrated. \(sentence). Nothing was changed.",
            table: definition.name, properties: properties)
    }
}

extension TableSnapshot {
    /// Whether an index of the same columns exists that does what `definition` asks, whatever its name.
    fileprivate func has(_ definition: IndexDefinition) -> Bool {
        indexes.contains { index in
            index.name == definition.name
                || !index.isPartial && index.columns == definition.columns && (index.isUnique || !definition.isUnique)
        }
    }
}
