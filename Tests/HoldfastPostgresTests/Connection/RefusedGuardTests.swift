@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

/// Servers that lack what guards columns, or do not let the user have it.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct RefusedGuardTests {
    @Test func `a server that can't compare records has columns compared in another way, and nothing run again`()
        async throws
    {
        // In a database of its own, since the catalog's functions are everybody's.
        try await TestServer.withConnection { server async throws in
            let name = "holdfast_refused_guard"
            try await server.execute("DROP DATABASE IF EXISTS \(name)")
            try await server.execute("CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8'")
            try await server.execute("DROP ROLE IF EXISTS \(name)")
            try await server.execute("CREATE ROLE \(name)")
            do {
                try await expectWrites(in: name, as: name)
            } catch {
                Issue.record(error)
            }
            try await server.execute("DROP DATABASE \(name) WITH (FORCE)")
            try await server.execute("DROP ROLE \(name)")
        }
    }

    private func expectWrites(in database: String, as role: String) async throws {
        var options = try PostgresOptions(connectionString: try #require(TestServer.url))
        options.keywords.append(("dbname", database))
        let configuration = try TestServer.configuration()
        let driver = try PostgresDriver(options, configuration)
        let connection = try await driver.open(.write)
        try await connection.execute("CREATE TABLE t (n bigint, v numeric)")
        try await connection.execute("GRANT ALL ON t TO \(role)")
        try await connection.execute("REVOKE EXECUTE ON FUNCTION pg_catalog.record_image_eq FROM PUBLIC")
        try await connection.execute("SET ROLE \(role)")
        let insert = Statement(
            #"INSERT INTO "t" ("n", "v") VALUES ($1, $2)"#, isCached: false,
            rowChange: .insert(table: "t", columns: ["n", "v"], generatedKey: nil))
        for number in 1...3 {
            try await connection.execute(insert, [.integer(Int64(number)), .decimal("1.5")])
        }
        #expect(try await connection.value("SELECT count(*) FROM t") == .integer(3))
        try await connection.execute("RESET ROLE")
        try await connection.execute("ALTER TABLE t ALTER v TYPE bigint")
        try await connection.execute("SET ROLE \(role)")
        let error = await #expect(throws: DatabaseError.self) {
            try await connection.execute(insert, [.integer(4), .decimal("1.5")])
        }
        #expect(error?.code == .invalidValue)
        await connection.close()
        await driver.shutdown()
    }
}
