import Foundation
import Logging

/// Makes a database what the mappings need: plans, and applies the plan under the schema lock.
struct Migrator {
    let core: DatabaseCore
    let descriptions: [TableDescription]
    /// The named migrations; nil if the program does not say which there are.
    var migrations: [Migration]?
    /// The types whose tables are somebody else's.
    var adopting: [TableDescription] = []
    /// The types whose changes are logged though they don't say so.
    var logging: [TableDescription] = []
    /// The indexes that types get besides those that they declare.
    var indexing: [(description: TableDescription, index: TableIndex)] = []
    /// Whether nothing is made: the tables of those types are adopted, and that is all.
    var onlyAdopts = false
    /// The losses that the program allows.
    var allowed: Set<SchemaLoss> = []
    /// The version of the program's schema; nil if it does not count versions.
    var version: Int?
    /// Whether indexes of filled tables are built outside of the transaction, while others write.
    var buildsIndexesConcurrently = false

    /// The tables of all mappings and of those that their relations lead to, each once, in the order given; without
    /// those of other schemas, which nobody migrates.
    func definitions() throws -> [TableDefinition] { try allDefinitions().filter { $0.schema == nil } }

    func allDefinitions() throws -> [TableDefinition] {
        var definitions: [TableDefinition] = []
        var seen = Set<ObjectIdentifier>()
        let all = onlyAdopts ? adopting : (adopting + descriptions).flatMap(\.reachable)
        for description in all where seen.insert(ObjectIdentifier(description)).inserted {
            try description.validate()
            // What is only read may be anything.
            if description.isReadOnly, !adopting.contains(where: { $0 === description }) { continue }
            let added = try addedIndexes(of: description)
            definitions += description.definitions.map { definition in
                var definition = definition
                if definition.logged.log == .none, logging.contains(where: { $0 === description }) {
                    definition.logged.log = .changes
                }
                for index in added where definition.name == description.tableName.name {
                    if !definition.indexes.contains(where: { $0.name == index.name }) {
                        definition.indexes.append(index)
                    }
                }
                return definition
            }
        }
        try requireIndexed(seen)
        return definitions
    }

    /// Refuses indexes for types of which no table is made, which would be lost without a word.
    private func requireIndexed(_ seen: Set<ObjectIdentifier>) throws {
        for (description, _) in indexing where !seen.contains(ObjectIdentifier(description)) || description.isReadOnly {
            throw DatabaseError(
                .conflict, "The schema has indexes for \(description.type), and makes no table for it.",
                table: description.table)
        }
    }

    private func addedIndexes(of description: TableDescription) throws -> [IndexDefinition] {
        try indexing.filter { $0.description === description }.map { _, index in
            if let problem = index.problems(with: description.properties, of: description.type).first {
                throw DatabaseError(
                    .conflict, problem.sentence, table: description.table, properties: problem.properties)
            }
            return IndexDefinition(index, of: description)
        }
    }

    /// Returns the plan of the migration without running it.
    func plan() async throws -> SchemaPlan {
        let definitions = try definitions()
        return try await DatabaseAccess(kind: .database(core)).perform(.read, purpose: "migrate") { session, _ in
            let diff = try await makeDiff(session, definitions)
            // Before the difference: a database without any of the tables only notes them as done.
            let pending = try await pending(session, diff.snapshot)
            guard !pending.isEmpty, !isNew(diff) else { return try diff.plan(for: definitions) }
            func steps(_ phase: Migration.Phase) throws -> [SchemaStep] {
                try pending.filter { $0.phase == phase }.flatMap { try $0.plannedSteps(core.dialect, diff.snapshot) }
            }
            let before = try steps(.beforeTypes)
            var plan = SchemaPlan()
            do {
                plan = try diff.plan(for: definitions)
            } catch let error as DatabaseError where error.code == .conflict && !before.isEmpty {
                // A migration may be what makes the rest possible.
            }
            plan.steps =
                before + plan.steps.filter { !$0.drops } + (try steps(.afterTypes)) + plan.steps.filter(\.drops)
            return plan
        }
    }

