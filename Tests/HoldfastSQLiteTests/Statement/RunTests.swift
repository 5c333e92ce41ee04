@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastSQLite

struct RunTests {
    private static let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT"

    private func rows(_ range: Range<Int64>) -> ParameterBuffer {
        ParameterBuffer(rows: range.map { [.integer($0), .text("name \($0)")] })
    }

    @Test func `a hundred thousand rows go in by one run`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute(Self.table)
            try await connection.execute("BEGIN IMMEDIATE")
            let count = try await connection.execute("INSERT INTO t VALUES (?, ?)", rows(0..<100_000))
            try await connection.execute("COMMIT")
            #expect(count == 100_000)
            #expect(try await connection.rows("SELECT count(*), sum(id) FROM t") == [[100_000, 4_999_950_000]])
        }
    }

    @Test func `a failure in the middle names its row and leaves out those behind it`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute(Self.table)
            try await connection.rows("INSERT INTO t VALUES (70, 'taken')")
            let error = await databaseError {
                try await connection.execute("INSERT INTO t VALUES (?, ?)", rows(0..<100))
            }
            #expect(error?.code == .uniqueViolation)
            #expect(error?.objectIndex == 70)
            #expect(error?.table == "t")
            #expect(error?.properties == ["id"])
            #expect(error?.sql == "INSERT INTO t VALUES (?, ?)")
            #expect(error?.shownEngineMessage == nil)
            #expect(try await connection.rows("SELECT count(*), max(id) FROM t") == [[71, 70]])
        }
    }

    @Test func `an error in a run of one row has no index`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute(Self.table)
            let error = await databaseError { try await connection.rows("INSERT INTO t VALUES (1, NULL)") }
            #expect(error?.code == .notNullViolation)
            #expect(error?.objectIndex == nil)
        }
    }

    @Test func `rows returned by many runs come in the order of the parameters`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, n TEXT)")
            let values = (0..<500).map { [TestValue.text("\($0)")] }
            let rows = try await connection.rows(
                Statement("INSERT INTO t (n) VALUES (?) RETURNING id, n"),
                ParameterBuffer(rows: values)
            )
            #expect(rows == (0..<500).map { [.integer($0 + 1), .text("\($0)")] })
        }
    }

    @Test func `every parameter row runs though its rows are not read`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute(Self.table)
            let first = try await connection.run(
                Statement("INSERT INTO t VALUES (?, ?) RETURNING id"),
                rows(0..<10),
                timeout: nil
            ) { try $0.next()?[0].integer }
            #expect(first == 0)
            try await connection.run(
                Statement("INSERT INTO t VALUES (?, ?) RETURNING id"),
                rows(10..<20),
                timeout: nil
            ) { _ in }
            #expect(try await connection.rows("SELECT count(*) FROM t") == [[20]])
        }
    }

    @Test func `a failure that the reader of rows swallows is thrown all the same`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute(Self.table)
            try await connection.execute("INSERT INTO t VALUES (1, 'x')")
            let error = await databaseError {
                try await connection.run(
                    Statement("INSERT INTO t VALUES (?, ?) RETURNING id"),
                    rows(0..<3),
                    timeout: nil
                ) { source in
                    do { while try source.next() != nil {} } catch {}
                }
            }
            #expect(error?.code == .uniqueViolation)
            #expect(error?.objectIndex == 1)
        }
    }

    @Test func `what the reader throws is passed on, and the connection can be used`() async throws {
        struct Refusal: Error {}
        try await withWriter { connection async throws in
            try await connection.execute(Self.table)
            try await connection.execute("INSERT INTO t VALUES (?, ?)", rows(0..<3))
            for isBrief in [true, false] {
                await #expect(throws: Refusal.self) {
                    try await connection.run(
                        Statement("SELECT * FROM t", isBrief: isBrief),
                        .none,
                        timeout: nil
                    ) { source in
                        _ = try source.next()
                        throw Refusal()
                    }
                }
            }
            #expect(try await connection.rows("SELECT count(*) FROM t") == [[3]])
        }
    }

    @Test func `a query that is left unread is given up`() async throws {
        try await withWriter { connection async throws in
            let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"
            let first = try await connection.run(Statement(endless), .none, timeout: nil) { try $0.next()?[0].integer }
            #expect(first == 1)
            #expect(connection.transactionStatus == .idle)
        }
    }

    @Test func `affected rows count changes only`() async throws {
        try await withWriter { connection async throws in
            #expect(try await connection.execute(Self.table) == 0)
            #expect(try await connection.execute("INSERT INTO t VALUES (?, ?)", rows(0..<5)) == 5)
            #expect(try await connection.execute("CREATE TABLE u (x)") == 0)
            #expect(try await connection.execute("SELECT * FROM t") == 0)
            #expect(try await connection.execute("-- all\n /* of\nthem */ UPDATE t SET name = 'x' WHERE id > 1") == 3)
            #expect(
                try await connection.execute("WITH c AS (SELECT 1 AS i) DELETE FROM t WHERE id IN (SELECT i FROM c)")
                    == 1
            )
            #expect(try await connection.execute("WITH c AS (SELECT 1 AS i) SELECT i FROM c") == 0)
            #expect(try await connection.execute("DELETE FROM t") == 4)
        }
    }

    @Test func `no rows of parameters is no run`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute(Self.table)
            #expect(try await connection.execute("INSERT INTO t VALUES (?, ?)", ParameterBuffer(width: 2)) == 0)
            #expect(try await connection.rows("SELECT count(*) FROM t") == [[0]])
        }
    }

    @Test(arguments: [
        "SELECT 1; DROP TABLE t", "SELECT 1;;SELECT 2", "DELETE FROM t; -- x\n DELETE FROM t",
        "DELETE FROM t;\0DROP TABLE t",
        "DELETE FROM t\0; DROP TABLE t", "DELETE FROM t; nonsense", "", "  -- nothing\n ", ";",
    ])
    func `anything but one statement is refused, and nothing of it runs`(sql: String) async throws {
        try await withWriter { connection async throws in
            try await connection.execute(Self.table)
            try await connection.execute("INSERT INTO t VALUES (1, 'x')")
            let error = await databaseError { try await connection.execute(sql) }
            #expect(error?.code == .syntax)
            #expect(error?.sql == sql)
            #expect(try await connection.rows("SELECT count(*) FROM t") == [[1]])
        }
    }

    @Test(arguments: ["SELECT 1;", "SELECT 1 ; -- done", "SELECT 1;\n/* done */ ;", "SELECT 1 /* open", "; SELECT 1"])
    func `one statement may have semicolons and comments around it`(sql: String) async throws {
        try await withWriter { connection async throws in
            #expect(try await connection.rows(Statement(sql)) == [[1]])
        }
    }

    @Test(arguments: [0, 1, 3])
    func `a wrong number of parameters is refused, and nothing runs`(width: Int) async throws {
        try await withWriter { connection async throws in
            try await connection.execute(Self.table)
            let values = [TestValue](repeating: 1, count: width)
            let error = await databaseError {
                try await connection.execute("INSERT INTO t VALUES (?, ?)", ParameterBuffer(rows: [values]))
            }
            #expect(error?.code == .invalidValue)
            #expect(try await connection.rows("SELECT count(*) FROM t") == [[0]])
        }
    }

    @Test func `column names are those of the schema as it now is`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE t (a)")
            let all = Statement("SELECT * FROM t")
            func names() async throws -> [String] {
                try await connection.run(all, .none, timeout: nil) { source in
                    while try source.next() != nil {}
                    return source.columnNames
                }
            }
            #expect(try await names() == ["a"])
            try await connection.execute("ALTER TABLE t RENAME COLUMN a TO b")
            try await connection.execute("ALTER TABLE t ADD COLUMN \"c d\"")
            try await connection.execute("INSERT INTO t VALUES (1, 2)")
            #expect(try await names() == ["b", "c d"])
            #expect(try await connection.rows(all) == [[1, 2]])
        }
    }

    @Test func `a pragma acts each time it is run`() async throws {
        try await withWriter { connection async throws in
            let (off, on) = (Statement("PRAGMA foreign_keys = OFF"), Statement("PRAGMA foreign_keys = ON"))
            for _ in 0..<3 {
                try await connection.rows(off)
                #expect(try await connection.rows("PRAGMA foreign_keys") == [[0]])
                try await connection.rows(on)
                #expect(try await connection.rows("PRAGMA foreign_keys") == [[1]])
            }
        }
    }

    @Test func `strings in double quotes are refused`() async throws {
        try await withWriter { connection async throws in
            let error = await databaseError { try await connection.rows("SELECT \"no such column\"") }
            #expect(error?.code == .notMigrated)
        }
    }
}
