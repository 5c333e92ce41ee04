/// Finds what is missing: the pure difference of what a database has and what the mappings need.
///
/// Renames that the models declare are followed, and columns widened. What loses something is done only if it is
/// allowed by name. Anything else that exists and contradicts the mapping is refused, before anything is done.
struct SchemaDiff {
    let snapshot: SchemaSnapshot
    let journal: SchemaJournal
    let dialect: any Dialect
    var allowed: Set<SchemaLoss> = []
    /// Whether nothing is made: only the tables that are adopted are looked at.
    var onlyAdopts = false

    func plan(for definitions: [TableDefinition]) throws -> SchemaPlan {
        if let table = allowed.tables.sorted().first(where: journal.adopted.contains) { throw Self.adopted(table) }
        for definition in definitions { try checkAdoption(definition) }
        if onlyAdopts { return SchemaPlan() }
        try NameCheck.run(definitions.filter { !isAdopted($0) }, dialect)
        var renames = SchemaRenames(snapshot, journal, dialect)
        try renames.follow(definitions)
        let renamed = SchemaDiff(
            snapshot: renames.snapshot, journal: renames.journal, dialect: dialect, allowed: allowed)
        var plan = try renamed.planWithoutRenames(for: definitions)
        plan.steps = renames.steps + plan.steps
        plan.bookkeeping = renames.bookkeeping + plan.bookkeeping
        return plan
    }

    private func planWithoutRenames(for definitions: [TableDefinition]) throws -> SchemaPlan {
        var steps = try dropSteps(definitions)
        var bookkeeping = dropBookkeeping(definitions)
        var rebuildsTables = false
        // What needs all tables and columns.
        var keys: [SchemaStep] = []
        let all = definitions
        let definitions = all.filter { !isAdopted($0) }
        for definition in definitions { try checkReferences(of: definition) }
        for definition in definitions where snapshot.tables[definition.name] == nil { try checkKey(of: definition) }
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
            let (columns, indexes) = try additions(to: table, definition)
            steps += columns
            let alterations = try alterations(of: table, definition)
            bookkeeping += alterations.compactMap { self.bookkeeping($0, definition) }
            if needsRebuild(alterations, table, definition) {
                rebuildsTables = true
                steps += try rebuild(table, definition, alterations)
            } else {
                steps += alterations.flatMap { self.steps(for: $0, table) }
                keys += try keySteps(for: table, definition)
            }
            steps += indexes
        }
        var plan = SchemaPlan(steps: steps + keys + deleteRuleSteps(all))
        (plan.bookkeeping, plan.rebuildsTables) = (bookkeeping, rebuildsTables)
        return plan
    }

    /// Refuses to make a table whose keys are of a type of which the engine makes none.
    private func checkKey(of definition: TableDefinition) throws {
        guard definition.hasGeneratedKey,
            let key = definition.columns.first(where: { definition.primaryKey == [$0.name] }),
            dialect.generatedKeyDefinition(key.type) == nil
        else { return }
        throw conflict(
            definition,
            "The engine makes no keys of the type of \"\(key.property)\". Give it an integer or a UUID, make the keys yourself, or adopt a table whose column has a default",
            [key.property])
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

    private func additions(
        to table: TableSnapshot, _ definition: TableDefinition
    ) throws -> (columns: [SchemaStep], indexes: [SchemaStep]) {
        guard table.primaryKey == definition.primaryKey else {
            throw conflict(
                definition,
                "Its primary key is (\(table.primaryKey.joined(separator: ", "))), but the mapping needs (\(definition.primaryKey.joined(separator: ", ")))",
                definition.primaryKey)
        }
        var steps: [SchemaStep] = []
        for column in definition.columns {
            if !table.columns.contains(where: { $0.name == column.name }) {
                steps.append(try addition(of: column, to: table, definition))
            }
        }
        let indexes = definition.indexes.filter { !table.has($0) }
        return (steps, indexes.map { indexStep($0, definition, locksRows: table.hasRows) })
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
