import Foundation
import Logging

/// Makes a database what the mappings need: plans, and applies the plan under the schema lock.
struct Migrator {
    let core: DatabaseCore
    /// Where the program called the migration.
    var site: CallSite?
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

    var purpose: LeasePurpose { LeasePurpose("migrate", at: site) }
    var access: DatabaseAccess { DatabaseAccess(kind: .database(core), site: site) }

    /// Returns the plan of the migration without running it.
    func plan() async throws -> SchemaPlan {
        let definitions = try access.naming { try self.definitions() }
        let states = try await additionStates()
        return try await access.perform(.read, purpose: "migrate") { session, _ in
            try await forecast(session, definitions, states)
        }
    }

    /// Plans all that would be run now.
    ///
    /// - Parameter states: What the database has of the additions.
    func forecast(
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
    func versions() throws -> ClosedRange<Int>? {
        try SchemaVersion.versions(version, acceptsProgramsFrom: acceptsProgramsFrom)
    }

    /// Plans; and if something is to be done, plans again under the lock and does it, in one transaction.
    ///
    /// - Parameter script: What has to be run, if anything; nil for whatever is missing.
    /// - Returns: The plan that was run.
    func run(applying script: SchemaScript? = nil) async throws -> SchemaPlan {
        do {
            return try await migrate(applying: script)
        } catch let error as DatabaseError {
            throw error.called(at: site)
        }
    }

    private func migrate(applying script: SchemaScript?) async throws -> SchemaPlan {
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
                let (plan, needsRebuild, watchAfterwards) = try await telling(committed: steps) {
                    try await takingTurns { hasTurn in
                        try await Database(core: core).run(
                            .readCommitted, for: purpose, within: rebuild
                        ) { transaction in
                            hasTurn = true
                            try await lock(transaction.scope.session)
                            try await limitWaits(transaction.scope.session)
                            return try await apply(definitions, transaction, mayRebuild: rebuild != nil, watch)
                        }
                    }
                }
                watch = watchAfterwards
                steps += plan.steps.filter(\.isTransactional)
                needsIndexes = plan.steps.contains { !$0.isTransactional }
                if !needsRebuild { break }
            }
            if needsIndexes {
                var build = ConcurrentIndexBuild(migrator: self, watch: watch, done: steps)
                try await build.run(definitions)
                steps = build.done
            }
            return SchemaPlan(steps: steps)
        }
    }

    /// Whether nothing is to be done, as far as can be seen without the lock.
    func isDone(_ definitions: [TableDefinition]) async throws -> Bool {
        do {
            return try await takingTurns { _ in
                try await access.perform(.read, purpose: "migrate") { session, _ in
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
    func refuseConcurrentIndexes() throws {
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
    func names(_ definitions: [TableDefinition]) -> Set<String> {
        let named = (migrations?.flatMap(\.tables) ?? []) + allowed.tables + definitions.flatMap(\.formerNames)
        return Set(definitions.map(\.name) + named).union(SchemaJournal.tables)
    }

    /// All tables that named migrations can concern.
    func snapshotForMigrations(_ session: Session, _ diff: SchemaDiff) async throws -> SchemaTables {
        let tables = Set(diff.snapshot.tables.keys).union(diff.journal.tables)
        return try await session.lease.connection.tables(tables)
    }

    /// How the program stands to the database, by their versions.
    func standing(_ session: Session, _ snapshot: SchemaTables) async throws -> SchemaVersion.Standing {
        guard let versions = try versions() else { return .current }
        return try SchemaVersion.standing(of: versions, to: try await SchemaVersion.read(session, snapshot))
    }

    /// The migrations that the database has not had.
    func pending(_ session: Session, _ snapshot: SchemaTables) async throws -> [Migration] {
        guard let migrations else { return [] }
        return try migrations.pending(after: try await session.records(AppliedMigration.self, snapshot))
    }

    /// Whether the database has none of the tables yet.
    func isNew(_ diff: SchemaDiff) -> Bool {
        diff.journal.tables.isEmpty
            && diff.snapshot.tables.keys.allSatisfy(SchemaJournal.tables.union(diff.journal.adopted).contains)
    }
}

/// The version of this library, as migrations record it.
let holdfastVersion = "0.1.0"
