import FaultyProxy
import Foundation
import Holdfast
import Synchronization
import Testing

@testable import HoldfastPostgres

/// Writes whose answers never come, though the connection stays open.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct UnansweredTests {
    @Test(arguments: [Fault.requestsAreLost, .answersAreLost])
    func `of a save by itself nobody knows`(fault: Fault) async throws {
        try await withProxy { db, direct, proxy async throws in
            try await expectUnknown(.statementTimeout, proxy, fault) { try await db.save(Thing(name: "new")) }
            try await Self.expectThings(fault == .answersAreLost ? ["new", "old"] : ["old"], in: direct)
        }
    }

    @Test(arguments: [Fault.requestsAreLost, .answersAreLost])
    func `of an update by a query nobody knows`(fault: Fault) async throws {
        try await withProxy { db, direct, proxy async throws in
            // What goes in front of it is answered, or lost, together with it.
            try await db.query(Thing.self).where { $0.name == "old" }.update { $0.name.set("old") }
            try await expectUnknown(.statementTimeout, proxy, fault) {
                try await db.query(Thing.self).where { $0.name == "old" }.update { $0.name.set("new") }
            }
            try await Self.expectThings([fault == .answersAreLost ? "new" : "old"], in: direct)
        }
    }

    @Test func `of an update by a query whose connection is cut nobody knows, and it is done once`() async throws {
        try await withProxy { db, direct, proxy async throws in
            try await db.query(Thing.self).update { $0.name.set($0.name.current + "+") }
            proxy.fail(by: .answersAreLost)
            let task = Task {
                try await db.query(Thing.self).update { $0.name.set($0.name.current + "+") }
            }
            try await Task.sleep(for: .milliseconds(200))
            proxy.stop()
            let error = await #expect(throws: DatabaseError.self) { try await task.value }
            #expect(error?.code == .commitOutcomeUnknown)
            try await Self.expectThings(["old++"], in: direct)
        }
    }

    @Test(arguments: [Fault.requestsAreLost, .answersAreLost])
    func `of raw SQL nobody knows`(fault: Fault) async throws {
        try await withProxy { db, direct, proxy async throws in
            try await expectUnknown(.statementTimeout, proxy, fault) {
                try await db.sql("INSERT INTO \(Thing.self) (name) VALUES ('raw')").execute()
            }
            try await Self.expectThings(fault == .answersAreLost ? ["old", "raw"] : ["old"], in: direct)
        }
    }

    /// A SELECT of the caller's, and parts of queries that are, whose function adds a row.
    private static let calls: [@Sendable (Database) async throws -> Void] = [
        { _ = try await $0.sql("SELECT add_thing()").fetch() },
        { _ = try await $0.sql("SELECT add_thing()").first() },
        { _ = try await $0.sql("SELECT add_thing()").one(as: Int64.self) },
        { _ = try await $0.sql("SELECT add_thing() AS id, 'x' AS name").fetch(Thing.self) },
        { _ = try await $0.sql("WITH a AS (SELECT add_thing() AS n) SELECT n FROM a").fetch() },
        { _ = try await $0.query(Thing.self).where(sql: "add_thing() > 0").fetch() },
        { _ = try await $0.query(Thing.self).where("\(Condition.sql("add_thing() > 0"))" as Condition).count() },
        { _ = try await $0.query(Thing.self).select { _ in QueryExpression<Int64>.sql("add_thing()") }.fetch() },
        { _ = try await $0.query(Thing.self).select { ($0.name, QueryExpression<Int64>.sql("add_thing()")) }.fetch() },
        {
            _ = try await $0.query(Thing.self).order { _ in QueryExpression<Int64>.sql("add_thing()").ascending }.keys()
        },
    ]

    @Test(arguments: calls.indices)
    func `of a SELECT that may write nobody knows, and it is done once`(index: Int) async throws {
        try await withProxy { db, direct, proxy async throws in
            try await direct.sql(
                """
                CREATE FUNCTION add_thing() RETURNS bigint LANGUAGE sql AS
                $$ INSERT INTO thing (name) VALUES ('called') RETURNING id $$
                """
            ).execute()
            try await Self.calls[index](db)
            try await Self.expectThings(["called", "old"], in: direct)
            proxy.fail(by: .answersAreLost)
            let task = Task { try await Self.calls[index](db) }
            try await Task.sleep(for: .milliseconds(200))
            proxy.stop()
            let error = await #expect(throws: DatabaseError.self) { try await task.value }
            #expect(error?.code == .commitOutcomeUnknown)
            // On a busy machine, the connection is not lost before the statement's time is over.
            #expect(error?.underlyingCode == .connectionLost || error?.underlyingCode == .statementTimeout)
            #expect(error?.httpStatus == 500)
            let count = try await direct.query(Thing.self).where { $0.name == "called" }.count()
            // A part of a query is called for each row.
            #expect(count == (index < 5 ? 2 : 3))
        }
    }

    @Test func `of a SELECT in a read-only transaction it is known that nothing was done`() async throws {
        try await withProxy { db, _, proxy async throws in
            let task = Task {
                try await db.read { tx in
                    proxy.fail(by: .answersAreLost)
                    _ = try await tx.sql("SELECT count(*) FROM thing").fetch()
                }
            }
            try await Task.sleep(for: .milliseconds(200))
            proxy.stop()
            let error = await #expect(throws: DatabaseError.self) { try await task.value }
            #expect(error?.code == .connectionLost || error?.code == .statementTimeout)
        }
    }

    @Test(arguments: [Fault.requestsAreLost, .answersAreLost])
    func `of a COMMIT nobody knows, and the transaction is not run again`(fault: Fault) async throws {
        try await withProxy { db, direct, proxy async throws in
            let attempts = Mutex(0)
            try await expectUnknown(.statementTimeout, nil, fault) {
                try await db.transaction(maxRetries: 5) { tx in
                    attempts.withLock { $0 += 1 }
                    try await tx.save(Thing(name: "committed"))
                    proxy.fail(by: fault)
                }
            }
            #expect(attempts.withLock { $0 } == 1)
            try await Self.expectThings(fault == .answersAreLost ? ["committed", "old"] : ["old"], in: direct)
        }
    }

    @Test func `of a save of many objects nobody knows`() async throws {
        try await withProxy { db, direct, proxy async throws in
            try await expectUnknown(.statementTimeout, proxy, .answersAreLost, orFails: true) {
                try await db.save((0..<200).map { Thing(name: "many \($0)") })
            }
        }
    }

    @Test func `of a save whose task is cancelled nobody knows`() async throws {
        try await withProxy { db, direct, proxy async throws in
            proxy.fail(by: .answersAreLost)
            let task = Task { try await db.save(Thing(name: "new")) }
            try await Task.sleep(for: .milliseconds(200))
            task.cancel()
            let error = await #expect(throws: DatabaseError.self) { try await task.value }
            #expect(error?.code == .commitOutcomeUnknown)
            #expect(error?.underlyingCode == .cancelled)
            try await Self.expectThings(["new", "old"], in: direct)
        }
    }

    @Test func `a read that is not answered was only too late`() async throws {
        try await withProxy { db, _, proxy async throws in
            proxy.fail(by: .answersAreLost)
            let error = await #expect(throws: DatabaseError.self) { try await db.fetch(Thing.self) }
            #expect(error?.code == .statementTimeout)
        }
    }

    @Test func `a write that the server has cancelled is certainly not done`() async throws {
        try await withProxy { db, direct, _ async throws in
            let error = await #expect(throws: DatabaseError.self) {
                try await db.sql("INSERT INTO \(Thing.self) (name) SELECT 'slow' FROM pg_sleep(60)").execute()
            }
            #expect(error?.code == .statementTimeout)
            try await Self.expectThings(["old"], in: direct)
        }
    }

    // MARK: -

    private func expectUnknown(
        _ reason: DatabaseError.Code, _ proxy: FaultyProxy?, _ fault: Fault,
        orFails mayFailCertainly: Bool = false, _ body: () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        proxy?.fail(by: fault)
        let start = ContinuousClock.now
        let error = await #expect(throws: DatabaseError.self, sourceLocation: sourceLocation) { try await body() }
        if mayFailCertainly, error?.code != .commitOutcomeUnknown {
            // BEGIN was not answered, so that nothing of it was sent.
            #expect(error?.code == reason, sourceLocation: sourceLocation)
        } else {
            #expect(error?.code == .commitOutcomeUnknown, sourceLocation: sourceLocation)
            #expect(error?.underlyingCode == reason, sourceLocation: sourceLocation)
        }
        #expect(ContinuousClock.now - start < .seconds(30), sourceLocation: sourceLocation)
    }

    private static func expectThings(
        _ names: [String], in db: Database, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let things = try await db.fetch(Thing.self).map(\.name).sorted()
        #expect(things == names, sourceLocation: sourceLocation)
    }

    /// Calls `body` with a database behind a proxy, the same one without it, and the proxy.
    private func withProxy(
        _ body: (Database, Database, FaultyProxy) async throws -> Void
    ) async throws {
        let (proxy, throughURL) = try TestServer.proxy()
        defer { proxy.stop() }
        try await TestServer.withSchema { driver async throws in
            let schema = driver.options.schema
            try await Database.withDatabase(try TestServer.configuration(schema: schema)) { direct async throws in
                try await direct.migrate(Thing.self)
                try await direct.save(Thing(name: "old"))
                let configuration = DatabaseConfiguration.postgres(url: throughURL, schema: schema).with {
                    $0.pool.maximumConnections = 1
                    $0.timeouts.statement = .seconds(1)
                }
                let db = try await Database.open(configuration)
                // Prepares what the tests run.
                let thing = Thing(name: "warm")
                try await db.save(thing)
                try await db.delete(thing)
                do {
                    try await body(db, direct, proxy)
                } catch {
                    proxy.stop()
                    try await db.close()
                    throw error
                }
                proxy.stop()
                try await db.close()
            }
        }
    }
}
