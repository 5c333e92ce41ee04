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
        var problems = SchemaProblems()
        let all = onlyAdopts ? adopting : (adopting + descriptions).flatMap(\.reachable)
        for description in all where seen.insert(ObjectIdentifier(description)).inserted {
            try problems.collect { try description.validate() }
            // What is only read may be anything.
            if description.isReadOnly, !adopting.contains(where: { $0 === description }) { continue }
            let added = try problems.collect { try addedIndexes(of: description) } ?? []
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
        try problems.collect { try requireIndexed(seen) }
        try problems.check()
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
            try await forecast(session, definitions)
        }
    }

    /// Plans all that would be run now.
    private func forecast(_ session: Session, _ definitions: [TableDefinition]) async throws -> SchemaPlan {
        let diff = try await makeDiff(session, definitions)
        _ = try await isBehind(session, diff.snapshot)
        let pending = isNew(diff) ? [] : try await pending(session, diff.snapshot)
        // Before the types come those who name the tables of earlier versions.
        let snapshot = pending.isEmpty ? diff.snapshot : try await snapshotForMigrations(session, diff)
        var forecast = MigrationForecast(diff, names: names(definitions), snapshot, definitions, pending)
        return try forecast.run()
    }

    /// Plans; and if something is to be done, plans again under the lock and does it, in one transaction.
    ///
    /// - Parameter script: What has to be run, if anything; nil for whatever is missing.
    /// - Returns: The plan that was run.
    func run(applying script: SchemaScript? = nil) async throws -> SchemaPlan {
        // Before the lock, which such a task would wait for as well.
        try CurrentLease.check(core.id)
        let definitions = try definitions()
        try refuseConcurrentIndexes()
        // Those of this database wait here for each other, with no connection in their hands.
        return try await core.migrationLock.withLock {
            if try await isDone(definitions) { return SchemaPlan() }
            let tempPlan = getenv("HOLDFAST_TEMP") == nil ? nil : try? await plan()  // TEMP
            var (steps, needsIndexes, watch) = ([SchemaStep](), false, script.map(ScriptWatch.init))
            // Making a table anew takes a transaction of its own, in which foreign keys are not enforced.
            for rebuild in [nil, core.dialect.tableRebuild] {
                let (plan, needsRebuild, watchAfterwards) = try await takingTurns { hasTurn in
                    try await Database(core: core).run(.readCommitted, for: "migrate", within: rebuild) { transaction in
                        hasTurn = true
                        try await lock(transaction.scope.session)
                        try await limitWaits(transaction.scope.session)
                        return try await apply(definitions, transaction, mayRebuild: rebuild != nil, watch)
                    }
                }
                watch = watchAfterwards
                watch?.commit()
                steps += plan.steps.filter(\.isTransactional)
                needsIndexes = plan.steps.contains { !$0.isTransactional }
                if !needsRebuild { break }
            }
            if needsIndexes { steps += try await ConcurrentIndexBuild(migrator: self, watch: watch).run(definitions) }
            if let tempPlan, tempPlan.steps.map(\.sql) != steps.map(\.sql) {  // TEMP
                print(
                    "TEMPDIFF known=\(tempPlan.isKnown) unplanned=\(tempPlan.unplanned)\n  planned:",
                    tempPlan.steps.map(\.sql), "\n  done:", steps.map(\.sql))  // TEMP
            }  // TEMP
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
        var problems = try await OtherSchemas(core: core, definitions: allDefinitions()).problems(session)
        let snapshot = try await session.lease.connection.snapshot(of: names(definitions).sorted())
        var journal = SchemaJournal(
            try await all(JournalEntry.self, session, snapshot),
            adopted: Set(try await all(AdoptedTable.self, session, snapshot).map(\.table)))
        for description in adopting { try problems.collect { try journal.adopt(description, in: snapshot) } }
        return SchemaDiff(
            snapshot: snapshot, journal: journal, dialect: core.dialect, allowed: allowed,
            buildsIndexesConcurrently: buildsIndexesConcurrently, onlyAdopts: onlyAdopts, otherProblems: problems)
    }

    /// The names of the tables that the types are compared with.
    private func names(_ definitions: [TableDefinition]) -> Set<String> {
        let named = (migrations?.flatMap(\.tables) ?? []) + allowed.tables + definitions.flatMap(\.formerNames)
        return Set(definitions.map(\.name) + named).union(SchemaJournal.tables)
    }

    /// All tables that named migrations can concern.
    private func snapshotForMigrations(_ session: Session, _ diff: SchemaDiff) async throws -> SchemaSnapshot {
        let tables = Set(diff.snapshot.tables.keys).union(diff.journal.tables)
        return try await session.lease.connection.snapshot(of: tables.sorted())
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
    /// - Parameter watch: Sees to it that just this is done; nil for whatever is missing.
    /// - Returns: What was run, and whether a table has to be made anew first, so that nothing else was done.
    private func apply(
        _ definitions: [TableDefinition], _ transaction: Transaction, mayRebuild: Bool, _ watch: ScriptWatch?
    ) async throws -> (SchemaPlan, needsRebuild: Bool, ScriptWatch?) {
        let session = transaction.scope.session
        var watch = watch
        var diff = try await makeDiff(session, definitions)
        let isBehind = try await isBehind(session, diff.snapshot)
        let own = SchemaDiff(snapshot: diff.snapshot, journal: diff.journal, dialect: core.dialect)
        try await runSQL(own.plan(for: SchemaJournal.definitions).steps.map(\.sql), session)
        if definitions.contains(where: { $0.logged.log != .none }) { try await makeLog(own, transaction) }
        if watch != nil { try watch?.begin(await forecast(session, definitions)) }
        let isNew = isNew(diff)
        var done = try await runMigrations(.beforeTypes, diff, isNew: isNew, transaction, &watch)
        if !done.isEmpty { diff = try await makeDiff(session, definitions) }
        var problems = SchemaProblems()
        var renames = SchemaRenames(diff.snapshot, diff.journal, core.dialect)
        if !onlyAdopts { renames.follow(definitions, &problems) }
        if !renames.steps.isEmpty {
            try await runSteps(renames.steps, session, &watch)
            try await runBookkeeping(renames.bookkeeping, session)
            done += renames.steps
            diff = try await makeDiff(session, definitions)
        }
        var plan = try diff.plan(for: definitions, &problems)
        let needsRebuild = plan.rebuildsTables && !mayRebuild
        // What is committed before the tables are made anew is not done for nothing.
        if !needsRebuild || !done.isEmpty || !problems.isEmpty { try await check(plan, &problems, session) }
        try problems.check()
        if needsRebuild {
            plan = SchemaPlan()
            if watch != nil { try watch?.require(await forecast(session, definitions).steps) }
        }
        try await runSteps(plan.steps.filter { $0.isTransactional && !$0.drops }, session, &watch)
        try await runBookkeeping(plan.bookkeeping, session)
        if mayRebuild { try await checkReferences(session) }
        if !needsRebuild {
            if !onlyAdopts { _ = try await transaction.insert(diff.journal.missing(definitions, in: diff.snapshot)) }
            let adoptedAt = Date()
            _ = try await transaction.insert(
                diff.journal.adoptions.map { AdoptedTable(table: $0, adoptedAt: adoptedAt) })
            // Late migrations may move values out of what is dropped.
            if let late = try await runLateMigrations(definitions, isNew: isNew, transaction, &watch) {
                plan.steps = plan.steps.filter { !$0.drops } + late
            } else {
                try await runSteps(plan.steps.filter(\.drops), session, &watch)
            }
            try watch?.require(plan.steps.filter { !$0.isTransactional })
            if isBehind, let version { try await SchemaVersion.write(version, in: transaction) }
        }
        plan.steps = done + plan.steps
        if mayRebuild { plan.steps = plan.steps.map { $0.inRebuild } }
        let now = Date()
        _ = try await transaction.insert(
            plan.steps.filter(\.isTransactional).map {
                JournalStatement(id: nil, appliedAt: now, version: holdfastVersion, sql: $0.sql)
            })
        return (plan, needsRebuild, watch)
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

    private func runSteps(
        _ steps: [SchemaStep], _ session: Session, _ watch: inout ScriptWatch?
    ) async throws {
        for step in steps {
            try watch?.admit(step)
            do {
                try await runSQL([step.sql], session)
            } catch {
                throw step.naming(error)
            }
        }
    }

    private func runBookkeeping(_ changes: [JournalChange], _ session: Session) async throws {
        try await runSQL(changes.map { $0.sql(core.dialect) }, session)
    }

    private func runSQL(_ statements: [String], _ session: Session) async throws {
        for sql in statements {
            try await session.run(Statement(sql, isCached: false)) { while try $0.next() != nil {} }
        }
    }

    /// Notes what values are in the way of.
    private func check(_ plan: SchemaPlan, _ problems: inout SchemaProblems, _ session: Session) async throws {
        for obstacle in plan.steps.flatMap(\.obstacles) {
            let isThere = try await session.run(Statement(obstacle.query, isCached: false)) { try $0.next() != nil }
            if isThere {
                problems.add(
                    DatabaseError(.conflict, obstacle.error, table: obstacle.table, properties: [obstacle.property]))
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
        _ definitions: [TableDefinition], isNew: Bool, _ transaction: Transaction, _ watch: inout ScriptWatch?
    ) async throws -> [SchemaStep]? {
        let session = transaction.scope.session
        let late = (migrations ?? []).filter { $0.phase == .afterTypes }
        if late.isEmpty { return nil }
        let diff = try await makeDiff(session, definitions)
        let done = try await runMigrations(.afterTypes, diff, isNew: isNew, transaction, &watch)
        if done.isEmpty { return nil }
        let plan = try await makeDiff(session, definitions).plan(for: definitions)
        let steps = plan.steps.filter(\.isTransactional)
        try await runSteps(steps, session, &watch)
        try await runBookkeeping(plan.bookkeeping, session)
        return done + steps
    }

    /// Runs the named migrations of a phase that the database has not had, and notes them.
    ///
    /// - Parameter isNew: Whether the database had no tables, so that there is nothing to migrate.
    /// - Returns: What was run.
    private func runMigrations(
        _ phase: Migration.Phase, _ diff: SchemaDiff, isNew: Bool, _ transaction: Transaction,
        _ watch: inout ScriptWatch?
    ) async throws -> [SchemaStep] {
        let session = transaction.scope.session
        let pending = try await pending(session, diff.snapshot).filter { $0.phase == phase }
        guard !pending.isEmpty else { return [] }
        if phase == .afterTypes { try pending.forEach { try $0.checkLateSteps() } }
        var steps: [SchemaStep] = []
        if !isNew {
            let snapshot = try await snapshotForMigrations(session, diff)
            var run = MigrationRun(transaction, snapshot, diff.journal, watch)
            try await run.run(pending)
            (steps, watch) = (run.steps, run.watch)
        }
        let now = Date()
        _ = try await transaction.insert(
            pending.map { AppliedMigration(id: $0.id, checksum: $0.checksum, appliedAt: now) })
        return steps
    }
}

/// The version of this library, as migrations record it.
let holdfastVersion = "0.1.0"
