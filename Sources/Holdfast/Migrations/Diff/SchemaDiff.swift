/// Finds what is missing: the pure difference of what a database has and what the mappings need.
///
/// Renames that the models declare are followed, and columns widened. What loses something is done only if it is
/// allowed by name. Anything else that exists and contradicts the mapping is refused, before anything is done.
struct SchemaDiff {
    var snapshot: SchemaTables
    var journal: SchemaJournal
    let dialect: any Dialect
    var allowed: Set<SchemaLoss> = []
    /// Whether indexes of filled tables are built while others write, if the engine can.
    var buildsIndexesConcurrently = false
    /// Whether nothing is made: only the tables that are adopted are looked at.
    var onlyAdopts = false
    /// Problems with tables that are not compared here: those of other schemas, and those to be adopted.
    var otherProblems = SchemaProblems()
    /// The names that the migrations of the program give up.
    var knownNames = PastNames()

    /// Plans what is missing.
    ///
    /// - Throws: One error about all contradictions.
    func plan(for definitions: [TableDefinition]) throws -> SchemaPlan {
        var problems = SchemaProblems()
        let plan = try plan(for: definitions, &problems)
        try problems.check()
        return plan
    }

    /// Plans what is missing, as far as nothing is in the way, and notes what is.
    func plan(for definitions: [TableDefinition], _ problems: inout SchemaProblems) throws -> SchemaPlan {
        problems.add(otherProblems)
        for table in allowed.tables.sorted() {
            if journal.adopted.contains(table) { problems.add(Self.adopted(table)) }
            try problems.collect { try SchemaJournal.refuse(table) }
        }
        for definition in definitions { checkAdoption(definition, &problems) }
        if onlyAdopts { return SchemaPlan() }
        NameCheck.check(definitions.filter { !isAdopted($0) }, dialect, &problems)
        var renames = SchemaRenames(snapshot, journal, dialect)
        renames.follow(definitions, &problems)
        var renamed = self
        (renamed.snapshot, renamed.journal) = (renames.snapshot, renames.journal)
        var plan = try renamed.planWithoutRenames(for: definitions, &problems)
        let unknown = definitions.map(\.name).filter { name in
            snapshot.tables[name] != nil && !journal.tables.contains(name) && !journal.adopted.contains(name)
        }
        problems.advise(adopting: Set(unknown))
        plan.steps = renames.steps + plan.steps
        plan.bookkeeping = renames.bookkeeping + plan.bookkeeping
        return plan
    }