    /// Plans; and if something is to be done, plans again under the lock and does it, in one transaction.
    ///
    /// - Returns: The plan that was run.
    func run() async throws -> SchemaPlan {
        // Before the lock, which such a task would wait for as well.
        try CurrentLease.check(core.id)
        let definitions = try definitions()
        try refuseConcurrentIndexes()
        // Those of this database wait here for each other, with no connection in their hands.
        return try await core.migrationLock.withLock {
            if try await isDone(definitions) { return SchemaPlan() }
            var (steps, needsIndexes) = ([SchemaStep](), false)
            // Making a table anew takes a transaction of its own, in which foreign keys are not enforced.
            for rebuild in [nil, core.dialect.tableRebuild] {
                let (plan, needsRebuild) = try await takingTurns { hasTurn in
                    try await Database(core: core).run(.readCommitted, for: "migrate", within: rebuild) { transaction in
                        hasTurn = true
                        try await lock(transaction.scope.session)
                        try await limitWaits(transaction.scope.session)
                        return try await apply(definitions, transaction, mayRebuild: rebuild != nil)
                    }
                }
                steps += plan.steps.filter(\.isTransactional)
                needsIndexes = plan.steps.contains { !$0.isTransactional }
                if !needsRebuild { break }
            }
            if needsIndexes { steps += try await ConcurrentIndexBuild(migrator: self).run(definitions) }
            return SchemaPlan(steps: steps)
        }
    }

    /// Whether nothing is to be done, as far as can be seen without the lock.
    private func isDone(_ definitions: [TableDefinition]) async throws -> Bool {
        do {
            return try await takingTurns { _ in
                try await DatabaseAccess(kind: .database(core)).perform(.read, purpose: "migrate") { session, _ in
                    let diff = try await makeDiff(session, definitions)
                    if try await isBehind(session, diff.snapshot) { return false }
                    // Before the plan: a migration may be what makes one possible.
                    let pending = try await pending(session, diff.snapshot)
                    if !pending.isEmpty { return false }
                    let plan = try diff.plan(for: definitions)
                    return plan.isEmpty && plan.bookkeeping.isEmpty && diff.journal.adoptions.isEmpty
                        && (onlyAdopts || diff.journal.missing(definitions, in: diff.snapshot).isEmpty)
                }
            }
        } catch let error as DatabaseError where error.code == .notMigrated || error.code == .conflict {
            // Others may be renaming tables between one statement and the next. Under the lock, nobody does.
            return false
        }
    }

    /// Refuses to build indexes concurrently where others can write meanwhile, but the driver can't build them so.
    private func refuseConcurrentIndexes() throws {
        guard buildsIndexesConcurrently, core.capabilities.hasConcurrentWriters,
            !core.capabilities.buildsIndexesConcurrently
        else { return }
        throw DatabaseError(
            .unsupported,
            "Indexes can't be built concurrently here: whoever builds needs a session of its own, which a transaction "
                + "pooler does not give. Migrate over a connection to the server itself. Nothing was changed.")
    }

    func makeDiff(_ session: Session, _ definitions: [TableDefinition]) async throws -> SchemaDiff {
        try await OtherSchemas(core: core, definitions: allDefinitions()).check(session)
        let named = (migrations?.flatMap(\.tables) ?? []) + allowed.tables + definitions.flatMap(\.formerNames)
        let snapshot = try await session.lease.connection.snapshot(
            of: Set(definitions.map(\.name) + named).union(SchemaJournal.tables).sorted())
        var journal = SchemaJournal(
            try await all(JournalEntry.self, session, snapshot),
            adopted: Set(try await all(AdoptedTable.self, session, snapshot).map(\.table)))
        for description in adopting { try journal.adopt(description, in: snapshot) }
        return SchemaDiff(
            snapshot: snapshot, journal: journal, dialect: core.dialect, allowed: allowed,
            buildsIndexesConcurrently: buildsIndexesConcurrently, onlyAdopts: onlyAdopts)
    }

    /// Whether the database has a smaller version than the program, or none.
    private func isBehind(_ session: Session, _ snapshot: SchemaSnapshot) async throws -> Bool {
        try SchemaVersion.isBehind(version == nil ? nil : try await SchemaVersion.read(session, snapshot), version)
    }

