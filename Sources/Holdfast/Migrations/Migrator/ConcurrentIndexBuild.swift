import Foundation
import Logging

/// Builds the indexes of filled tables outside of transactions, one process after the other.
struct ConcurrentIndexBuild {
    let migrator: Migrator
    /// What a script says that is built, if it has to be that.
    var watch: ScriptWatch?
    /// What is committed.
    private(set) var done: [SchemaStep]
    private var core: DatabaseCore { migrator.core }

    init(migrator: Migrator, watch: ScriptWatch?, done: [SchemaStep]) {
        (self.migrator, self.watch, self.done) = (migrator, watch, done)
    }

    mutating func run(_ definitions: [TableDefinition]) async throws {
        guard let concurrently = core.dialect.concurrentIndexes else { return }
        do {
            try await build(definitions, concurrently)
        } catch {
            throw migrator.naming(error, after: done)
        }
    }

    private mutating func build(_ definitions: [TableDefinition], _ concurrently: ConcurrentIndexes) async throws {
        let lease = try await core.lease(.write, purpose: "migrate")
        // Its lock and its timeouts are nobody else's.
        defer { lease.discard() }
        let session = Session(core: core, lease: lease, isReadOnly: false)
        _ = try await session.execute(Statement(concurrently.withoutTimeouts, isCached: false))
        // A statement that waited for the lock would be one that the other builder waits for.
        var hasLogged = false
        while try await !migrator.answer(concurrently.attempt, session) {
            if !hasLogged { migrator.logWait() }
            hasLogged = true
            try await migrator.pause(.milliseconds(Int.random(in: 50...150)))
        }
        var patience = LockPatience(limit: core.configuration.migrations.retryLimit)
        while true {
            let plan = try await migrator.makeDiff(session, definitions).plan(for: definitions)
            do {
                let steps = plan.steps.filter { !$0.isTransactional }
                // Others may have changed the database since. What was left half-built here is no change of others.
                if !steps.isEmpty { try watch?.require(steps) }
                watch = nil
                for step in steps {
                    try await build(step, session)
                    done.append(step)
                }
                break
            } catch let error as DatabaseError where migrator.isAboutLocks(error) {
                // What is half-built is dropped by the next plan.
                try await migrator.pause(after: error, &patience)
            }
        }
        _ = try await migrator.answer(concurrently.release, session)
    }

    private func build(_ step: SchemaStep, _ session: Session) async throws {
        do {
            try await session.run(Statement(step.sql, isCached: false), timeout: Migrator.longestWait) {
                while try $0.next() != nil {}
            }
        } catch var error as DatabaseError {
            guard case .createIndex(let index, let table) = step.action, error.code == .uniqueViolation else {
                throw step.naming(error)
            }
            error.message =
                "The index \"\(index.name)\" of \"\(table)\" could not be built, since rows have equal values. "
                + error.message
            // Half-built, it would go on to refuse values.
            await drop(index, session)
            throw error
        }
        // Not by the pool, of which this may be the only connection.
        let table = JournalStatement.tableMapping.description.table
        let (sql, parameters) = try SQLFragment(
            "INSERT INTO \(identifier: table) (applied_at, version, statement) VALUES (\(Date()), \(holdfastVersion), \(step.sql))"
        ).render(core.dialect)
        try await session.execute(Statement(sql, isCached: false), parameters)
    }

    /// Drops an index whose build failed.
    ///
    /// If that fails too, the next migration drops it, and the first error is the one to tell.
    private func drop(_ index: IndexDefinition, _ session: Session) async {
        let sql = SchemaSQL(dialect: core.dialect).dropIndex(index.name, isConcurrent: true)
        do {
            try await session.run(Statement(sql, isCached: false), timeout: Migrator.longestWait) {
                while try $0.next() != nil {}
            }
        } catch {
            core.configuration.telemetry.logger.info("An index that is half-built was left to the next migration.")
        }
    }
}
