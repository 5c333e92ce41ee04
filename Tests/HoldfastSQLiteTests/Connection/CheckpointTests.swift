import Foundation
@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastSQLite

struct CheckpointTests {
    private func size(_ path: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        return try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    @Test(.timeLimit(.minutes(4)), arguments: [true, false])
    func `the log of a writer that never rests stays bounded`(isBrief: Bool) async throws {
        let database = try TestDatabase()
        let connection = try await database.writer()
        try await connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x BLOB) STRICT")
        let insert = Statement("INSERT INTO t (x) VALUES (randomblob(40000))", isBrief: isBrief)
        var longest = 0
        for number in 0..<4_000 {
            try await connection.rows(insert)
            if number % 20 == 0 { longest = max(longest, try size(database.path + "-wal")) }
        }
        // It was asked to write 160 MB.
        #expect(longest < 40_000_000)
        #expect(longest > 1_000_000)
        await connection.close()
        await database.driver.shutdown()
    }

    @Test(.timeLimit(.minutes(4))) func `a reader that stays long holds the log, and it shrinks afterwards`()
        async throws
    {
        let database = try TestDatabase()
        let (connection, reader) = (try await database.writer(), try await database.reader())
        try await connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x BLOB) STRICT")
        let insert = Statement("INSERT INTO t (x) VALUES (randomblob(8000))", isBrief: true)
        try await reader.execute("BEGIN")
        #expect(try await reader.rows("SELECT count(*) FROM t") == [[0]])
        for _ in 0..<3000 { try await connection.rows(insert) }
        #expect(try size(database.path + "-wal") > 3000 * 8000)
        #expect(try await reader.rows("SELECT count(*) FROM t") == [[0]])
        try await reader.execute("COMMIT")
        for _ in 0..<3000 { try await connection.rows(insert) }
        try await Task.sleep(for: .milliseconds(300))
        for _ in 0..<10 { try await connection.rows(insert) }
        #expect(try size(database.path + "-wal") <= 16 << 20)
        for connection in [connection, reader] { await connection.close() }
        await database.driver.shutdown()
    }

    @Test func `shutdown leaves an empty log, though another process has the file open`() async throws {
        let database = try TestDatabase()
        let connection = try await database.writer()
        let reader = try await TestDatabase(database.directory).reader()
        try await connection.execute("CREATE TABLE t (x)")
        #expect(try await reader.rows("SELECT count(*) FROM t") == [[0]])
        await connection.close()
        await database.driver.shutdown()
        #expect(try size(database.path + "-wal") == 0)
        await reader.close()
    }
}
