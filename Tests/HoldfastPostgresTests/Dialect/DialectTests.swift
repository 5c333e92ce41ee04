@_spi(Driver) import Holdfast
import Testing

@_spi(Driver) @testable import HoldfastPostgres

@Suite struct DialectTests {
    let dialect = PostgresDialect()

    private func literal(_ value: Value, _ type: ColumnType) -> String {
        var parameters = ParameterBuffer(width: 1)
        value.append(to: &parameters)
        return parameters.withRow(0) { dialect.literal($0[0], type: type) }
    }

    @Test func `names and placeholders are PostgreSQL's`() {
        #expect(dialect.placeholder(3) == "$3")
        #expect(dialect.quoted("a\"b") == "\"a\"\"b\"")
        #expect(dialect.typeName(.text) == "text COLLATE \"C\"")
        #expect(dialect.isIn([("a", .int64)], from: 3) == "a = ANY ($3::bigint[])")
        #expect(
            dialect.isIn([("a", .int64), ("b", .text)], from: 1)
                == "(a, b::text) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))")
        #expect(dialect.begin(.serializable, readOnly: false) == "BEGIN ISOLATION LEVEL SERIALIZABLE")
        #expect(dialect.begin(.readCommitted, readOnly: true) == "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY")
    }

    static let literals: [(Value, ColumnType)] = [
        (.null, .text), (.boolean(true), .boolean), (.integer(-5), .int64), (.integer(.min), .int64),
        (.integer(7), .int16),
        (.real(-0.1), .double), (.real(.infinity), .double), (.real(-.infinity), .float), (.real(1e300), .double),
        (.text("it's \\ \"ü\" $1"), .text), (.text(""), .text), (.blob([0, 255, 39, 92]), .blob), (.blob([]), .blob),
        (.timestamp(0), .timestamp), (.timestamp(-1), .timestamp), (.timestamp(1_234_567_890_123_456), .timestamp),
        (.timestamp(-210_866_803_200_000_000), .timestamp), (.timestamp(.max), .timestamp),
        (.timestamp(-62_135_596_800_000_000), .timestamp), (.timestamp(-62_135_596_800_000_001), .timestamp),
        (.timestamp(253_402_300_800_000_000), .timestamp), (.timestamp(951_782_400_000_000), .timestamp),
        (.decimal("-12345678901234567890.5"), .decimal), (.uuid(Array(0..<16)), .uuid), (.json("{\"it's\": 1}"), .json),
    ]

    @Test(.enabled(if: TestServer.isAvailable, TestServer.reason), .server, arguments: literals)
    func `a constant means its value`(value: Value, type: ColumnType) async throws {
        try await TestServer.withConnection { connection async throws in
            let name = dialect.storedTypeName(type)
            try await connection.execute("CREATE TEMPORARY TABLE t (v \(name) DEFAULT \(literal(value, type)))")
            try await connection.execute("INSERT INTO t DEFAULT VALUES")
            #expect(try await connection.value("SELECT v FROM t") == value)
        }
    }

    @Test(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
    func `a generated key goes on after the greatest one that was given`() async throws {
        try await TestServer.withSchema { driver async throws in
            let connection = try await driver.open(.write)
            let (table, column) = ("The \"table\"", "The 'id'")
            let (name, key) = (dialect.quoted(table), dialect.quoted(column))
            try await connection.execute("CREATE TABLE \(name) (\(key) \(dialect.generatedKeyDefinition), n int)")
            let advance = try #require(dialect.advanceGeneratedKey(table: TableName(table), column: column))
            func next() async throws -> Value {
                try await connection.value("INSERT INTO \(name) (n) VALUES (1) RETURNING \(key)")
            }
            try await connection.execute(advance)
            #expect(try await next() == .integer(1))
            for (given, expected) in [(5, 6), (3, 7), (-9, 8), (500_000, 500_001), (500_000, 500_002)]
                as [(Int64, Int64)]
            {
                try await connection.execute(
                    "INSERT INTO \(name) (\(key)) VALUES ($1) ON CONFLICT DO NOTHING", [.integer(given)])
                try await connection.execute(advance)
                #expect(try await next() == .integer(expected))
            }
            let last = Int64.max - 1
            try await connection.execute("INSERT INTO \(name) (\(key)) VALUES ($1)", [.integer(last)])
            try await connection.execute(advance)
            #expect(try await next() == .integer(.max))
            await connection.close()
        }
    }

    @Test(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
    func `keys are given once though many raise the sequence at the same time`() async throws {
        try await TestServer.withSchema { driver async throws in
            let first = try await driver.open(.write)
            try await first.execute("CREATE TABLE t (id \(dialect.generatedKeyDefinition), n int)")
            let advance = try #require(dialect.advanceGeneratedKey(table: "t", column: "id"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...6 {
                    let connection = try await driver.open(.write)
                    group.addTask {
                        for round in 1...20 {
                            if number <= 2 {
                                let key = Int64(round * 3000 + number * 1_000_000)
                                try await connection.execute(
                                    "INSERT INTO t (id) VALUES ($1) ON CONFLICT DO NOTHING", [.integer(key)])
                                try await connection.execute(advance)
                            } else {
                                for _ in 0..<5 { try await connection.execute("INSERT INTO t (n) VALUES (1)") }
                            }
                        }
                        await connection.close()
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await first.value("SELECT count(*) FROM t WHERE n = 1") == .integer(400))
            await first.close()
        }
    }

    @Test(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
    func `the schema lock is one per schema, and ends with the transaction`() async throws {
        try await TestServer.withSchema({ $0.timeouts.lock = .milliseconds(200) }) { driver async throws in
            let lock = try #require(dialect.schemaLock?.wait.dropFirst().first)
            let attempt = try #require(dialect.schemaLock?.attempt)
            let (first, second) = (try await driver.open(.write), try await driver.open(.write))
            try await TestServer.withConnection { elsewhere async throws in
                for connection in [first, second, elsewhere] { try await connection.execute("BEGIN") }
                try await first.execute(lock)
                try await elsewhere.execute(lock)
                #expect(try await second.value(attempt) == .boolean(false))
                #expect(try await second.failure(lock).code == .lockTimeout)
                try await first.execute("COMMIT")
                try await second.execute("ROLLBACK")
                try await second.execute(lock)
            }
            await first.close()
            await second.close()
        }
    }

    static let changingSession = [
        "SET search_path = x", "set session lock_timeout = 5", "SET ROLE someone", "RESET ALL", "LISTEN a",
        "UNLISTEN *",
        "PREPARE a AS SELECT 1", "DEALLOCATE a", "DISCARD TEMP", "LOAD 'x'", "-- SET LOCAL\nSET x = 1",
        "/* a /* b */ c */ SET x = 1",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
        "CREATE TEMP TABLE t (a int)", "create local temporary table t as select 1", "CREATE TABLE pg_temp.t (a int)",
        "CREATE OR REPLACE TEMP VIEW v AS SELECT 1", "SELECT 1 AS a INTO TEMP t", "SELECT pg_advisory_lock(1)",
        "WITH a AS (SELECT pg_try_advisory_lock($1)) SELECT * FROM a", "SELECT set_config('a.b', $1, false)",
        "SELECT set_config('a.b', 'true', $1)", "SELECT setseed(0.5)",
        "DO $$ BEGIN SET TimeZone = 'Asia/Tokyo'; END $$", "DO $$ BEGIN IF true THEN SET x.y = 1; END IF; END $$",
        "DO LANGUAGE plpgsql $b$ DECLARE a int; BEGIN PERFORM set_config('a.b', 'c', false); END $b$",
        "DO $$ BEGIN EXECUTE 'SET search_path = a'; END $$", "do 'begin execute ''set a.b = 1''; end'",
        "DO $$ BEGIN FOR i IN 1..2 LOOP SET a.b = 1; END LOOP; END $$",
        "DO $$ BEGIN PERFORM pg_advisory_lock(1); END $$",
    ]
    static let leavingSession = [
        "SET LOCAL search_path = x", "SET /* not */ TRANSACTION READ ONLY", "SET CONSTRAINTS ALL DEFERRED",
        "PREPARE TRANSACTION 'a'", "DECLARE c CURSOR FOR SELECT 1", "SELECT pg_advisory_xact_lock(1)",
        "SELECT set_config('a.b', $1, true)", "CREATE TEMP TABLE t (a int) ON COMMIT DROP",
        "CREATE TABLE t (temp int)", "CREATE TABLE a AS SELECT temp FROM b", "SELECT temp, temporary FROM weather",
        "UPDATE a SET b = 1", "INSERT INTO temp (a) VALUES (1)", "SELECT 'pg_advisory_lock(1)', \"setseed\" FROM t",
        "SELECT $$ SET x = 1 $$", "SHOW search_path", "VACUUM", "",
        "DO $$ BEGIN UPDATE a SET b = 1; INSERT INTO a VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 2; END $$",
        "DO $$ BEGIN SET LOCAL TimeZone = 'UTC'; PERFORM set_config('a.b', 'c', true); RAISE NOTICE 'set it'; END $$",
    ]

    @Test func `what stays in a session is told from what does not`() {
        for sql in Self.changingSession {
            #expect(dialect.changesSession(RawStatementText(sql, dialect.sqlSyntax)), "\(sql)")
        }
        for sql in Self.leavingSession {
            #expect(!dialect.changesSession(RawStatementText(sql, dialect.sqlSyntax)), "\(sql)")
        }
    }
}
