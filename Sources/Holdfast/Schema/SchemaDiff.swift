/// Finds what is missing: the pure difference of what a database has and what the mappings need.
///
/// Renames that the models declare are followed, and columns widened. What loses something is done only if it is
/// allowed by name. Anything else that exists and contradicts the mapping is refused, before anything is done.
struct SchemaDiff {
    let snapshot: SchemaSnapshot
    let journal: SchemaJournal
    let dialect: any Dialect
    var allowed: Set<SchemaLoss> = []
    /// Whether indexes of filled tables are built while others write, if the engine can.
    var buildsIndexesConcurrently = false
    /// Whether nothing is made: only the tables that are adopted are looked at.
    var onlyAdopts = false

    func plan(for definitions: [TableDefinition]) throws -> SchemaPlan {
        if let table = allowed.tables.sorted().first(where: journal.adopted.contains) { throw Self.adopted(table) }
        for definition in definitions { try checkAdoption(definition) }
        if onlyAdopts { return SchemaPlan() }
        try NameCheck.run(definitions.filter { !isAdopted($0) }, dialect)
        var renames = SchemaRenames(snapshot, journal, dialect)
        try renames.follow(definitions)
        var renamed = SchemaDiff(
            snapshot: renames.snapshot, journal: renames.journal, dialect: dialect, allowed: allowed)
        renamed.buildsIndexesConcurrently = buildsIndexesConcurrently
        var plan = try renamed.planWithoutRenames(for: definitions)
        plan.steps = renames.steps + plan.steps
        plan.bookkeeping = renames.bookkeeping + plan.bookkeeping
        return plan
    }

    private func planWithoutRenames(for definitions: [TableDefinition]) throws -> SchemaPlan {
        var steps: [SchemaStep] = []
        let moves = try moves(definitions.filter { !isAdopted($0) })
        var bookkeeping = dropBookkeeping(definitions) + moves.bookkeeping
        var (rebuildsTables, silentChanges) = (false, [SchemaChange]())
        // What needs all tables and columns.
        var keys: [SchemaStep] = []
        let all = definitions
        let definitions = all.filter { !isAdopted($0) }
        for definition in definitions { try checkReferences(of: definition) }
        for definition in definitions { try checkGenerated(definition) }
        for definition in definitions { try checkDocuments(definition) }
        for definition in definitions where snapshot.tables[definition.name] == nil { try checkKey(of: definition) }
        let created = creationOrder(definitions.filter { snapshot.tables[$0.name] == nil })
        var missing = Set(created.map(\.name))
        for definition in created {
            missing.remove(definition.name)
            // A reference of the table to itself by another unique key waits for the index of that key.
            let later =
                dialect.canAlterForeignKeys
                ? definition.foreignKeys.filter { key in
                    key.schema == nil && missing.contains(key.table)
                        || key.table == definition.name && key.targetColumns != definition.primaryKey
                } : []
            steps += creation(of: definition, without: later)
            keys += later.map { keyStep($0, definition) }
        }
        for definition in definitions {
            guard let table = snapshot.tables[definition.name] else { continue }
            let (columnSteps, indexSteps) = try additions(to: table, definition)
            steps += columnSteps
            let alterations = try alterations(of: table, definition)
            bookkeeping += alterations.compactMap { self.bookkeeping($0, definition) }
            if needsRebuild(alterations, table, definition) {
                rebuildsTables = true
                steps += try rebuild(table, definition, alterations)
            } else {
                steps += alterations.flatMap { self.steps(for: $0, table) }
                silentChanges += alterations.filter { self.steps(for: $0, table).isEmpty }
                    .flatMap { changes(of: $0, table.name) }
                keys += try keySteps(for: table, definition)
            }
            steps += indexSteps
        }
        // At the end, since a table that is made anew takes all its columns and indexes along.
        steps +=
            moves.steps + keys + deleteRuleSteps(all) + (try logSteps(definitions))
            + (try dropSteps(definitions))
        // Nobody else uses a table that is new.
        let new = Set(created.map(\.name))
        steps = steps.map { $0.withoutEffects(on: new) }
        var plan = SchemaPlan(steps: steps.filter(\.isTransactional) + steps.filter { !$0.isTransactional })
        (plan.bookkeeping, plan.rebuildsTables, plan.silentChanges) = (bookkeeping, rebuildsTables, silentChanges)
        return plan
    }

