import EngineProvisions
import Foundation
import Holdfast
import Synchronization
import Testing

@testable import HoldfastConformance

/// A migration that waits for a table keeps nobody else waiting for long.
@Suite struct MigrationLockTests {
    /// With a session of its own, and as behind a transaction pooler.
    private static let poolers = Engines.postgresURL == nil ? [] : [false, true]

    private func withDatabase(
        isPooled: Bool, _ body: (DatabaseConfiguration) async throws -> Void
    ) async throws {
        var url = try #require(Engines.postgresURL)
        if isPooled { url += (url.contains("?") ? "&" : "?") + "pooler=transaction" }
        let home = try await PostgresProvision(url: url).makeDatabase()
        var failure: (any Error)?
        do { try await body(home.configuration) } catch { failure = error }
        try await home.destroy()
        if let failure { throw failure }
    }

    /// Reads the table in a transaction that stays open while `body` runs.
    private func holding(
        _ configuration: DatabaseConfiguration, _ body: @escaping @Sendable (Signal) async throws -> Void
    ) async throws {
        let (isHeld, enough) = (Signal(), Signal())
        let db = try await Database.open(configuration)
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await db.read { transaction in
                    _ = try await transaction.fetch(Migrated.First.self)
                    isHeld.give()
                    await enough.wait()
                }
            }
            await isHeld.wait()
            do { try await body(enough) } catch { enough.give(); throw error }
            enough.give()
            try await group.waitForAll()
        }
        try await db.close()
    }

    @Test(arguments: poolers)
    func `readers never wait for longer than the timeout behind a migration that waits`(isPooled: Bool) async throws {
        try await withDatabase(isPooled: isPooled) { configuration in
            try await Database.withDatabase(configuration) { db in
                try await db.migrate(Migrated.First.self)
                _ = try await db.insert(Migrated.First(id: 1, title: "a"))
            }
            let runs = Mutex(0)
            let longest = Mutex(Duration.zero)
            try await holding(configuration) { enough in
                let timeout = Duration.milliseconds(300)
                let db = try await Database.open(configuration.with { $0.migrations.lockTimeout = timeout })
                let reader = try await Database.open(configuration)
                let counted = Migration("counted") { $0.data { _ in runs.withLock { $0 += 1 } } }
                let start = ContinuousClock.now
                let migration = Task { try await db.migrate(Schema(Migrated.Second.self, migrations: [counted])) }
                while runs.withLock({ $0 }) < 4, ContinuousClock.now - start < .seconds(60) {
                    let before = ContinuousClock.now
                    _ = try await reader.fetch(Migrated.First.self)
                    let duration = ContinuousClock.now - before
                    longest.withLock { $0 = max($0, duration) }
                    try await Task.sleep(for: .milliseconds(5))
                }
                enough.give()
                #expect(try await !migration.value.steps.isEmpty)
                #expect(try await db.fetch(Migrated.Second.self).count == 1)
                try await db.close()
                try await reader.close()
            }
            print("The longest wait of a reader was \(longest.withLock { $0 }), of \(runs.withLock { $0 }) attempts.")
            #expect(longest.withLock { $0 } < .seconds(2))
            #expect(longest.withLock { $0 } > .milliseconds(100), "Nobody waited, so that nothing was tried.")
            #expect(runs.withLock { $0 } > 2)
        }
    }

    @Test(arguments: poolers)
    func `a migration that gets no lock ends at its limit, or when it is cancelled, and names the table`(
        isPooled: Bool
    ) async throws {
        try await withDatabase(isPooled: isPooled) { configuration in
            try await Database.withDatabase(configuration) { try await $0.migrate(Migrated.First.self) }
            try await holding(configuration) { _ in
                let db = try await Database.open(
                    configuration.with {
                        $0.migrations.lockTimeout = .milliseconds(50)
                        $0.migrations.retryLimit = .milliseconds(400)
                    })
                let error = await #expect(throws: DatabaseError.self) { try await db.migrate(Migrated.Second.self) }
                #expect(error?.code == .lockTimeout)
                #expect(error?.table == "document")
                #expect(error?.message.contains("\"document\"") == true)
                try await db.close()

                let patient = try await Database.open(
                    configuration.with { $0.migrations.lockTimeout = .milliseconds(50) })
                let task = Task { try await patient.migrate(Migrated.Second.self) }
                try await Task.sleep(for: .milliseconds(500))
                task.cancel()
                let cancelled = await #expect(throws: DatabaseError.self) { try await task.value }
                #expect(cancelled?.code == .cancelled)
                try await patient.close()
            }
            try await Database.withDatabase(configuration) { db async throws in
                #expect(try await !db.schemaPlan(for: Migrated.Second.self).isEmpty)
            }
        }
    }
}
