@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastSQLite

struct ErrorTests {
    private static let schema = [
        """
        CREATE TABLE parent (
            id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, code TEXT UNIQUE, flag INTEGER CHECK ("flag" IN (0, 1))
        ) STRICT
        """,
        """
        CREATE TABLE child (
            a INTEGER, b TEXT NOT NULL, parent_id INTEGER REFERENCES parent(id),
            n INTEGER CONSTRAINT positive CHECK (n > 0), PRIMARY KEY (a, b)
        ) STRICT
        """,
        "CREATE UNIQUE INDEX child_lower ON child (lower(b)) WHERE a > 1",
        "CREATE TRIGGER no_99 BEFORE INSERT ON parent WHEN new.id = 99 BEGIN SELECT RAISE(ABORT, 'no 99'); END",
        "CREATE TABLE \"a.b, c\" (\"d.e\" INTEGER, \"f, g\" INTEGER, UNIQUE (\"d.e\", \"f, g\")) STRICT",
        "INSERT INTO parent VALUES (1, 'secret', 0)",
        "INSERT INTO child VALUES (1, 'secret', 1, 1), (3, 'secret', 1, 1)",
        "INSERT INTO \"a.b, c\" VALUES (1, 2)",
    ]

    struct Expected: Sendable, CustomStringConvertible {
        var sql: String
        var code: DatabaseError.Code
        var engineCode: String?
        var table: String?
        var properties: [String] = []
        var constraint: String?
        var description: String { sql }
    }

    @Test(
        arguments: [
            .init(
                sql: "INSERT INTO parent VALUES (1, 'x', 0)",
                code: .uniqueViolation,
                engineCode: "1555",
                table: "parent",
                properties: ["id"]
            ),
            .init(
                sql: "INSERT INTO parent VALUES (2, 'secret', 0)",
                code: .uniqueViolation,
                engineCode: "2067",
                table: "parent",
                properties: ["code"]
            ),
            .init(
                sql: "INSERT INTO child VALUES (1, 'secret', 1, 1)",
                code: .uniqueViolation,
                engineCode: "1555",
                table: "child",
                properties: ["a", "b"]
            ),
            .init(
                sql: "INSERT INTO child VALUES (2, 'SECRET', 1, 1)",
                code: .uniqueViolation,
                engineCode: "2067",
                constraint: "child_lower"
            ),
            .init(
                sql: "INSERT INTO \"a.b, c\" VALUES (1, 2)",
                code: .uniqueViolation,
                engineCode: "2067",
                table: "a.b, c",
                properties: ["d.e", "f, g"]
            ),
            .init(sql: "INSERT INTO child VALUES (2, 'x', 17, 1)", code: .foreignKeyViolation, engineCode: "787"),
            .init(sql: "DELETE FROM parent", code: .foreignKeyViolation, engineCode: "787"),
            .init(
                sql: "INSERT INTO child VALUES (2, NULL, 1, 1)",
                code: .notNullViolation,
                engineCode: "1299",
                table: "child",
                properties: ["b"]
            ),
            .init(
                sql: "INSERT INTO child VALUES (2, 'x', 1, 0)",
                code: .checkViolation,
                engineCode: "275",
                constraint: "positive"
            ),
            .init(
                sql: "INSERT INTO parent VALUES (2, 'x', 7)",
                code: .checkViolation,
                engineCode: "275",
                constraint: "flag"
            ),
            .init(sql: "INSERT INTO parent VALUES (99, 'x', 1)", code: .checkViolation, engineCode: "1811"),
            .init(
                sql: "INSERT INTO child VALUES ('secret', 'x', 1, 1)",
                code: .invalidValue,
                engineCode: "3091",
                table: "child",
                properties: ["a"]
            ),
            .init(sql: "INSERT INTO parent VALUES ('secret', 'x', 1)", code: .invalidValue, engineCode: "20"),
            .init(sql: "SELECT abs(-9223372036854775808)", code: .invalidValue, engineCode: "1"),
            .init(
                sql: "SELECT sum(n) FROM (SELECT 9223372036854775807 AS n UNION ALL SELECT 1)",
                code: .invalidValue,
                engineCode: "1"
            ),
            .init(sql: "SELECT json('{secret')", code: .invalidValue, engineCode: "1"),
            .init(sql: "SELECT zeroblob(2000000000)", code: .invalidValue, engineCode: "18"),
            .init(sql: "SELECT * FROM missing", code: .notMigrated, engineCode: "1", table: "missing"),
            .init(sql: "INSERT INTO main.missing VALUES (1)", code: .notMigrated, engineCode: "1", table: "missing"),
            .init(sql: "SELECT secret FROM parent", code: .notMigrated, engineCode: "1"),
            .init(sql: "SELECT secret(1)", code: .syntax, engineCode: "1"),
            .init(sql: "SELEC 'secret'", code: .syntax, engineCode: "1"),
            .init(sql: "SELECT (", code: .syntax, engineCode: "1"),
            .init(sql: "SELECT 'secret", code: .syntax, engineCode: "1"),
            .init(sql: "RELEASE secret", code: .syntax, engineCode: "1"),
            .init(sql: "COMMIT", code: .transactionAborted, engineCode: "1"),
            .init(sql: "CREATE TABLE parent (x)", code: .conflict, engineCode: "1"),
        ] as [Expected]
    )
    func `an error of the engine has its portable code`(expected: Expected) async throws {
        try await withWriter { connection async throws in
            for sql in Self.schema { try await connection.execute(sql) }
            let error = try #require(await databaseError { try await connection.execute(expected.sql) })
            #expect(error.code == expected.code)
            #expect(error.engineCode == expected.engineCode)
            #expect(error.table == expected.table)
            #expect(error.properties == expected.properties)
            #expect(error.constraint == expected.constraint)
            #expect(error.sql == expected.sql)
            #expect(connection.transactionStatus == .idle)
        }
    }

