@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

/// Each value in a column of each type, sent and read back.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct ValueTests {
    /// Stores `value` in a column of `type`, and returns what the column then holds.
    private func roundTrip(_ value: Value, _ type: String) async throws -> Value {
        var result = Value.null
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (v \(type))")
            try await connection.execute("INSERT INTO t VALUES ($1)", [value])
            result = try await connection.value("SELECT v FROM t")
        }
        return result
    }

    static let identities: [(String, [Value])] = [
        ("boolean", [.boolean(true), .boolean(false), .null]),
        ("smallint", [.integer(-32768), .integer(0), .integer(32767)]),
        ("integer", [.integer(-2_147_483_648), .integer(2_147_483_647)]),
        ("bigint", [.integer(.min), .integer(-1), .integer(.max)]),
        ("oid", [.integer(0), .integer(4_294_967_295)]),
        ("real", [.real(1.5), .real(-0.1.asFloat), .real(.infinity), .real(Double(Float.greatestFiniteMagnitude))]),
        (
            "double precision",
            [
                .real(0.1), .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude),
                .real(1.7976931348623157e308), .real(0),
            ]
        ),
        (
            "text",
            [.text(""), .text("a"), .text("é"), .text("e\u{301}"), .text("👩‍👩‍👧‍👦\u{10FFFF}"), .text("'\\%_$1"), .null]
        ),
        ("character varying(9)", [.text("a b")]),
        ("character(3)", [.text("ab")]),
        ("name", [.text("a")]),
        ("xml", [.text("<a>é</a>")]),
        ("bytea", [.blob([]), .blob([0, 255, 0]), .blob(Array(0...255))]),
        (
            "timestamp with time zone",
            [
                .timestamp(0), .timestamp(-1), .timestamp(946_684_800_000_000), .timestamp(1_234_567_890_123_456),
                // The first and the last microsecond that the type holds and 64 bits since 1970 reach.
                .timestamp(-210_866_803_200_000_000), .timestamp(.max),
                // Date.distantPast and .distantFuture
                .timestamp(-62_135_769_600_000_000), .timestamp(64_092_211_200_000_000),
            ]
        ),
        ("timestamp without time zone", [.timestamp(0), .timestamp(-1), .timestamp(1_234_567_890_123_456)]),
        ("date", [.timestamp(0), .timestamp(-86_400_000_000), .timestamp(951_782_400_000_000)]),
        ("uuid", [.uuid(Array(0..<16)), .uuid(Array(repeating: 255, count: 16))]),
        ("json", [.json("{\"a\": [1,  2]}"), .json("null"), .json("\"é\"")]),
        ("jsonb", [.json("{\"a\": [1, 2]}"), .json("[]")]),
        (
            "numeric",
            [
                "0", "1", "-1", "10", "-0.0001", "0.1", "12.50", "9999", "10000", "10001", "99990000", "100000000",
                "0.0000000000000000000000000000000000000001", "1000000000000000000000000000000",
                "12345678901234567890123456789012345678901234567890.12345678901234567890",
                "-99999999999999999999999999999999999999", "0.00010002", "1.0000", "3.14159", "0.00", "1234.5600",
            ].map { .decimal($0) }
        ),
    ]

    @Test(arguments: identities)
    func `a value comes back as it went`(type: String, values: [Value]) async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (id int, v \(type))")
            let insert = Statement("INSERT INTO t VALUES ($1, $2)")
            try await connection.execute(insert, rows: values.enumerated().map { [.integer(Int64($0)), $1] })
            let rows = try await connection.execute("SELECT v FROM t ORDER BY id")
            #expect(rows == values.map { [$0] })
            // The server understands them as we do.
            for value in values where value != .null {
                let count = try await connection.value(
                    "SELECT count(*) FROM t WHERE v::text = ($1::\(type))::text", [value])
                #expect(count != .integer(0), "\(value)")
            }
        }
    }

    static let conversions: [(Value, String, Value)] = [
        (.integer(7), "numeric", .decimal("7")),
        (.integer(.min), "numeric", .decimal("-9223372036854775808")),
        (.integer(7), "double precision", .real(7)),
        (.integer(9_007_199_254_740_992), "double precision", .real(9_007_199_254_740_992)),
        (.integer(16_777_216), "real", .real(16_777_216)),
        (.boolean(true), "integer", .integer(1)),
        (.real(3), "integer", .integer(3)),
        (.real(-0.1), "numeric", .decimal("-0.1")),
        (.real(1e30), "numeric", .decimal("1000000000000000000000000000000")),
        (.real(1.5e-7), "numeric", .decimal("0.00000015")),
        (.real(2), "numeric", .decimal("2")),
        (.decimal("12.00"), "bigint", .integer(12)),
        (.decimal("0.10"), "double precision", .real(0.1)),
        (.decimal("0.5"), "real", .real(0.5)),
        (.text("12.5"), "numeric", .decimal("12.5")),
        (.text("12"), "integer", .integer(12)),
        (.text("true"), "boolean", .boolean(true)),
        (.text("{\"a\": 1}"), "jsonb", .json("{\"a\": 1}")),
        (.text("{\"a\":1}"), "json", .json("{\"a\":1}")),
        (.text("00000000-0000-0000-0000-0000000000ff"), "uuid", .uuid(Array(repeating: 0, count: 15) + [255])),
        (.text("2026-11-21 09:30:00.5+00"), "timestamp with time zone", .timestamp(1_795_253_400_500_000)),
        (.json("[1]"), "text", .text("[1]")),
        (.uuid(Array(repeating: 171, count: 16)), "text", .text("abababab-abab-abab-abab-abababababab")),
        (.uuid(Array(0..<16)), "bytea", .blob(Array(0..<16))),
        // Where SQL alone would take a text, the value's kind decides, and assignment does the rest.
        (.integer(5), "text", .text("5")),
        (.boolean(true), "text", .text("true")),
    ]

    @Test(arguments: conversions)
    func `a value goes into a column that holds it exactly`(value: Value, type: String, expected: Value) async throws {
        #expect(try await roundTrip(value, type) == expected)
    }

    static let refusals: [(Value, String)] = [
        (.integer(32768), "smallint"), (.integer(-2_147_483_649), "integer"), (.integer(-1), "oid"),
        (.integer(9_007_199_254_740_993), "double precision"), (.integer(16_777_217), "real"),
        (.integer(1), "boolean"), (.integer(1), "uuid"), (.integer(1), "timestamp with time zone"),
        (.real(0.5), "integer"), (.real(1e30), "bigint"), (.real(0.1), "real"), (.real(.infinity), "numeric"),
        (.real(.infinity), "integer"), (.real(.nan), "numeric"),
        (.decimal("0.5"), "integer"), (.decimal("99999999999999999999"), "bigint"),
        (.decimal("0.12345678901234567890123"), "double precision"),
        (.boolean(true), "numeric"), (.blob([1]), "integer"), (.blob([1]), "jsonb"), (.json("1"), "integer"),
        (.timestamp(1), "date"), (.timestamp(.min), "timestamp with time zone"), (.timestamp(1), "integer"),
        (.uuid(Array(0..<16)), "integer"),
    ]

    @Test(arguments: refusals)
    func `a value that a column can't hold is refused before anything is sent`(value: Value, type: String) async throws
    {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (v \(type))")
            try await connection.execute("BEGIN")
            let error = try await connection.failure("INSERT INTO t VALUES ($1)", [value])
            #expect(error.code == .invalidValue)
            #expect(error.engineCode == nil)
            #expect(connection.transactionStatus == .open)
        }
    }

    @Test func `an enum and a domain are read and written`() async throws {
        try await TestServer.withSchema { driver async throws in
            let connection = try await driver.open(.write)
            try await connection.execute("CREATE TYPE mood AS ENUM ('sad', 'glad')")
            try await connection.execute("CREATE DOMAIN small AS integer CHECK (value < 10)")
            try await connection.execute("CREATE DOMAIN smaller AS small CHECK (value < 5)")
            try await connection.execute("CREATE TABLE t (m mood, s small, u smaller)")
            let row: [Value] = [.text("glad"), .integer(9), .integer(3)]
            try await connection.execute("INSERT INTO t VALUES ($1, $2, $3)", row)
            #expect(try await connection.execute("SELECT m, s, u FROM t WHERE m = $1", [.text("glad")]) == [row])
            #expect(try await connection.failure("INSERT INTO t VALUES ($1)", [.text("mad")]).code == .invalidValue)
            #expect(
                try await connection.failure("INSERT INTO t (s) VALUES ($1)", [.integer(10)]).code == .checkViolation)
            await connection.close()
        }
    }

    @Test func `a type without a cell of its own is refused by column and name`() async throws {
        try await TestServer.withConnection { connection async throws in
            let error = try await connection.failure("SELECT 1, interval '1 day' AS span")
            #expect(error.code == .unsupported)
            #expect(error.message.contains("\"span\" is of the type interval"))
            #expect(error.message.contains("span::text"))
            let array = try await connection.failure("SELECT ARRAY[interval '1 day'] AS spans")
            #expect(array.message.contains("\"spans\" is of the type interval[]"))
            #expect(try await connection.value("SELECT interval '1 day'::text") == .text("1 day"))
        }
    }

    @Test func `an array is read and sent as one of JSON`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute(
                "CREATE TEMPORARY TABLE t (i int[], s varchar(9)[], b boolean[], u uuid[], f real[])")
            let id = "5a0f3c8e-0000-4000-8000-0123456789ab"
            let values: [Value] = [
                .json("[1,null,-3]"), .json(#"["a","","b\"c\\"]"#), .json("[true,false]"), .json("[\"\(id)\"]"),
                .json("[0.5,2.0]"),
            ]
            try await connection.execute("INSERT INTO t VALUES ($1, $2, $3, $4, $5)", values)
            #expect(try await connection.execute("SELECT * FROM t") == [values])
            #expect(try await connection.value("SELECT s[3] FROM t") == .text(#"b"c\"#))
            #expect(try await connection.value("SELECT '{}'::text[]") == .json("[]"))
            for wrong in ["{}", "[1.5]", "[[1]]", "[\"a\"]", "[1] x", "[1,]"] {
                let error = try await connection.failure("INSERT INTO t (i) VALUES ($1)", [.json(wrong)])
                #expect(error.code == .invalidValue, "\(wrong)")
            }
            let error = try await connection.failure("SELECT ARRAY[[1, 2], [3, 4]] AS square")
            #expect(error.message.contains("\"square\" holds an array of several dimensions"))
            #expect(try await connection.failure("SELECT ARRAY['NaN'::float8]").code == .decoding)
            await connection.close()
        }
    }

    @Test func `text goes into a type of any kind, and other values do not`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (i interval, n inet, a int[])")
            let values: [Value] = [.text("1 day"), .text("10.0.0.1"), .text("{1,2}")]
            try await connection.execute("INSERT INTO t VALUES ($1, $2, $3)", values)
            let row = try await connection.execute("SELECT i::text, n::text, a::text FROM t")
            #expect(row == [[.text("1 day"), .text("10.0.0.1/32"), .text("{1,2}")]])
            let error = try await connection.failure("INSERT INTO t (i) VALUES ($1)", [.integer(1)])
            #expect(error.code == .unsupported)
            #expect(error.message.contains("interval"))
        }
    }

    @Test(arguments: [
        "SELECT 'infinity'::timestamptz AS v", "SELECT '-infinity'::timestamp AS v", "SELECT 'infinity'::date AS v",
        "SELECT 'NaN'::numeric AS v", "SELECT 'Infinity'::numeric AS v",
    ])
    func `what no property can hold is told by column`(sql: String) async throws {
        try await TestServer.withConnection { connection async throws in
            let error = try await connection.failure(sql)
            #expect(error.code == .decoding)
            #expect(error.properties == ["v"])
        }
    }

    @Test func `ten megabytes come back as they went`() async throws {
        try await TestServer.withConnection { connection async throws in
            let text = Value.text(String(repeating: "ä234567890", count: 950_000))
            let blob = Value.blob(Array(repeating: 0xfe, count: 10_000_000))
            let json = Value.json("[\"" + String(repeating: "x", count: 10_000_000) + "\"]")
            try await connection.execute("CREATE TEMPORARY TABLE t (a text, b bytea, c jsonb)")
            try await connection.execute("INSERT INTO t VALUES ($1, $2, $3)", [text, blob, json])
            let rows = try await connection.execute("SELECT a, b, c FROM t")
            #expect(rows == [[text, blob, json]])
        }
    }
}

extension Double {
    fileprivate var asFloat: Double { Double(Float(self)) }
}
