import Foundation
@_spi(Driver) import Holdfast
import Testing

@_spi(Driver) @testable import HoldfastPostgres

@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct DeletionTests {
    /// Makes a database of its own, and gives its name and configuration.
    private func makeDatabase() async throws -> (name: String, configuration: DatabaseConfiguration) {
        let name = "Deletion \"" + UUID().uuidString.prefix(8)
        try await TestServer.withConnection {
            try await $0.execute("CREATE DATABASE \(PostgresDialect().quoted(name))")
        }
        var parts = try #require(TestServer.url.flatMap { URLComponents(string: $0) })
        parts.path = "/" + name
        // A busy machine may still be copying the new database.
        return (name, .postgres(url: try #require(parts.string)).with { $0.timeouts.connect = .seconds(60) })
    }

    private func exists(_ name: String) async throws -> Bool {
        let driver = try TestServer.driver()
        let connection = try await driver.open(.write)
        let rows = try await connection.execute("SELECT 1 FROM pg_database WHERE datname = $1", [.text(name)])
        await connection.close()
        await driver.shutdown()
        return !rows.isEmpty
    }

    @Test func `a database that nobody uses is dropped, under its own name only`() async throws {
        let (name, configuration) = try await makeDatabase()
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.deleteDatabase(configuration, confirmingName: name.lowercased())
        }
        #expect(error?.code == .conflict)
        #expect(try await exists(name) == true)
        try await Database.deleteDatabase(configuration, confirmingName: name)
        #expect(try await exists(name) == false)
        let again = await #expect(throws: DatabaseError.self) {
            try await Database.deleteDatabase(configuration, confirmingName: name)
        }
        #expect(again?.code == .cannotConnect)
    }

    @Test func `a database in use is not dropped`() async throws {
        let (name, configuration) = try await makeDatabase()
        try await Database.withDatabase(configuration) { db async throws in
            let error = await #expect(throws: DatabaseError.self) {
                try await Database.deleteDatabase(configuration, confirmingName: name)
            }
            #expect(error?.code == .conflict && error?.message.contains("in use") == true)
            #expect(try await db.sql("SELECT 1").fetch(as: Int.self) == [1])
        }
        try await Database.deleteDatabase(configuration, confirmingName: name)
        #expect(try await exists(name) == false)
    }

    @Test func `what a constraint or a view needs is not dropped`() async throws {
        try await TestServer.withSchema { driver async throws in
            let configuration = try TestServer.configuration(schema: driver.options.schema)
            try await Database.withDatabase(configuration) { db in
                try await db.sql("CREATE TABLE constrained (id bigint PRIMARY KEY, code text UNIQUE)").execute()
                try await db.sql("CREATE VIEW looking AS SELECT code FROM constrained").execute()
                let index = await #expect(throws: DatabaseError.self) {
                    try await db.dropIndex(on: Constrained.self, of: "code")
                }
                let table = await #expect(throws: DatabaseError.self) { try await db.dropTable(Constrained.self) }
                #expect(index?.code == .conflict && table?.code == .conflict)
                #expect(try await db.schema().table("constrained") != nil)
            }
        }
    }
}

/// A table that another program has made.
private struct Constrained: TableObject {
    var id: Int64?
    var code: String?

    static let tableMapping = TableMapping<Constrained>(
        type: "Constrained",
        describe: { table in
            table.key("id", \.id)
            table.property("code", \.code)
        },
        decode: { row in Constrained(id: try row.decode(at: 0), code: try row.decode(at: 1)) })
}
