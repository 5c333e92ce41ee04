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
    /// What is made besides the tables.
    var additions: [SchemaAddition] = []
    /// The version of the program's schema; nil if it does not count versions.
    var version: Int?
    /// The earliest version of the program that can use the database afterwards; nil for no earlier one.
    var acceptsProgramsFrom: Int?
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
        try problems.collect { try requireLogged(seen) }
        try problems.check()
        return definitions
    }

    /// Refuses to log types of which no table is made, whose changes would be lost without a word.
    private func requireLogged(_ seen: Set<ObjectIdentifier>) throws {
        for description in logging where !seen.contains(ObjectIdentifier(description)) || description.isReadOnly {
            throw DatabaseError(
                .conflict, "The schema logs \(description.type), and makes no table for it.",
                table: description.table)
        }
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
        let states = try await additionStates()
        return try await DatabaseAccess(kind: .database(core)).perform(.read, purpose: "migrate") { session, _ in
            try await forecast(session, definitions, states)
        }
    }

    /// Plans all that would be run now.
    ///
    /// - Parameter states: What the database has of the additions.
    private func forecast(
        _ session: Session, _ definitions: [TableDefinition], _ states: [SchemaAdditions.State]
    ) async throws -> SchemaPlan {
        let diff = try await makeDiff(session, definitions)
        let found = try await SchemaVersion.read(session, diff.snapshot)
        if try SchemaVersion.standing(of: versions(), to: found) == .accepted { return SchemaPlan() }
        let pending = try await pending(session, diff.snapshot)
        // Before the types come those who name the tables of earlier versions.
        let snapshot = pending.isEmpty ? diff.snapshot : try await snapshotForMigrations(session, diff)
        var forecast = try MigrationForecast(
            diff, names: names(definitions), snapshot, definitions,
            PlannedAdditions(try SchemaAdditions(additions, core.dialect), states), pending, isNew: isNew(diff))
        let plan = try forecast.run()
        try plan.checkAcceptance(versions(), found?.upperBound)
        return plan
    }

    /// The versions from the earliest that the schema accepts to its own.
    private func versions() throws -> ClosedRange<Int>? {
        try SchemaVersion.versions(version, acceptsProgramsFrom: acceptsProgramsFrom)
    }

    /// Plans; and if something is to be done, plans again under the lock and does it, in one transaction.
    ///
    /// - Parameter script: What has to be run, if anything; nil for whatever is missing.
    /// - Returns: The plan that was run.
    func run(applying script: SchemaScript? = nil) async throws -> SchemaPlan {
        // Before the lock, which such a task would wait for as well.
        try CurrentLease.check(core.id)
        let definitions = try definitions()
        core.knownTables.note((adopting + descriptions).flatMap(\.reachable))
        _ = (try versions(), try SchemaAdditions(additions, core.dialect))
        try refuseConcurrentIndexes()
        // Those of this database wait here for each other, with no connection in their hands.
        return try await core.migrationLock.withLock {
            if try await isDone(definitions) { return SchemaPlan() }
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
            return SchemaPlan(steps: steps)
        }
    }

    /// Whether nothing is to be done, as far as can be seen without the lock.
    private func isDone(_ definitions: [TableDefinition]) async throws -> Bool {
        do {
            return try await takingTurns { _ in
                try await DatabaseAccess(kind: .database(core)).perform(.read, purpose: "migrate") { session, _ in
                    let diff = try await makeDiff(session, definitions)
                    switch try await standing(session, diff.snapshot) {
                    case .accepted: return true
                    case .behind: return false
                    case .current: break
                    }
                    // Before the plan: a migration may be what makes one possible.
                    let pending = try await pending(session, diff.snapshot)
                    if !pending.isEmpty { return false }
                    let plan = try diff.plan(for: definitions)
                    let additions = try await SchemaAdditions(additions, core.dialect).states(session)
                    if definitions.contains(where: { $0.logged.log != .none }), try await needsLog(diff, session) {
                        return false
                    }
                    return plan.isEmpty && plan.bookkeeping.isEmpty && diff.journal.adoptions.isEmpty
                        && (onlyAdopts || diff.journal.missing(definitions, in: diff.snapshot).isEmpty)
                        && additions.allSatisfy(\.isDone)
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
        let snapshot = try await session.lease.connection.tables(names(definitions))
        var journal = SchemaJournal(
            try await session.records(JournalEntry.self, snapshot),
            adopted: Set(try await session.records(AdoptedTable.self, snapshot).map(\.table)),
            past: PastNames(try await session.records(PastName.self, snapshot)))
        for description in adopting { try problems.collect { try journal.adopt(description, in: snapshot) } }
        return SchemaDiff(
            snapshot: snapshot, journal: journal, dialect: core.dialect, allowed: allowed,
            buildsIndexesConcurrently: buildsIndexesConcurrently, onlyAdopts: onlyAdopts, otherProblems: problems,
            knownNames: (migrations ?? []).pastNames)
    }

    /// The names of the tables that the types are compared with.
    private func names(_ definitions: [TableDefinition]) -> Set<String> {
        let named = (migrations?.flatMap(\.tables) ?? []) + allowed.tables + definitions.flatMap(\.formerNames)
        return Set(definitions.map(\.name) + named).union(SchemaJournal.tables)
    }

    /// All tables that named migrations can concern.
    private func snapshotForMigrations(_ session: Session, _ diff: SchemaDiff) async throws -> SchemaTables {
        let tables = Set(diff.snapshot.tables.keys).union(diff.journal.tables)
        return try await session.lease.connection.tables(tables)
    }

    /// How the program stands to the database, by their versions.
    private func standing(_ session: Session, _ snapshot: SchemaTables) async throws -> SchemaVersion.Standing {
        guard let versions = try versions() else { return .current }
        return try SchemaVersion.standing(of: versions, to: try await SchemaVersion.read(session, snapshot))
    }

    /// The migrations that the database has not had.
    private func pending(_ session: Session, _ snapshot: SchemaTables) async throws -> [Migration] {
        guard let migrations else { return [] }
        return try migrations.pending(after: try await session.records(AppliedMigration.self, snapshot))
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
        let found = try await SchemaVersion.read(session, diff.snapshot)
        let standing = try SchemaVersion.standing(of: try versions(), to: found)
        // Since a newer program has been faster.
        if standing == .accepted { return (SchemaPlan(), false, watch) }
        var gaps = LogGaps(diff)
        let own = SchemaDiff(snapshot: diff.snapshot, journal: diff.journal, dialect: core.dialect)
        try await runSQL(own.plan(for: SchemaJournal.definitions).steps.map(\.sql), session)
        if definitions.contains(where: { $0.logged.log != .none }) { try await makeLog(own, transaction) }
        if watch != nil {
            try watch?.begin(await forecast(session, definitions, try await additionStates(in: transaction)))
        }
        let isNew = isNew(diff)
        let additions = try SchemaAdditions(additions, core.dialect)
        let pending = try await pending(session, diff.snapshot)
        if isNew { _ = try pending.forNewDatabases() }
        let early = isNew ? [] : pending.filter { $0.phase == .beforeTypes }
        var done = try await additions.make(.beforeTypes, in: transaction, &watch)
        done += try await additions.remove(viewsStandAside: early.contains(where: \.takesAway), session, &watch)
        done += try await runMigrations(early, noting: early, diff, isNew: isNew, transaction, &watch)
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
        var all = plan
        all.steps = done + plan.steps
        try problems.collect { try all.checkAcceptance(try versions(), found?.upperBound) }
        let needsRebuild = plan.rebuildsTables && !mayRebuild
        // What is committed before the tables are made anew is not done for nothing.
        if !needsRebuild || !done.isEmpty || !problems.isEmpty { try await check(plan, &problems, session) }
        try problems.check()
        if needsRebuild {
            plan = SchemaPlan()
            if watch != nil {
                let states = try await additionStates(in: transaction)
                try watch?.require(await forecast(session, definitions, states).steps)
            }
        }
        var aside: [SchemaStep] = []
        if plan.altersColumns { aside = try await additions.remove(viewsStandAside: true, session, &watch) }
        let first = plan.steps.filter { $0.isTransactional && !$0.drops }
        try await runSteps(first, session, &watch)
        let past = try await transaction.note((done + first).flatMap(\.consequences), after: diff.journal.past)
        try await runBookkeeping(plan.bookkeeping, session)
        if mayRebuild { try await checkReferences(session) }
        if !needsRebuild {
            if !onlyAdopts { _ = try await transaction.insert(diff.journal.missing(definitions, in: diff.snapshot)) }
            let adoptedAt = Date()
            _ = try await transaction.insert(
                diff.journal.adoptions.map { AdoptedTable(table: $0, adoptedAt: adoptedAt) })
            // Late migrations may move values out of what is dropped, and fill what is added.
            let late = isNew ? pending : pending.filter { $0.phase == .afterTypes }
            var last: [SchemaStep] = []
            if !late.isEmpty {
                last += try await additions.make(.afterTypes, in: transaction, &watch)
                if late.contains(where: \.takesAway) {
                    last += try await additions.remove(viewsStandAside: true, session, &watch)
                }
                last += try await runLateMigrations(late, definitions, isNew: isNew, transaction, &watch)
            }
            var drops = plan.steps.filter(\.drops)
            var concurrent = plan.steps.filter { !$0.isTransactional }
            if !last.isEmpty {
                let rest = try await makeDiff(session, definitions).plan(for: definitions)
                drops = rest.steps.filter(\.isTransactional)
                concurrent = rest.steps.filter { !$0.isTransactional }
                try await runBookkeeping(rest.bookkeeping, session)
            }
            if drops.contains(where: \.drops) {
                last += try await additions.remove(viewsStandAside: true, session, &watch)
            }
            try await runSteps(drops, session, &watch)
            plan.steps = first + last + drops
            plan.steps += try await additions.make(.afterTypes, in: transaction, &watch)
            plan.steps += concurrent
            _ = try await transaction.note((last + drops).flatMap(\.consequences), after: past)
            try watch?.require(concurrent)
            if standing == .behind, let versions = try versions() {
                try await SchemaVersion.write(versions, in: transaction)
            }
        }
        plan.steps = done + aside + plan.steps
        try await runSQL(gaps.tables(after: plan.steps).compactMap { core.dialect.changeLog?.gap(in: $0) }, session)
        try plan.checkAcceptance(try versions(), found?.upperBound)
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
        try await runSQL(diff.plan(for: LogTables.definitions).steps.map(\.sql) + changeLog.completion, session)
        try await LogRenewal(changeLog: changeLog).establish(in: transaction)
    }

    /// Whether the tables of the change log are to be made, or the log is another server's.
    private func needsLog(_ diff: SchemaDiff, _ session: Session) async throws -> Bool {
        guard let changeLog = core.dialect.changeLog else { return false }
        let own = SchemaDiff(snapshot: diff.snapshot, journal: diff.journal, dialect: core.dialect)
        if try !own.plan(for: LogTables.definitions).isEmpty { return true }
        return try await !LogRenewal(changeLog: changeLog).hasOwnLog(session)
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

    /// Runs the migrations that see the tables of the types, and notes them.
    ///
    /// - Parameter isNew: Whether the database had no tables, so that only what each database needs is run.
    /// - Returns: What was run.
    private func runLateMigrations(
        _ late: [Migration], _ definitions: [TableDefinition], isNew: Bool, _ transaction: Transaction,
        _ watch: inout ScriptWatch?
    ) async throws -> [SchemaStep] {
        for migration in late where migration.phase == .afterTypes { try migration.checkLateSteps() }
        let diff = try await makeDiff(transaction.scope.session, definitions)
        let needed = isNew ? try late.forNewDatabases() : late
        return try await runMigrations(needed, noting: late, diff, isNew: isNew, transaction, &watch)
    }

    /// Runs named migrations, and notes those that are done with that.
    ///
    /// - Returns: What was run.
    private func runMigrations(
        _ needed: [Migration], noting done: [Migration], _ diff: SchemaDiff, isNew: Bool, _ transaction: Transaction,
        _ watch: inout ScriptWatch?
    ) async throws -> [SchemaStep] {
        guard !done.isEmpty else { return [] }
        var steps: [SchemaStep] = []
        if !needed.isEmpty {
            let snapshot = try await snapshotForMigrations(transaction.scope.session, diff)
            var run = MigrationRun(transaction, snapshot, diff.journal, isNew: isNew, watch)
            try await run.run(needed)
            (steps, watch) = (run.steps, run.watch)
        }
        let now = Date()
        _ = try await transaction.insert(
            done.map {
                AppliedMigration(
                    id: $0.id, checksum: $0.checksum, appliedAt: now, isAdditive: $0.isAdditive ? true : nil)
            })
        return steps
    }
}

/// The version of this library, as migrations record it.
let holdfastVersion = "0.1.0"