    /// The migrations that the database has not had.
    private func pending(_ session: Session, _ snapshot: SchemaSnapshot) async throws -> [Migration] {
        guard let migrations else { return [] }
        return try migrations.pending(after: try await all(AppliedMigration.self, session, snapshot))
    }

    /// The rows of a table of the library's own; none where it does not exist yet.
    private func all<Record: TableObject & Sendable>(
        _ type: Record.Type, _ session: Session, _ snapshot: SchemaSnapshot
    ) async throws -> [Record] {
        let plan = try core.plan(for: Record.self)
        guard snapshot.tables[plan.description.table]?.hasRows == true else { return [] }
        return try await session.run(plan.statements.selectAll) { rows in
            var records: [Record] = []
            while let cells = try rows.next() {
                records.append(try plan.mapping.decode(Row(cells: cells, layout: plan.description.fullLayout)))
            }
            return records
        }
    }

    /// Does what is to be done.
    ///
    /// - Returns: What was run, and whether a table has to be made anew first, so that nothing else was done.
    private func apply(
        _ definitions: [TableDefinition], _ transaction: Transaction, mayRebuild: Bool
    ) async throws -> (SchemaPlan, needsRebuild: Bool) {
        let session = transaction.scope.session
        var diff = try await makeDiff(session, definitions)
        let isBehind = try await isBehind(session, diff.snapshot)
        (diff.allowed, diff.onlyAdopts) = ([], false)
        try await runSQL(diff.plan(for: SchemaJournal.definitions).steps.map(\.sql), session)
        if definitions.contains(where: { $0.logged.log != .none }) { try await makeLog(diff, transaction) }
        (diff.allowed, diff.onlyAdopts) = (allowed, onlyAdopts)
        let isNew = isNew(diff)
        var done = try await runMigrations(.beforeTypes, diff, isNew: isNew, transaction)
        if !done.isEmpty { diff = try await makeDiff(session, definitions) }
        var renames = SchemaRenames(diff.snapshot, diff.journal, core.dialect)
        if !onlyAdopts { try renames.follow(definitions) }
        if !renames.steps.isEmpty {
            try await runSteps(renames.steps, session)
            try await runSQL(renames.bookkeeping, session)
            done += renames.steps
            diff = try await makeDiff(session, definitions)
        }
        var plan = try diff.plan(for: definitions)
        let needsRebuild = plan.rebuildsTables && !mayRebuild
        if needsRebuild { plan = SchemaPlan() }
        try await check(plan, session)
        try await runSteps(plan.steps.filter { $0.isTransactional && !$0.drops }, session)
        try await runSQL(plan.bookkeeping, session)
        if mayRebuild { try await checkReferences(session) }
        if !needsRebuild {
            if !onlyAdopts { _ = try await transaction.insert(diff.journal.missing(definitions, in: diff.snapshot)) }
            let adoptedAt = Date()
            _ = try await transaction.insert(
                diff.journal.adoptions.map { AdoptedTable(table: $0, adoptedAt: adoptedAt) })
            // Late migrations may move values out of what is dropped.
            if let late = try await runLateMigrations(definitions, isNew: isNew, transaction) {
                plan.steps = plan.steps.filter { !$0.drops } + late
            } else {
                try await runSteps(plan.steps.filter(\.drops), session)
            }
            if isBehind, let version { try await SchemaVersion.write(version, in: transaction) }
        }
        plan.steps = done + plan.steps
        let now = Date()
        _ = try await transaction.insert(
            plan.steps.filter(\.isTransactional).map {
                JournalStatement(id: nil, appliedAt: now, version: holdfastVersion, sql: $0.sql)
            })
        return (plan, needsRebuild)
    }

    /// Makes the tables of the change log, and a new log where the entries are those of another server.
    private func makeLog(_ diff: SchemaDiff, _ transaction: Transaction) async throws {
        guard let changeLog = core.dialect.changeLog else { return }
        let session = transaction.scope.session
        try await runSQL(diff.plan(for: LogTables.definitions).steps.map(\.sql) + changeLog.indexes, session)
        let isForeign = try await session.run(Statement(changeLog.foreignEntries, isCached: false)) {
            try $0.next() != nil
        }
        if isForeign { try await runSQL(changeLog.reset, session) }
        if try await transaction.find(ChangeLogState.self, key: 1) == nil {
            _ = try await transaction.insert([ChangeLogState(id: 1, identity: UUID().uuidString, trimmed: 0)])
        }
    }

