@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

/// What a parameter means where SQL doesn't say it.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct TypeInferenceTests {
    static let uuid = Value.uuid(Array(1...16))

    static let expressions: [(String, [Value], Value)] = [
        ("SELECT $1", [.integer(5)], .integer(5)),
        ("SELECT $1", [.integer(.max)], .integer(.max)),
        ("SELECT $1", [.real(1.5)], .real(1.5)),
        ("SELECT $1", [.boolean(true)], .boolean(true)),
        ("SELECT $1", [.text("x")], .text("x")),
        ("SELECT $1", [.null], .null),
        ("SELECT $1", [.timestamp(1)], .timestamp(1)),
        ("SELECT $1", [.decimal("1.50")], .decimal("1.50")),
        ("SELECT $1", [.blob([0, 1])], .blob([0, 1])),
        ("SELECT $1 + 1", [.integer(5)], .integer(6)),
        ("SELECT $1 + $2", [.integer(5), .integer(6)], .integer(11)),
        ("SELECT $1 + $2", [.integer(5), .real(0.5)], .real(5.5)),
        ("SELECT $1 * $2", [.decimal("0.1"), .integer(3)], .decimal("0.3")),
        ("SELECT $1 || $2", [.text("a"), .text("b")], .text("ab")),
        ("SELECT concat($1, $2)", [.text("a"), .integer(1)], .text("a1")),
        ("SELECT concat($1, $2)", [.text("a"), .null], .text("a")),
        ("SELECT coalesce($1, 7)", [.integer(5)], .integer(5)),
        ("SELECT coalesce($1, $2)", [.null, .integer(5)], .integer(5)),
        ("SELECT $1 IS NULL", [.integer(5)], .boolean(false)),
        ("SELECT $1 IS NULL", [.null], .boolean(true)),
        ("SELECT substr('abcdef', $1)", [.integer(3)], .text("cdef")),
        ("SELECT substr($2, $1)", [.integer(3), .text("abcdef")], .text("cdef")),
        ("SELECT round($1, 1)", [.decimal("2.55")], .decimal("2.6")),
        ("SELECT abs($1)", [.integer(-3)], .real(3)),
        ("SELECT -$1", [.integer(3)], .integer(-3)),
        ("SELECT CASE WHEN true THEN $1 ELSE $2 END", [.integer(1), .integer(2)], .integer(1)),
        ("SELECT x FROM generate_series(1, 9) AS x LIMIT 1 OFFSET $1", [.integer(3)], .integer(4)),
        ("SELECT count(*) FROM generate_series(1, 9) AS x WHERE x > $1", [.integer(3)], .integer(6)),
        ("SELECT count(*) FROM generate_series(1, 9) AS x WHERE x = ANY($1)", [.text("{1,3}")], .integer(2)),
        (
            "SELECT count(*) FROM generate_series(1, 9) AS x WHERE x IN ($1, $2)", [.integer(3), .integer(4)],
            .integer(2)
        ),
        ("SELECT jsonb_build_object('a', $1)", [.integer(1)], .json("{\"a\": 1}")),
        ("SELECT jsonb_build_object('a', $1)", [.text("x")], .json("{\"a\": \"x\"}")),
        ("SELECT jsonb_build_object('a', $1, 'b', $2)", [.integer(1), .null], .json("{\"a\": 1, \"b\": null}")),
        ("SELECT jsonb_build_object('a', $1)", [.json("[1]")], .json("{\"a\": [1]}")),
        ("SELECT gen_random_uuid() = $1", [uuid], .boolean(false)),
        ("SELECT 1.5 > $1", [.real(0.1)], .boolean(true)),
        ("SELECT 0.1 = $1", [.real(0.1)], .boolean(true)),
        ("SELECT sum(v) FROM (VALUES ($1), ($2)) AS t (v)", [.integer(1), .integer(2)], .decimal("3")),
        (
            "SELECT count(*) FROM generate_series(1, 9) AS x WHERE (x, 'k') IN (VALUES ($1, $2), ($3, $4))",
            [.integer(1), .text("k"), .integer(2), .text("l")], .integer(1)
        ),
        ("SELECT $1 UNION ALL SELECT 1 ORDER BY 1 DESC", [.integer(2)], .integer(2)),
        ("SELECT to_timestamp(0) < $1", [.timestamp(1)], .boolean(true)),
        ("SELECT date '2026-01-02' > $1", [.timestamp(1_767_225_600_000_000)], .boolean(true)),
        // The session is in UTC, so a time without zone means the same instant.
        ("SELECT timestamp '1970-01-01 00:00:01' = to_timestamp(1)", [], .boolean(true)),
        ("SELECT to_timestamp(1)::text", [], .text("1970-01-01 00:00:01+00")),
    ]

    @Test(arguments: expressions)
    func `an expression takes its parameters`(sql: String, values: [Value], expected: Value) async throws {
        try await TestServer.withConnection { connection async throws in
            let statement = Statement(sql)
            for _ in 0..<2 { #expect(try await connection.execute(statement, values).first?.first == expected) }
            // In a transaction, trying one way and then another must not end it.
            try await connection.execute("BEGIN")
            #expect(try await connection.execute(sql, values).first?.first == expected)
            #expect(connection.transactionStatus == .open)
            try await connection.execute("ROLLBACK")
        }
    }

    static let columns: [(String, Value)] = [
        ("smallint", .integer(3)), ("integer", .integer(3)), ("bigint", .integer(3)), ("numeric", .integer(3)),
        ("numeric", .real(2.5)), ("numeric", .decimal("2.5")), ("double precision", .integer(3)),
        ("double precision", .decimal("2.5")), ("real", .real(2.5)), ("text", .text("3")),
        ("timestamp with time zone", .timestamp(5)), ("timestamp without time zone", .timestamp(5)),
        ("uuid", uuid), ("boolean", .boolean(true)), ("bytea", .blob([1])),
    ]

    @Test(arguments: columns)
    func `an index is used for a comparison with any kind of number`(type: String, value: Value) async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (v \(type) PRIMARY KEY)")
            try await connection.execute("INSERT INTO t VALUES ($1)", [value])
            try await connection.execute("SET enable_seqscan = off")
            let count = Statement("SELECT count(*) FROM t WHERE v = $1")
            #expect(try await connection.execute(count, [value]) == [[.integer(1)]])
            let plan = try await connection.execute("EXPLAIN SELECT * FROM t WHERE v = $1", [value])
            #expect(plan.description.contains("Index Cond"), "\(plan)")
        }
    }

    @Test func `a type is not chosen by a NULL that comes first`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (a int, b text, c numeric)")
            let insert = Statement("INSERT INTO t VALUES ($1, $2, $3)")
            try await connection.execute(
                insert,
                rows: [
                    [.null, .null, .null], [.integer(1), .text("x"), .decimal("1.5")], [.null, .text("y"), .null],
                ])
            #expect(try await connection.value("SELECT count(*) FROM t WHERE a = 1 AND c = 1.5") == .integer(1))
        }
    }

    @Test func `one statement takes values of different kinds in turn`() async throws {
        try await TestServer.withConnection { connection async throws in
            let statement = Statement("SELECT $1")
            let values: [Value] = [
                .integer(1), .text("a"), .real(0.5), .null, .integer(2), .boolean(false), .text("b"),
            ]
            for value in values { #expect(try await connection.execute(statement, [value]) == [[value]]) }
            #expect(
                try await connection.execute(statement, rows: [[.null], [.integer(1)], [.integer(2)]])
                    == [[.null], [.integer(1)], [.integer(2)]])
            #expect(
                try await connection.execute(statement, rows: [[.real(0.5)], [.integer(1)]]) == [
                    [.real(0.5)], [.real(1)],
                ])
            let error = try await #require(throws: DatabaseError.self) {
                try await connection.execute(statement, rows: [[.blob([1])], [.integer(1)]])
            }
            #expect(error.code == .invalidValue)
        }
    }

    @Test func `a wrong number of parameters is refused`() async throws {
        try await TestServer.withConnection { connection async throws in
            #expect(try await connection.failure("SELECT $1::int, $2::int", [.integer(1)]).code == .invalidValue)
            #expect(try await connection.failure("SELECT $1::int").code == .invalidValue)
            #expect(try await connection.failure("SELECT 1", [.integer(1)]).code == .invalidValue)
            #expect(try await connection.value("SELECT 1") == .integer(1))
        }
    }

    @Test func `an unknown function ends a transaction, as any error does`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("BEGIN")
            #expect(try await connection.failure("SELECT no_such_function($1)", [.integer(1)]).code == .syntax)
            #expect(connection.transactionStatus == .failed)
            #expect(try await connection.failure("SELECT 1").code == .transactionAborted)
            try await connection.execute("ROLLBACK")
            #expect(connection.transactionStatus == .idle)
        }
    }
}