    @Test func `what can only be read is told, and is no error of syntax`() async throws {
        try await withWriter { connection async throws in
            try await connection.rows("CREATE TABLE t (a INTEGER, b INTEGER GENERATED ALWAYS AS (a * 2) STORED)")
            try await connection.rows("CREATE VIEW v AS SELECT a FROM t")
            for sql in [
                "INSERT INTO t (a, b) VALUES (1, 2)", "UPDATE t SET b = 2", "INSERT INTO v VALUES (1)",
                "UPDATE v SET a = 1", "DELETE FROM v",
            ] {
                let error = await databaseError { try await connection.rows(sql) }
                #expect(error?.code == .unsupported, "\(sql)")
            }
        }
    }

    @Test func `neither values nor the engine's words are told, unless they are to be shown`() async throws {
        for shows in [false, true] {
            try await withWriter({ $0.telemetry.showsValues = shows }) { connection async throws in
                for sql in Self.schema { try await connection.execute(sql) }
                let failing = [
                    ("INSERT INTO parent VALUES (2, ?, 0)", TestValue.text("secret")), ("SELECT json(?)", "secret"),
                    ("INSERT INTO child VALUES (?, 'x', 1, 1)", "secret"),
                ]
                for (sql, value) in failing {
                    let error = try #require(await databaseError { try await connection.rows(sql, value) })
                    #expect((error.shownEngineMessage != nil) == shows)
                    #expect(!error.description.contains("secret"))
                    #expect(shows || !error.debugDescription.contains("secret"))
                    #expect(shows || !error.debugDescription.contains("failed:"))
                }
            }
        }
    }

    @Test(
        arguments: [
            (SQLITE_BUSY, .lockTimeout), (261, .lockTimeout), (517, .serializationFailure), (6, .lockTimeout),
            (262, .lockTimeout), (8, .readOnly), (264, .readOnly), (1032, .connectionLost),
            (13, .diskFull), (10, .engine), (266, .engine), (3082, .engine), (11, .corrupt), (267, .corrupt),
            (26, .corrupt), (14, .cannotConnect),
            (7, .engine), (18, .invalidValue), (20, .invalidValue), (25, .invalidValue), (2579, .uniqueViolation),
            (9, .cancelled), (21, .engine),
        ] as [(Int32, DatabaseError.Code)]
    )
    func `a result code has its portable code`(result: Int32, code: DatabaseError.Code) {
        #expect(DatabaseError(sqlite: ResultCode(result, ""), showsValues: false).code == code)
    }

    private static let SQLITE_BUSY: Int32 = 5

    @Test func `a change whose commit failed on the disk may be found after a crash`() {
        func mayHaveRun(_ code: Int32) -> Bool {
            DatabaseError(sqlite: ResultCode(code, ""), showsValues: false).mayHaveRun
        }
        // SQLITE_IOERR, SQLITE_IOERR_WRITE and SQLITE_IOERR_FSYNC.
        for code in [10, 10 | 3 << 8, 10 | 4 << 8] as [Int32] { #expect(mayHaveRun(code), "\(code)") }
        // SQLITE_FULL, SQLITE_IOERR_NOMEM and SQLITE_BUSY.
        for code in [13, 10 | 12 << 8, 5] as [Int32] { #expect(!mayHaveRun(code), "\(code)") }
    }

    @Test func `an interruption tells its cause`() {
        let result = ResultCode(9, "interrupted")
        #expect(DatabaseError(sqlite: result, interruption: .timedOut, showsValues: false).code == .statementTimeout)
        #expect(DatabaseError(sqlite: result, interruption: .cancelled, showsValues: false).code == .cancelled)
    }
}
