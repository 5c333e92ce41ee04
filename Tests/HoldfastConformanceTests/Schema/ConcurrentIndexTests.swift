import EngineProvisions
import Foundation
import Testing

@testable import Holdfast
@testable import HoldfastConformance

/// Indexes that are built while others write, and what is left of those that were not finished.
@Suite struct ConcurrentIndexTests {
    @Table("thing") struct Plain { var id: Int64?; var name: String }
    @Table("thing") struct Keyed { var id: Int64?; @Unique var name: String }

    private static let postgres = SchemaEngine.available.filter { $0 == .postgresql }

    private func withThings(
        _ names: [String], _ body: (Database, DatabaseConfiguration) async throws -> Void
    ) async throws {
        let home = try await SchemaEngine.postgresql.provision.makeDatabase()
        let db = try await Database.open(home.configuration)
        var failure: (any Error)?
        do {
            try await db.migrate(Plain.self)
            _ = try await db.insert(names.map { Plain(id: nil, name: $0) })
            try await body(db, home.configuration)
        } catch {
            failure = error
        }
        try await db.close()
        try await home.destroy()
        if let failure { throw failure }
    }

    private func indexes(_ db: Database, valid: Bool) async throws -> [String] {
        try await db.sql(
            """
            SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE i.indrelid = 'thing'::regclass AND i.indisvalid = \(valid) AND NOT i.indisprimary
            """
        ).fetch(as: String.self)
    }

    private func schema(_ isConcurrent: Bool) -> Schema {
        Schema(Keyed.self, buildsIndexesConcurrently: isConcurrent)
    }

