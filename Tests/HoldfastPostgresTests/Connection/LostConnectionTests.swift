@_spi(Driver) import Holdfast
import Synchronization
import Testing

@testable import HoldfastPostgres

/// Reads whose connections end: while they are idle, or while they work.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct LostConnectionTests {
    @Test func `a query that an administrator ends is not sent again`() async throws {
        try await withThings(connections: 4) { db, other async throws in
            _ = try await db.fetch(Thing.self)
            try await other.execute("BEGIN")
            try await other.execute("LOCK TABLE thing")
            let reading = Task { try await db.fetch(Thing.self).count }
            try await other.untilBlocking()
            try await Task.sleep(for: .milliseconds(1300))
            let session = try await other.untilBlocking()
            try await other.execute("SELECT pg_terminate_backend(\(session)::int)")
            let error = await #expect(throws: DatabaseError.self) { try await reading.value }
            #expect(error?.code == .connectionLost)
            try await other.execute("COMMIT")
            #expect(try await db.fetch(Thing.self).count == 1)
        }
    }

    @Test func `a query that is ended as soon as it works is sent again once`() async throws {
        try await withThings(connections: 4) { db, other async throws in
            _ = try await db.fetch(Thing.self)
            try await other.execute("BEGIN")
            try await other.execute("LOCK TABLE thing")
            let hasEnded = Atomic(false)
            let reading = Task {
                defer { hasEnded.store(true, ordering: .releasing) }
                return try await db.fetch(Thing.self).count
            }
            let end = """
                SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity
                WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))
                """
            var count = 0
            while !hasEnded.load(ordering: .acquiring) {
                // A transaction sees the activity of the moment at which it first asked.
                try await other.execute("SELECT pg_stat_clear_snapshot()")
                if case .integer(let ended)? = try await other.execute(end).first?.first { count += Int(ended) }
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect((1...2).contains(count), "Once, and once more where the first was soon enough.")
            let error = await #expect(throws: DatabaseError.self) { try await reading.value }
            #expect(error?.code == .connectionLost)
            try await other.execute("COMMIT")
            #expect(try await db.fetch(Thing.self).count == 1)
        }
    }

    @Test func `idle connections that all ended are nobody's concern`() async throws {
        try await withThings(connections: 8) { db, other async throws in
            for _ in 0..<3 {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<8 {
                        group.addTask { _ = try await db.sql("SELECT pg_sleep(0.1)").fetch() }
                    }
                    try await group.waitForAll()
                }
                try await other.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE query LIKE '%pg_sleep(0.1)%' AND pid <> pg_backend_pid()
                    """)
                try await withThrowingTaskGroup { group in
                    for _ in 0..<8 {
                        group.addTask {
                            let count = try await db.fetch(Thing.self).count
                            #expect(count == 1)
                        }
                        group.addTask {
                            let isFound = try await db.find(Thing.self, key: 1) != nil
                            #expect(isFound)
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    private func withThings(
        connections: Int, _ body: (Database, PostgresConnection) async throws -> Void
    ) async throws {
        try await TestServer.withSchema { driver async throws in
            let other = try await driver.open(.write)
            let schema = try #require(driver.options.schema)
            let configuration = try TestServer.configuration(schema: schema) {
                $0.pool.maximumConnections = connections
            }
            try await Database.withDatabase(configuration) { db in
                try await db.migrate(Thing.self)
                try await db.save(Thing(name: "one"))
                try await body(db, other)
            }
            await other.close()
        }
    }
}
