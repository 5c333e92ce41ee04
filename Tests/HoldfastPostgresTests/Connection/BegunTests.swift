@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

@Table
final class Thing {
    var id: Int64?
    var name: String

    init(name: String) { self.name = name }
}

/// What core does with statements that are begun immediately, and whose answers come late.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct BegunTests {
    @Test func `a find, a find in a transaction and a save wait, and hold what they need`() async throws {
        try await withThings { db, other, thing async throws in
            let key = try #require(thing.id)
            // Prepares the statements on the one connection.
            _ = try await db.find(Thing.self, key: key)
            try await Self.whileLocked(other) {
                let found = try await db.find(Thing.self, key: key)
                #expect(found?.name == thing.name)
            }
            try await Self.whileLocked(other) {
                try await db.transaction { transaction in
                    async let first = transaction.find(Thing.self, key: key)?.name
                    async let second = transaction.find(Thing.self, key: key)?.name
                    let names = try await [first, second]
                    #expect(names == ["one", "one"])
                }
            }
            let changed = try #require(try await db.find(Thing.self, key: key))
            for name in ["two", "three"] {
                changed.name = name
                try await Self.whileLocked(other) { try await db.save(changed) }
                #expect(!changed.isDirty)
            }
            #expect(try await db.find(Thing.self, key: key)?.name == "three")
            let started = ContinuousClock.now
            try await db.transaction { _ in }
            #expect(ContinuousClock.now - started < .seconds(10), "The connection was not given back.")
        }
    }

    @Test func `a find whose session ends is repeated, and of a save nobody knows`() async throws {
        try await withThings { db, other, thing async throws in
            let key = try #require(thing.id)
            _ = try await db.find(Thing.self, key: key)
            try await Self.whileLocked(other, ending: true) {
                let found = try await db.find(Thing.self, key: key)
                #expect(found?.name == "one")
            }
            let changed = try #require(try await db.find(Thing.self, key: key))
            changed.name = "two"
            try await db.save(changed)
            changed.name = "three"
            try await Self.whileLocked(other, ending: true) {
                let error = await #expect(throws: DatabaseError.self) { try await db.save(changed) }
                #expect(error?.code == .commitOutcomeUnknown)
            }
            #expect(changed.isDirty)
            try await db.save(changed)
            #expect(try await db.find(Thing.self, key: key)?.name == "three")
        }
    }

    @Test func `a find whose task is cancelled ends, and its transaction with it`() async throws {
        try await withThings { db, other, thing async throws in
            let key = try #require(thing.id)
            _ = try await db.find(Thing.self, key: key)
            for isInTransaction in [false, true] {
                try await other.execute("BEGIN")
                try await other.execute("LOCK TABLE thing")
                let finding = Task {
                    guard isInTransaction else { return _ = try await db.find(Thing.self, key: key) }
                    try await db.transaction { _ = try await $0.find(Thing.self, key: key) }
                }
                try await other.untilBlocking()
                finding.cancel()
                let error = await #expect(throws: DatabaseError.self) { try await finding.value }
                #expect(error?.code == .cancelled)
                try await other.execute("COMMIT")
                #expect(try await db.find(Thing.self, key: key)?.name == "one")
            }
        }
    }

    /// Calls `body` with a database of one connection, with another session, and with an object that is saved.
    private func withThings(_ body: (Database, PostgresConnection, Thing) async throws -> Void) async throws {
        try await TestServer.withSchema { driver async throws in
            let other = try await driver.open(.write)
            let schema = try #require(driver.options.schema)
            let configuration = try TestServer.configuration(schema: schema) { $0.pool.maximumConnections = 1 }
            try await Database.withDatabase(configuration) { db in
                try await db.migrate(Thing.self)
                let thing = Thing(name: "one")
                try await db.save(thing)
                try await body(db, other, thing)
            }
            await other.close()
        }
    }

    /// Runs `operation` while another session has the table, until it waits for that.
    private static func whileLocked(
        _ other: PostgresConnection, ending: Bool = false, _ operation: () async throws -> Void
    ) async throws {
        try await other.execute("BEGIN")
        try await other.execute("LOCK TABLE thing")
        let releasing = Task.detached {
            let waiting = try await other.untilBlocking()
            if ending { try await other.execute("SELECT pg_terminate_backend(\(waiting))") }
            try await other.execute("COMMIT")
        }
        try await operation()
        try await releasing.value
    }
}
