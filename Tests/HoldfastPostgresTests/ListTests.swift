import Holdfast
import Testing

@testable import HoldfastPostgres

@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct ListTests {
    private let dialect = PostgresDialect()

    /// A row of parameters: lists, then scalars.
    private func parameters(_ lists: [[Value]], _ scalars: Value...) -> ParameterBuffer {
        var buffer = ParameterBuffer(width: lists.count + scalars.count)
        for values in lists { buffer.append(list: ParameterBuffer(list: values)) }
        for value in scalars { value.append(to: &buffer) }
        return buffer
    }

    private func withNumbers(_ body: (PostgresConnection) async throws -> Void) async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (id bigint PRIMARY KEY, name text COLLATE \"C\")")
            try await connection.execute("INSERT INTO t SELECT x, 'name ' || x FROM generate_series(0, 299999) x")
            try await body(connection)
        }
    }

    @Test(arguments: [0, 1, 2, 200_000]) func `rows are found by a list of keys`(count: Int64) async throws {
        let condition = dialect.isIn([("id", .int64)], from: 1)
        let keys = (0..<count).map { Value.integer($0 + 100_000) }
        try await withNumbers { connection async throws in
            let rows = try await connection.rows(
                Statement("SELECT count(*), min(id), max(id) FROM t WHERE \(condition)"), parameters([keys]))
            let range: [Value] = count == 0 ? [.null, .null] : [.integer(100_000), .integer(99_999 + count)]
            #expect(rows == [[.integer(count)] + range])
        }
    }

    @Test(
        arguments: [
            ([.boolean(true), .boolean(false)], .boolean),
            ([.integer(-32768), .integer(32767)], .int16),
            ([.integer(-1), .integer(2_147_483_647)], .int32),
            ([.integer(-1), .integer(.max), .integer(.min)], .int64),
            ([.real(0.5), .real(-.infinity)], .float),
            ([.real(0.1), .real(-.infinity), .real(.greatestFiniteMagnitude)], .double),
            ([.text(""), .text("a"), .text("é e\u{301} 🧑‍🚀"), .text("{it's, \"NULL\"}")], .text),
            ([.blob([]), .blob([0, 255]), .blob([1])], .blob),
            ([.timestamp(-1), .timestamp(1_700_000_000_123_456)], .timestamp),
            ([.decimal("-12.50"), .decimal("99999999999999999999999999999999999999")], .decimal),
            ([.uuid(Array(0..<16)), .uuid(Array(repeating: 255, count: 16))], .uuid),
            ([.json("[1]"), .json("{}")], .json),
        ] as [([Value], ColumnType)])
    func `a list holds values of every type, and NULL`(values: [Value], type: ColumnType) async throws {
        let list = dialect.list([type], from: 1)
        try await TestServer.withConnection { connection async throws in
            let rows = try await connection.rows(
                Statement("SELECT \(list.columns[0]) FROM \(list.source) ORDER BY position"),
                parameters([values + [.null]]))
            #expect(rows == (values + [.null]).map { [$0] })
            try await connection.execute("CREATE TEMPORARY TABLE t (v \(dialect.typeName(type)))")
            try await connection.execute(Statement("INSERT INTO t VALUES ($1)"), rows: values.map { [$0] })
            let found = try await connection.rows(
                Statement("SELECT count(*) FROM t WHERE \(dialect.isIn([("v", type)], from: 1))"),
                parameters([[.null] + values + values]))
            #expect(found == [[.integer(Int64(values.count))]])
            let none = try await connection.rows(
                Statement("SELECT count(*) FROM t WHERE \(dialect.isIn([("v", type)], from: 1))"), parameters([[]]))
            #expect(none == [[.integer(0)]])
        }
    }

    @Test func `rows are found by keys of several columns`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute(
                "CREATE TEMPORARY TABLE t (a bigint, b text COLLATE \"C\", PRIMARY KEY (a, b))")
            try await connection.execute("INSERT INTO t VALUES (1, 'x'), (1, 'y'), (2, 'x'), (2, 'y')")
            let condition = dialect.isIn([("t.\"a\"", .int64), ("t.\"b\"", .text)], from: 1)
            let statement = Statement("SELECT a, b FROM t WHERE \(condition) ORDER BY a")
            let lists: [[Value]] = [
                [.integer(1), .integer(2), .integer(2), .integer(3)], [.text("y"), .text("x"), .null, .text("x")],
            ]
            let rows = try await connection.rows(statement, parameters(lists))
            #expect(rows == [[.integer(1), .text("y")], [.integer(2), .text("x")]])
            #expect(try await connection.rows(statement, parameters([[], []])) == [])
        }
    }

    @Test func `lists and scalars are parameters of one statement, which is run again with others`() async throws {
        try await withNumbers { connection async throws in
            let statement = Statement(
                """
                SELECT id FROM t
                WHERE \(dialect.isIn([("id", .int64)], from: 1)) AND \(dialect.isIn([("name", .text)], from: 2)) AND id > $3
                ORDER BY id
                """)
            let names: [Value] = (0..<10).map { .text("name \($0)") }
            for (keys, low, expected) in [([1, 2, 3], 1, [2, 3]), ([], 0, []), ([9, 10, 8], 0, [8, 9])]
                as [([Int64], Int64, [Int64])]
            {
                let rows = try await connection.rows(
                    statement, parameters([keys.map { .integer($0) }, names], .integer(low)))
                #expect(rows == expected.map { [.integer($0)] })
            }
        }
    }

    @Test func `each row of parameters has lists of its own`() async throws {
        try await withNumbers { connection async throws in
            var rows = ParameterBuffer(width: 2)
            for keys in [[1, 2], [], [3]] as [[Int64]] {
                Value.text("\(keys.count)").append(to: &rows)
                rows.append(list: ParameterBuffer(list: keys.map { .integer($0) }))
            }
            let condition = dialect.isIn([("id", .int64)], from: 2)
            let updated = try await connection.rows(
                Statement("UPDATE t SET name = $1 WHERE \(condition) RETURNING id, name"), rows)
            #expect(updated.count == 3)
            #expect(updated.contains([.integer(3), .text("1")]))
        }
    }

    @Test func `a list joins in its own order`() async throws {
        let list = dialect.list([.int64, .text], from: 1)
        try await withNumbers { connection async throws in
            let rows = try await connection.rows(
                Statement(
                    """
                    SELECT list.\(list.columns[1]), t.name FROM \(list.source)
                    LEFT JOIN t ON t.id = list.\(list.columns[0]) ORDER BY list.position
                    """),
                parameters([
                    [.integer(7), .integer(-1), .integer(3), .integer(7)],
                    [.text("a"), .text("b"), .null, .text("d")],
                ]))
            #expect(
                rows == [
                    [.text("a"), .text("name 7")], [.text("b"), .null], [.null, .text("name 3")],
                    [.text("d"), .text("name 7")],
                ])
            let update = Statement(
                "UPDATE t SET name = list.c1 FROM \(list.source) WHERE t.id = list.c0 RETURNING id, name")
            #expect(
                try await connection.rows(update, parameters([[.integer(5)], [.text("five")]]))
                    == [[.integer(5), .text("five")]])
        }
    }

    @Test func `a connection that only reads takes lists`() async throws {
        try await TestServer.withDriver { driver async throws in
            let reader = try await driver.open(.read)
            let condition = dialect.isIn([("x", .int32)], from: 1)
            let statement = Statement("SELECT x FROM generate_series(1, 5) x WHERE \(condition)")
            let rows = try await reader.rows(statement, parameters([[.integer(3), .integer(9)]]))
            #expect(rows == [[.integer(3)]])
            await reader.close()
        }
    }

    @Test func `a list of values that do not fit the type, or of another kind, is refused`() async throws {
        try await TestServer.withConnection { connection async throws in
            let statement = Statement("SELECT 1 WHERE 1 = ANY ($1::smallint[])")
            for value in [Value.integer(40_000), .text("1"), .uuid(Array(0..<16))] {
                let error = await #expect(throws: DatabaseError.self) {
                    try await connection.rows(statement, parameters([[.integer(1), value]]))
                }
                #expect(error?.code == .invalidValue)
            }
            let error = await #expect(throws: DatabaseError.self) {
                try await connection.rows(Statement("SELECT $1::bigint"), parameters([[.integer(1)]]))
            }
            #expect(error?.code == .invalidValue)
        }
    }
}

extension PostgresConnection {
    /// Runs a statement, and returns its rows.
    fileprivate func rows(_ statement: Statement, _ parameters: ParameterBuffer) async throws -> [[Value]] {
        try await run(statement, parameters, timeout: nil) { rows in
            let width = rows.columnNames.count
            var result: [[Value]] = []
            while let cells = try rows.next() { result.append((0..<width).map { Value(cells[$0]) }) }
            return result
        }
    }
}

extension ParameterBuffer {
    /// A list of values.
    fileprivate init(list values: [Value]) {
        self.init(width: 1)
        for value in values { value.append(to: &self) }
    }
}