    /// Refuses to make what the database is to compute, which the mapping does not say how.
    private func checkGenerated(_ definition: TableDefinition) throws {
        let existing = snapshot.tables[definition.name]?.columns.map(\.name) ?? []
        guard let column = definition.columns.first(where: { $0.isGenerated && !existing.contains($0.name) }) else {
            return
        }
        throw conflict(
            definition,
            "The database is to compute its column \"\(column.name)\", and the mapping does not say how. Create the table by SQL, and adopt it",
            [column.property])
    }

    /// Refuses indexes of values inside documents where the driver can't look into them.
    private func checkDocuments(_ definition: TableDefinition) throws {
        guard dialect.documents == nil, definition.indexes.contains(where: { $0.terms.contains { $0.document != nil } })
        else { return }
        throw DatabaseError(
            .unsupported,
            "The driver can't look into documents, so that the table \"\(definition.name)\" can't have an index of a value in one.",
            table: definition.name)
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
        var table = definition
        table.foreignKeys.removeAll(where: later.contains)
        let create = SchemaStep(
            .createTable(definition), .createTable(table), sql.createTable(definition, without: later), dialect)
        return [create] + definition.indexes.map { indexStep($0, definition, isConcurrent: false) }
    }

    private func indexStep(_ index: IndexDefinition, _ definition: TableDefinition, isConcurrent: Bool) -> SchemaStep {
        let nullable = Set(definition.columns.filter(\.isNullable).map(\.name))
        return SchemaStep(
            .createIndex(index, table: definition.name),
            .createIndex(index, table: definition.name, isConcurrent: isConcurrent),
            sql.createIndex(index, on: definition.name, nullable: nullable, isConcurrent: isConcurrent), dialect)
    }

    /// Builds an index of a table that exists, in place of one of its name that was left half-built.
    private func indexSteps(
        _ index: IndexDefinition, _ table: TableSnapshot, _ definition: TableDefinition
    ) -> [SchemaStep] {
        let isConcurrent =
            buildsIndexesConcurrently && dialect.concurrentIndexes != nil && table.hasRows
            && table.allowsConcurrentIndexes
        let creation = indexStep(index, definition, isConcurrent: isConcurrent)
        guard table.indexes.contains(where: { $0.name == index.name && !$0.isValid }) else { return [creation] }
        let drop = SchemaStep(
            .dropIndex(index.name, table: definition.name),
            .dropIndex(index.name, table: definition.name, isConcurrent: isConcurrent),
            sql.dropIndex(index.name, isConcurrent: isConcurrent), dialect)
        return [drop, creation]
    }

    private func additions(
        to table: TableSnapshot, _ definition: TableDefinition
    ) throws -> (columnSteps: [SchemaStep], indexSteps: [SchemaStep]) {
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
        return (steps, indexes.flatMap { indexSteps($0, table, definition) })
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
        let key = key(of: column, in: definition)
        return SchemaStep(
            .addColumn(column, table: definition.name), .addColumn(column, table: definition.name, key: key),
            sql.addColumn(column, to: definition.name, isEmpty: !table.hasRows, with: key), dialect)
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
            guard index.isValid else { return false }
            return index.name == definition.name
                || definition.isPlain && !index.isPartial && index.columns == definition.columns
                    && (index.isUnique || !definition.isUnique)
        }
    }
}

extension SchemaStep {
    /// The step without what it does to tables that are new.
    fileprivate func withoutEffects(on new: Set<String>) -> SchemaStep {
        var step = self
        step.effects.locks.removeAll { $0.table.map(new.contains) ?? false }
        if let table = consequences.first?.table, new.contains(table) {
            (step.effects.scansTable, step.effects.rewritesTable) = (false, false)
        }
        return step
    }
}
