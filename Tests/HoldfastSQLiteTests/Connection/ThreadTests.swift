import Foundation
@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastSQLite

/// On which thread what runs.
///
/// Each test runs on the main actor, so that the thread of the caller is known.
@MainActor
struct ThreadTests {
    private func runsHere(
        _ connection: any DriverConnection,
        _ sql: String,
        _ parameters: ParameterBuffer = .none,
        isBrief: Bool = true
    ) async throws -> Bool {
        let here = thread()
        return try await connection.run(Statement(sql, isBrief: isBrief), parameters, timeout: nil) { source in
            while try source.next() != nil {}
            return thread() == here
        }
    }

    private nonisolated func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @Test func `brief statements run on the thread of the caller, and others don't`() async throws {
        try await withWriter(synchronous: .normal) { connection async throws in
            try await connection.execute("CREATE TABLE t (x)")
            #expect(try await runsHere(connection, "SELECT 1"))
            #expect(try await !runsHere(connection, "SELECT 1", isBrief: false))
            #expect(try await runsHere(connection, "BEGIN IMMEDIATE"))
            #expect(try await runsHere(connection, "INSERT INTO t VALUES (?)", ParameterBuffer([1], [2])))
            let many = ParameterBuffer(rows: (0..<65).map { [.integer($0)] })
            #expect(try await !runsHere(connection, "INSERT INTO t VALUES (?)", many))
            #expect(try await runsHere(connection, "COMMIT"))
            #expect(try await runsHere(connection, "INSERT INTO t VALUES (1)"))
            // Each of several rows commits by itself.
            #expect(try await !runsHere(connection, "INSERT INTO t VALUES (?)", ParameterBuffer([1], [2])))
        }
    }

    @Test func `a query is tried on the thread of the caller, and given up where it takes many steps`() async throws {
        try await withWriter(synchronous: .normal) { connection async throws in
            try await connection.execute("CREATE TABLE t (x)")
            try await connection.run(
                Statement("INSERT INTO t VALUES (?)"), ParameterBuffer(rows: (0..<300).map { [.integer($0)] }),
                timeout: nil
            ) { source in while try source.next() != nil {} }
            func isDone(_ statement: Statement, _ rows: inout [Int64]) throws -> Bool {
                rows = []
                let progress = try connection.runImmediately(statement, .none, timeout: nil) { source in
                    while let cells = try source.next() { rows.append(cells[0].integer) }
                }
                if case .done = progress { return true }
                return false
            }
            var rows: [Int64] = []
            let few = Statement("SELECT x FROM t WHERE x < 3 ORDER BY x")
            let many = Statement("SELECT count(*) FROM t AS a, t AS b, t AS c WHERE c.x < 3")
            for _ in 0..<250 {
                #expect(try isDone(few, &rows))
                #expect(rows == [0, 1, 2])
                #expect(try !isDone(many, &rows))
            }
            let count = try await connection.run(many, .none, timeout: nil) { try $0.next()?[0].integer }
            #expect(count == 270_000)
            // What writes is not tried.
            #expect(try !isDone(Statement("INSERT INTO t VALUES (1) RETURNING x"), &rows))
        }
    }

    @Test func `commits that wait for the disk run elsewhere`() async throws {
        try await withWriter(synchronous: .full) { connection async throws in
            try await connection.execute("CREATE TABLE t (x)")
            #expect(try await runsHere(connection, "BEGIN IMMEDIATE"))
            #expect(try await runsHere(connection, "INSERT INTO t VALUES (1)"))
            #expect(try await !runsHere(connection, "COMMIT"))
            #expect(try await !runsHere(connection, "INSERT INTO t VALUES (1)"))
            #expect(try await runsHere(connection, "BEGIN"))
            #expect(try await runsHere(connection, "SELECT * FROM t"))
            #expect(try await runsHere(connection, "COMMIT"))
            #expect(try await runsHere(connection, "BEGIN IMMEDIATE"))
            #expect(try await runsHere(connection, "INSERT INTO t VALUES (1)"))
            #expect(try await runsHere(connection, "ROLLBACK"))
        }
    }

    @Test func `the commit that begins a new log runs elsewhere, as it waits for the disk`() async throws {
        try await withWriter(synchronous: .normal) { connection async throws in
            #expect(try await !runsHere(connection, "CREATE TABLE t (x)"))
            #expect(try await runsHere(connection, "INSERT INTO t VALUES (1)"))
        }
    }

    @Test func `a statement that meets a lock goes on elsewhere`() async throws {
        let database = try TestDatabase()
        let (one, other) = (try await database.writer(), try await TestDatabase(database.directory).writer())
        try await one.execute("CREATE TABLE t (x)")
        try await one.execute("BEGIN IMMEDIATE")
        async let isHere = runsHere(other, "INSERT INTO t VALUES (1)")
        try await Task.sleep(for: .milliseconds(20))
        try await one.execute("COMMIT")
        #expect(try await !isHere)
        for connection in [one, other] { await connection.close() }
    }

    @Test func `threads end with their driver`() async throws {
        func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
        guard FileManager.default.fileExists(atPath: "/proc/self/task") else { return }
        await #expect(processExitsWith: .success) {
            func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
            let before = try count()
            // So much that the log is copied on a thread of its own, and no more: the disk is shared with other tests.
            for _ in 0..<20 {
                try await withWriter { connection async throws in
                    try await connection.rows("SELECT 1", timeout: .seconds(10))
                    try await connection.execute("CREATE TABLE t (x)")
                    try await connection.execute(
                        """
                        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 1200)
                        INSERT INTO t SELECT randomblob(4000) FROM c
                        """
                    )
                }
            }
            for _ in 0..<100 {
                if try count() <= before + 8 { return }  // those of the runtime may have grown
                usleep(20_000)
            }
            exit(1)
        }
    }
}
