/// Finds what is missing: the pure difference of what a database has and what the mappings need.
///
/// Nothing is dropped or changed. What exists and contradicts the mapping is refused, before anything is done.
struct SchemaDiff {
    let snapshot: SchemaSnapshot
    let journal: SchemaJournal
    let dialect: any Dialect

    func plan(for definitions: [TableDefinition]) throws -> SchemaPlan {
        try NameCheck.run(definitions)
        var steps: [SchemaStep] = []
        for definition in definitions {
            if let table = snapshot.tables[definition.name] {
                steps += try additions(to: table, definition)
            } else {
                steps += creation(of: definition)
            }
        }
        return SchemaPlan(steps: steps)
    }

    private var sql: SchemaSQL { SchemaSQL(dialect: dialect) }

    private func creation(of definition: TableDefinition) -> [SchemaStep] {
        [
            SchemaStep(
                action: .createTable(definition), sql: sql.createTable(definition), losesData: false, locksRows: false)
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
        for key in definition.foreignKeys where !table.has(key) {
            throw conflict(
                definition, "It has no foreign key to \"\(key.table)\", which the mapping needs", key.columns)
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
            sql: sql.addColumn(column, to: definition.name, isEmpty: !table.hasRows), losesData: false,
            locksRows: table.hasRows)
    }

    private func conflict(_ definition: TableDefinition, _ sentence: String, _ properties: [String]) -> DatabaseError {
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

    fileprivate func has(_ definition: ForeignKeyDefinition) -> Bool {
        foreignKeys.contains {
            $0.columns == definition.columns && $0.table == definition.table
                && $0.targetColumns == definition.targetColumns
        }
    }
}