    private func planWithoutRenames(
        for definitions: [TableDefinition], _ problems: inout SchemaProblems
    ) throws -> SchemaPlan {
        var steps: [SchemaStep] = []
        try problems.collect { try checkPastNames(definitions.filter { !isAdopted($0) }) }
        try problems.collect { try checkLosses(definitions) }
        let moves = try moves(definitions.filter { !isAdopted($0) }, &problems)
        var bookkeeping = dropBookkeeping() + moves.bookkeeping
        var (rebuildsTables, silentChanges, remade) = (false, [SchemaChange](), [DatabaseSchema.Table]())
        // What needs all tables and columns.
        var keys: [SchemaStep] = []
        let all = definitions
        let definitions = all.filter { !isAdopted($0) }
        for definition in definitions { checkReferences(of: definition, &problems) }
        for definition in definitions { checkGenerated(definition, &problems) }
        for definition in definitions { try problems.collect { try checkDocuments(definition) } }
        for definition in definitions where snapshot.tables[definition.name] == nil {
            try problems.collect { try checkKey(of: definition) }
        }
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
            let (columnSteps, indexSteps) = try additions(to: table, definition, &problems)
            steps += columnSteps
            let alterations = try alterations(of: table, definition, &problems)
            bookkeeping += alterations.compactMap { self.bookkeeping($0, definition) }
            if needsRebuild(alterations, table, definition) {
                rebuildsTables = true
                if let rebuild = rebuild(table, definition, alterations, &problems) {
                    steps += rebuild.steps
                    remade.append(rebuild.result)
                }
            } else {
                steps += alterations.flatMap { self.steps(for: $0, table) }
                silentChanges += alterations.filter { self.steps(for: $0, table).isEmpty }
                    .flatMap { changes(of: $0, table.name) }
                steps += checkSteps(table, definition)
                keys += try keySteps(for: table, definition, &problems)
            }
            steps += indexSteps
        }
        // At the end, since a table that is made anew takes all its columns and indexes along.
        steps +=
            moves.steps + keys + deleteRuleSteps(all) + (try logSteps(definitions, &problems))
            + searchSteps(definitions, &problems)
            + moves.drops + (try dropSteps(definitions, &problems))
        // Nobody else uses a table that is new.
        let new = Set(created.map(\.name))
        steps = steps.map { $0.withoutEffects(on: new) }
        var plan = SchemaPlan(steps: steps.filter(\.isTransactional) + steps.filter { !$0.isTransactional })
        (plan.bookkeeping, plan.rebuildsTables, plan.silentChanges) = (bookkeeping, rebuildsTables, silentChanges)
        plan.remade = remade
        return plan
    }

    /// Refuses to make what the database is to compute, which the mapping does not say how.
    private func checkGenerated(_ definition: TableDefinition, _ problems: inout SchemaProblems) {
        let existing = snapshot.tables[definition.name]?.columns.map(\.name) ?? []
        for column in definition.columns where column.isGenerated && !existing.contains(column.name) {
            problems.add(
                conflict(
                    definition,
                    "The database is to compute its column \"\(column.name)\", and the mapping does not say how. Create the table by SQL, and adopt it",
                    [column.property]))
        }
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
            SchemaStatement(.createTable(table)), sql.createTable(definition, without: later), dialect,
            for: .createTable(definition))
        return [create] + definition.indexes.map { indexStep($0, definition, isConcurrent: false) }
    }

    private func indexStep(_ index: IndexDefinition, _ definition: TableDefinition, isConcurrent: Bool) -> SchemaStep {
        let nullable = Set(definition.columns.filter(\.isNullable).map(\.name))
        return SchemaStep(
            SchemaStatement(.createIndex(index, table: definition.name), isConcurrent: isConcurrent),
            sql.createIndex(index, on: definition.name, nullable: nullable, isConcurrent: isConcurrent), dialect)
    }

    /// Builds an index of a table that exists, in place of one of its name that was left half-built.
    private func indexSteps(
        _ index: IndexDefinition, _ table: DatabaseSchema.Table, _ definition: TableDefinition
    ) -> [SchemaStep] {
        let isConcurrent =
            buildsIndexesConcurrently && dialect.concurrentIndexes != nil && table.hasRows
            && table.allowsConcurrentIndexes
        let creation = indexStep(index, definition, isConcurrent: isConcurrent)
        guard table.indexes.contains(where: { $0.name == index.name && !$0.isValid }) else { return [creation] }
        let drop = SchemaStep(
            SchemaStatement(.dropIndex(index.name, table: definition.name), isConcurrent: isConcurrent),
            sql.dropIndex(index.name, isConcurrent: isConcurrent), dialect)
        return [drop, creation]
    }

    private func additions(
        to table: DatabaseSchema.Table, _ definition: TableDefinition, _ problems: inout SchemaProblems
    ) throws -> (columnSteps: [SchemaStep], indexSteps: [SchemaStep]) {
        if table.keyColumns != definition.primaryKey {
            problems.add(
                conflict(
                    definition,
                    "Its primary key is (\(table.keyColumns.joined(separator: ", "))), but the mapping needs (\(definition.primaryKey.joined(separator: ", ")))",
                    definition.primaryKey))
        }
        // What the database is to compute is refused elsewhere.
        let missing = definition.columns.filter { column in
            !column.isGenerated && !table.columns.contains { $0.name == column.name }
        }
        let steps = try missing.compactMap { column in
            try problems.collect { try addition(of: column, to: table, definition) }
        }
        let indexes = definition.indexes.filter { !table.has($0) }
        return (steps, indexes.flatMap { indexSteps($0, table, definition) })
    }

    private func addition(
        of column: ColumnDefinition, to table: DatabaseSchema.Table, _ definition: TableDefinition
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
        var step = SchemaStep(
            SchemaStatement(.addColumn(column, table: definition.name)),
            sql.addColumn(column, to: definition.name, with: key), dialect)
        step.key = key
        return step
    }

    func conflict(_ definition: TableDefinition, _ sentence: String, _ properties: [String]) -> DatabaseError {
        DatabaseError(
            .conflict, "The table \"\(definition.name)\" can't be migrated. \(sentence). Nothing was changed.",
            table: definition.name, properties: properties)
    }
}

extension DatabaseSchema.Table {
    /// Whether an index of the same columns exists that does what `definition` asks, whatever its name.
    fileprivate func has(_ definition: IndexDefinition) -> Bool {
        allIndexes.contains { index in
            guard index.isValid else { return false }
            return index.name == definition.name
                || definition.isPlain && index.columns == definition.columns
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