    @Test(arguments: postgres.flatMap { _ in [true, false] })
    func `an index that was left half-built is dropped and built anew`(isConcurrent: Bool) async throws {
        try await withThings(["a", "a"]) { db, _ in
            _ = try? await db.sql("CREATE UNIQUE INDEX CONCURRENTLY thing_name_key ON thing (name)").execute()
            #expect(try await indexes(db, valid: false) == ["thing_name_key"])
            try await db.sql("DELETE FROM thing WHERE id > 1").execute()
            let plan = try await db.schemaPlan(for: schema(isConcurrent))
            let word = isConcurrent ? "CONCURRENTLY " : ""
            #expect(
                plan.steps.map(\.sql) == [
                    "DROP INDEX \(word)\"thing_name_key\"",
                    "CREATE UNIQUE INDEX \(word)\"thing_name_key\" ON \"thing\" (\"name\")",
                ])
            #expect(plan.steps.allSatisfy { $0.isTransactional != isConcurrent })
            #expect(try await db.migrate(schema(isConcurrent)) == plan)
            #expect(try await indexes(db, valid: true) == ["thing_name_key"])
            #expect(try await indexes(db, valid: false) == [])
            #expect(try await db.migrate(schema(isConcurrent)).isEmpty)
            let noted = try await db.sql("SELECT statement FROM holdfast_migration ORDER BY id DESC LIMIT 2")
                .fetch(as: String.self)
            #expect(noted.sorted() == plan.steps.map(\.sql).sorted())
        }
    }

    @Test(arguments: postgres)
    func `rows in the way of a unique index leave nothing half-built`(engine: SchemaEngine) async throws {
        try await withThings(["a", "a"]) { db, _ in
            let error = await #expect(throws: DatabaseError.self) { try await db.migrate(schema(true)) }
            #expect(error?.code == .uniqueViolation)
            #expect(error?.message.contains("thing_name_key") == true)
            #expect(try await indexes(db, valid: false) == [])
            // The session's lock is gone too.
            try await db.sql("DELETE FROM thing WHERE id > 1").execute()
            #expect(try await db.migrate(schema(true)).steps.count == 1)
        }
    }

    @Test(arguments: postgres)
    func `others write while an index is built, which waits for older transactions; one that is killed is built anew`(
        engine: SchemaEngine
    ) async throws {
        try await withThings(["a", "b"]) { db, configuration in
            let (isOpen, enough) = (Signal(), Signal())
            let older = Task {
                try await Database.withDatabase(configuration) { other in
                    try await other.transaction { transaction in
                        _ = try await transaction.insert(Plain(id: nil, name: "c"))
                        isOpen.give()
                        await enough.wait()
                    }
                }
            }
            await isOpen.wait()
            do {
                try await watchBuild(db, configuration, enough)
            } catch {
                enough.give()
                throw error
            }
            try await older.value
            #expect(try await indexes(db, valid: true) == ["thing_name_key"])
            #expect(try await indexes(db, valid: false) == [])
            #expect(try await db.count(Keyed.self) == 4)
        }
    }

    /// While an older transaction is open, that the build waits for.
    private func watchBuild(_ db: Database, _ configuration: DatabaseConfiguration, _ enough: Signal) async throws {
        let builder = try await Database.open(configuration.with { $0.timeouts.lock = .milliseconds(100) })
        let migration = Task { try await builder.migrate(schema(true)) }
        let build = "a.application_name = current_schema() AND a.query LIKE 'CREATE UNIQUE INDEX CONC%'"
        let isWaiting: SQLFragment =
            "SELECT count(*) FROM pg_stat_activity a WHERE \(unsafe: build) AND a.wait_event_type = 'Lock'"
        try await expect(within: .seconds(10), "the build to wait") {
            while try await db.sql(isWaiting).fetch(as: Int.self) != [1] {
                try await Task.sleep(for: .milliseconds(25))
            }
        }
        let locks = try await db.sql(
            """
            SELECT DISTINCT l.mode FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.relation = 'thing'::regclass AND l.granted AND \(unsafe: build)
            """
        ).fetch(as: String.self)
        #expect(locks == ["ShareUpdateExclusiveLock"])
        let plan = try await db.schemaPlan(for: schema(true))
        #expect(plan.steps.allSatisfy { $0.locks == [TableLock(.shareUpdateExclusive, on: "thing")] })
        let start = ContinuousClock.now
        _ = try await db.insert(Plain(id: nil, name: "d"))
        #expect(ContinuousClock.now - start < .milliseconds(500))

        // Another one waits for it, and not in a statement.
        let second = Task { try await db.migrate(schema(false)) }
        try await Task.sleep(for: .milliseconds(400))
        let waiting: SQLFragment =
            """
            SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE a.application_name = current_schema() AND NOT l.granted
                AND (l.locktype = 'advisory' OR l.relation = 'thing'::regclass)
            """
        #expect(try await db.sql(waiting).fetch(as: Int.self) == [0])
        // As after `kill -9`: the server notices that the client is gone when the statement has ended.
        let end: SQLFragment = "SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a WHERE \(unsafe: build)"
        #expect(try await db.sql(end).fetch(as: Bool.self) == [true])
        let error = await #expect(throws: DatabaseError.self) { try await migration.value }
        #expect(error?.code == .connectionLost || error?.code == .commitOutcomeUnknown)
        #expect(try await indexes(db, valid: false) == ["thing_name_key"])
        enough.give()
        #expect(try await second.value.steps.count == 2)
        try await builder.close()
    }

    @Test(arguments: postgres)
    func `behind a transaction pooler it is refused before anything is done`(engine: SchemaEngine) async throws {
        let url = try #require(Engines.postgresURL)
        let provision = PostgresProvision(url: url + (url.contains("?") ? "&" : "?") + "pooler=transaction")
        let home = try await provision.makeDatabase()
        let db = try await Database.open(home.configuration)
        let error = await #expect(throws: DatabaseError.self) { try await db.migrate(schema(true)) }
        #expect(error?.code == .unsupported)
        #expect(try await !db.schemaPlan(for: Keyed.self).isEmpty)
        try await db.close()
        try await home.destroy()
    }
}
