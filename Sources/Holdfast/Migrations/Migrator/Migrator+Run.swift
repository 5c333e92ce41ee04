import Foundation
import Logging

/// Running statements, steps, named migrations, and what makes the change log.
extension Migrator {
    /// Runs a transaction of a migration, whose error tells what earlier ones have committed.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func telling<Output>(
        committed steps: [SchemaStep], _ body: nonisolated(nonsending) () async throws -> Output
    ) async throws -> Output {
        do { return try await body() } catch { throw naming(error, after: steps) }
    }

    /// The error of a migration that has committed a part of it.
    func naming(_ error: any Error, after committed: [SchemaStep]) -> any Error {
        if committed.isEmpty { return error }
        var names: [String] = []
        for step in committed {
            // The text of a migration may have values in it.
            let name = if case .runMigration(let id) = step.action { "the migration \"\(id)\"" } else { step.sql }
            if !names.contains(name) { names.append(name) }
        }
        let statements = names.firstStatements
        guard var error = error as? DatabaseError else {
            // It is of the program's own, and goes to it as it was thrown.
            core.configuration.telemetry.logger.notice(
                "A migration failed after a part of it was committed, which stays. The next one goes on from there.",
                metadata: ["committed": "\(statements)"])
            return error
        }
        error.message =
            error.message.replacing(" \(SchemaProblems.ending)", with: "")
            + " Committed before, and not undone: \(statements). The next `migrate` goes on from there."
        return error
    }

    func runSteps(
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

    func runBookkeeping(_ changes: [JournalChange], _ session: Session) async throws {
        try await runSQL(changes.map { $0.sql(core.dialect) }, session)
    }

    func runSQL(_ statements: [String], _ session: Session) async throws {
        for sql in statements {
            try await session.run(Statement(sql, isCached: false)) { while try $0.next() != nil {} }
        }
    }

    /// Makes the tables of the change log, and a new log where the entries are those of another server.
    func makeLog(_ diff: SchemaDiff, _ transaction: Transaction) async throws {
        guard let changeLog = core.dialect.changeLog else { return }
        let session = transaction.scope.session
        try await runSQL(diff.plan(for: LogTables.definitions).steps.map(\.sql) + changeLog.completion, session)
        try await LogRenewal(changeLog: changeLog).establish(in: transaction)
    }

    /// Whether the tables of the change log are to be made, or the log is another server's.
    func needsLog(_ diff: SchemaDiff, _ session: Session) async throws -> Bool {
        guard let changeLog = core.dialect.changeLog else { return false }
        let own = SchemaDiff(snapshot: diff.snapshot, journal: diff.journal, dialect: core.dialect)
        if try !own.plan(for: LogTables.definitions).isEmpty { return true }
        return try await !LogRenewal(changeLog: changeLog).hasOwnLog(session)
    }

    /// Runs the migrations that see the tables of the types, and notes them.
    ///
    /// - Parameter isNew: Whether the database had no tables, so that only what each database needs is run.
    /// - Returns: What was run.
    func runLateMigrations(
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
    func runMigrations(
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