    private func runSteps(_ steps: [SchemaStep], _ session: Session) async throws {
        for step in steps {
            do {
                try await runSQL([step.sql], session)
            } catch {
                throw step.naming(error)
            }
        }
    }

    private func runSQL(_ statements: [String], _ session: Session) async throws {
        for sql in statements {
            try await session.run(Statement(sql, isCached: false)) { while try $0.next() != nil {} }
        }
    }

    /// Refuses what values are in the way of.
    private func check(_ plan: SchemaPlan, _ session: Session) async throws {
        for obstacle in plan.steps.flatMap(\.obstacles) {
            let isThere = try await session.run(Statement(obstacle.query, isCached: false)) { try $0.next() != nil }
            if isThere {
                throw DatabaseError(
                    .conflict, obstacle.error, table: obstacle.table, properties: [obstacle.property])
            }
        }
    }

    /// Refuses references that lead nowhere, which foreign keys would have.
    private func checkReferences(_ session: Session) async throws {
        guard let rebuild = core.dialect.tableRebuild else { return }
        let table = try await session.run(Statement(rebuild.violations, isCached: false)) { rows in
            try rows.next().map { String(decoding: $0[0].bytes, as: UTF8.self) }
        }
        guard let table else { return }
        throw DatabaseError(
            .conflict,
            "A row of \"\(table)\" refers to a row that does not exist, so that no table was made anew. "
                + "Nothing was changed.",
            table: table)
    }

    /// Whether the database has none of the tables yet.
    private func isNew(_ diff: SchemaDiff) -> Bool {
        diff.journal.tables.isEmpty
            && diff.snapshot.tables.keys.allSatisfy(SchemaJournal.tables.union(diff.journal.adopted).contains)
    }

    /// Runs the migrations that see the tables of the types, and then does what is left to do.
    ///
    /// - Returns: What was run; nil if there is no such migration.
    private func runLateMigrations(
        _ definitions: [TableDefinition], isNew: Bool, _ transaction: Transaction
    ) async throws -> [SchemaStep]? {
        let session = transaction.scope.session
        let late = (migrations ?? []).filter { $0.phase == .afterTypes }
        if late.isEmpty { return nil }
        let diff = try await makeDiff(session, definitions)
        let done = try await runMigrations(.afterTypes, diff, isNew: isNew, transaction)
        if done.isEmpty { return nil }
        let plan = try await makeDiff(session, definitions).plan(for: definitions)
        let steps = plan.steps.filter(\.isTransactional)
        try await runSteps(steps, session)
        try await runSQL(plan.bookkeeping, session)
        return done + steps
    }

    /// Runs the named migrations of a phase that the database has not had, and notes them.
    ///
    /// - Parameter isNew: Whether the database had no tables, so that there is nothing to migrate.
    /// - Returns: What was run.
    private func runMigrations(
        _ phase: Migration.Phase, _ diff: SchemaDiff, isNew: Bool, _ transaction: Transaction
    ) async throws -> [SchemaStep] {
        let session = transaction.scope.session
        let pending = try await pending(session, diff.snapshot).filter { $0.phase == phase }
        guard !pending.isEmpty else { return [] }
        let known = diff.journal.tables
        if phase == .afterTypes { try pending.forEach { try $0.checkLateSteps() } }
        var steps: [SchemaStep] = []
        if !isNew {
            let tables = Set(diff.snapshot.tables.keys).union(known)
            let snapshot = try await session.lease.connection.snapshot(of: tables.sorted())
            var run = MigrationRun(transaction, snapshot, diff.journal)
            try await run.run(pending)
            steps = run.steps
        }
        let now = Date()
        _ = try await transaction.insert(
            pending.map { AppliedMigration(id: $0.id, checksum: $0.checksum, appliedAt: now) })
        return steps
    }
}

/// The version of this library, as migrations record it.
let holdfastVersion = "0.1.0"
