import Holdfast
import Testing

@testable import HoldfastPostgres

@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason))
struct RunTests {
    @Test func `a statement returns its rows`() async throws {
        try await TestServer.withConnection { connection in
            let rows = try await connection.execute("SELECT x, 'a' || x FROM generate_series(1, 3) AS x")
            #expect(rows == [[.integer(1), .text("a1")], [.integer(2), .text("a2")], [.integer(3), .text("a3")]])
        }
    }

    @Test func `a statement runs once per parameter row`() async throws {
        try await TestServer.withSchema { driver in
            let connection = try await driver.open(.write)
            try await connection.execute("CREATE TABLE t (id int, name text)")
            let insert = Statement("INSERT INTO t VALUES ($1, $2) RETURNING id")
            let rows = (0..<1000).map { [Value.integer(Int64($0)), .text("name \($0)")] }
            let returned = try await connection.execute(insert, rows: rows)
            #expect(returned == (0..<1000).map { [.integer(Int64($0))] })
            #expect(try await connection.value("SELECT count(*) FROM t") == .integer(1000))
            await connection.close()
        }
    }
}
