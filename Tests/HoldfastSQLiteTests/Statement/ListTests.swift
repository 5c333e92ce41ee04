import Holdfast
import Testing

@testable import HoldfastSQLite

struct ListTests {
    private let dialect = SQLiteDialect()

    /// A row of parameters: lists, then scalars.
    private func parameters(_ lists: [[TestValue]], _ scalars: TestValue...) -> ParameterBuffer {
        var buffer = ParameterBuffer(width: lists.count + scalars.count)
        for values in lists { buffer.append(list: ParameterBuffer(list: values)) }
        for value in scalars { value.append(to: &buffer) }
        return buffer
    }

    @Test func `a condition on several columns begins with those that are no numbers`() {
        #expect(dialect.isIn([("a", .int64)], from: 3) == "a IN (SELECT c0 FROM holdfast_list(?) AS list)")
        #expect(
            dialect.isIn([("a", .int64), ("b", .text)], from: 1)
                == "(b, a) IN (SELECT c1, c0 FROM holdfast_list(?, ?) AS list)"
        )
    }

    private func withNumbers(_ body: (any DriverConnection) async throws -> Void) async throws {
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT) STRICT")
            try await connection.execute(
                """
                WITH RECURSIVE n (x) AS (VALUES (0) UNION ALL SELECT x + 1 FROM n WHERE x < 299999)
                INSERT INTO t SELECT x, 'name ' || x FROM n
                """
            )
            try await body(connection)
        }
    }

    @Test(arguments: [0, 1, 2, 200_000]) func `rows are found by a list of keys`(count: Int64) async throws {
        let condition = dialect.isIn([("id", .int64)], from: 1)
        let keys = (0..<count).map { TestValue.integer($0 + 100_000) }
        try await withNumbers { connection async throws in
            let rows = try await connection.rows(
                Statement("SELECT count(*), min(id), max(id) FROM t WHERE \(condition)"),
                parameters([keys])
            )
            #expect(rows == [count == 0 ? [0, nil, nil] : [.integer(count), 100_000, .integer(99_999 + count)]])
        }
    }

    @Test(
        arguments: [
            ([true, false].map { .boolean($0) }, .boolean),
            ([-1, .integer(.max), .integer(.min), 0], .int64),
            ([.real(0.5), .real(-.infinity), .real(.greatestFiniteMagnitude)], .double),
            (["", "a", "é e\u{301} 🧑‍🚀", "it's"], .text),
            ([.blob([]), .blob([0, 255]), .blob([1])], .blob),
            ([.timestamp(-1), .timestamp(.max)], .timestamp),
            ([.decimal("-12.50"), .decimal("99999999999999999999999999999999999999")], .decimal),
            ([.uuid(Array(0..<16)), .uuid(Array(repeating: 255, count: 16))], .uuid),
            ([.json("[1]"), .json("{}")], .json),
        ] as [([TestValue], ColumnType)]
    )
    func `a list holds values of every type, and NULL`(values: [TestValue], type: ColumnType) async throws {
        let list = dialect.list([type], from: 1)
        try await withWriter { connection async throws in
            var expected: [[TestValue]] = []
            for value in values { expected += try await connection.rows("SELECT ?", value) }
            let rows = try await connection.rows(
                Statement("SELECT \(list.columns[0]) FROM \(list.source) ORDER BY position"),
                parameters([values + [nil]])
            )
            #expect(rows == expected + [[nil]])
            try await connection.execute("CREATE TABLE t (v \(dialect.typeName(type))) STRICT")
            try await connection.execute("INSERT INTO t VALUES (?)", ParameterBuffer(rows: values.map { [$0] }))
            let found = try await connection.rows(
                Statement("SELECT count(*) FROM t WHERE \(dialect.isIn([("v", type)], from: 1))"),
                parameters([[nil] + values + values])
            )
            #expect(found == [[.integer(Int64(values.count))]])
        }
    }

    @Test func `rows are found by keys of several columns`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE t (a INTEGER, b TEXT, PRIMARY KEY (a, b)) STRICT")
            try await connection.execute("INSERT INTO t VALUES (1, 'x'), (1, 'y'), (2, 'x'), (2, 'y')")
            let condition = dialect.isIn([("t.\"a\"", .int64), ("t.\"b\"", .text)], from: 1)
            let rows = try await connection.rows(
                Statement("SELECT a, b FROM t WHERE \(condition) ORDER BY a"),
                parameters([[1, 2, 2, 3], ["y", "x", nil, "x"]])
            )
            #expect(rows == [[1, "y"], [2, "x"]])
        }
    }

    @Test func `lists and scalars are parameters of one statement, which is run again with others`() async throws {
        try await withNumbers { connection async throws in
            let statement = Statement(
                """
                SELECT id FROM t
                WHERE \(dialect.isIn([("id", .int64)], from: 1)) AND \(dialect.isIn([("name", .text)], from: 2)) AND id > ?
                ORDER BY id
                """
            )
            let names: [TestValue] = (0..<10).map { .text("name \($0)") }
            for (keys, low, expected) in [([1, 2, 3], 1, [2, 3]), ([], 0, []), ([9, 10, 8], 0, [8, 9])]
                as [([Int64], Int64, [Int64])]
            {
                let rows = try await connection.rows(
                    statement,
                    parameters([keys.map { .integer($0) }, names], .integer(low))
                )
                #expect(rows == expected.map { [.integer($0)] })
            }
        }
    }

    @Test func `each row of parameters has lists of its own`() async throws {
        try await withNumbers { connection async throws in
            var rows = ParameterBuffer(width: 2)
            for keys in [[1, 2], [], [3]] as [[TestValue]] {
                rows.append(.integer(Int64(keys.count)))
                rows.append(list: ParameterBuffer(list: keys))
            }
            let condition = dialect.isIn([("id", .int64)], from: 2)
            let statement = "UPDATE t SET name = ? WHERE \(condition)"
            #expect(try await connection.execute(statement, rows) == 3)
            #expect(
                try await connection.rows("SELECT id, name FROM t WHERE id IN (1, 2, 3)")
                    == [[1, "2"], [2, "2"], [3, "1"]]
            )
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
                    """
                ),
                parameters([[7, -1, 3, 7], ["a", "b", nil, "d"]])
            )
            #expect(rows == [["a", "name 7"], ["b", nil], [nil, "name 3"], ["d", "name 7"]])
            let update = Statement(
                "UPDATE t SET name = list.c1 FROM \(list.source) WHERE t.id = list.c0 RETURNING id, name"
            )
            #expect(try await connection.rows(update, parameters([[5], ["five"]])) == [[5, "five"]])
        }
    }

    @Test func `a connection that only reads takes lists`() async throws {
        let database = try TestDatabase()
        let (writer, reader) = (try await database.writer(), try await database.reader())
        try await writer.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        try await writer.execute("INSERT INTO t VALUES (1), (2), (3)")
        let statement = Statement("SELECT id FROM t WHERE \(dialect.isIn([("id", .int64)], from: 1))", isBrief: true)
        #expect(try await reader.rows(statement, parameters([[3, 1]])) == [[1], [3]])
        await reader.close()
        await writer.close()
        await database.driver.shutdown()
    }

    @Test(arguments: [(16, 0), (15, 1), (16, 1), (17, 0)]) func `sixteen lists and conditions on them are the limit`(
        lists: Int,
        conditions: Int
    ) async throws {
        let list = dialect.list(Array(repeating: .int64, count: lists), from: 1)
        let sql = "SELECT c0, c14 FROM \(list.source)" + (conditions > 0 ? " WHERE c1 = 1" : "")
        try await withWriter { connection async throws in
            let columns = (0..<Int64(lists)).map { [TestValue.integer($0)] }
            let run = { try await connection.rows(Statement(sql), parameters(columns)) }
            if lists + conditions <= 16 {
                #expect(try await run() == [[0, 14]])
            } else {
                let error = await databaseError { _ = try await run() }
                #expect(error?.code == .unsupported)
            }
        }
    }

    @Test(
        arguments: [
            ("SELECT name FROM t WHERE \(SQLiteDialect().isIn([("id", .int64)], from: 1))", "PRIMARY KEY (rowid=?)"),
            (
                "SELECT x FROM u WHERE \(SQLiteDialect().isIn([("a", .int64), ("b", .text)], from: 1))",
                "sqlite_autoindex_u_1 (a=? AND b=?)"
            ),
            (
                "SELECT t.name FROM t, \(SQLiteDialect().list([.int64], from: 1).source) WHERE t.id = list.c0",
                "PRIMARY KEY (rowid=?)"
            ),
            ("DELETE FROM t WHERE \(SQLiteDialect().isIn([("id", .int64)], from: 1))", "PRIMARY KEY (rowid=?)"),
        ]
    )
    func `a table is searched by its index`(sql: String, search: String) async throws {
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT) STRICT")
            try await connection.execute("CREATE TABLE u (a INTEGER, b TEXT, x TEXT, PRIMARY KEY (a, b)) STRICT")
            let lists = parameters(sql.contains("?, ?") ? [[1], ["x"]] : [[1]])
            let plan = try await connection.rows(Statement("EXPLAIN QUERY PLAN " + sql), lists).map { row in
                if case .text(let text) = row[3] { text } else { "" }
            }
            #expect(plan.contains { $0.hasPrefix("SEARCH") && $0.contains(search) }, "\(plan)")
            #expect(plan.filter { $0.contains("SCAN") && !$0.contains("list") }.isEmpty, "\(plan)")
        }
    }

    @Test func `what is no list, or not as long as the others, is refused`() async throws {
        try await withWriter { connection async throws in
            let error = await databaseError { try await connection.rows("SELECT * FROM holdfast_list(?)", 1) }
            #expect(error?.code == .invalidValue)
            let uneven = await databaseError {
                try await connection.rows(Statement("SELECT c0 FROM holdfast_list(?, ?)"), parameters([[1], [1, 2]]))
            }
            #expect(uneven?.code == .invalidValue)
            #expect(try await connection.rows("SELECT c0 FROM holdfast_list()") == [])
            let view = await databaseError {
                try await connection.execute("CREATE VIEW v AS SELECT c0 FROM holdfast_list(1)")
                try await connection.rows("SELECT * FROM v")
            }
            #expect(view?.code == .unsupported)
            // As a value of its own a list is NULL.
            #expect(try await connection.rows(Statement("SELECT ?"), parameters([[1]])) == [[nil]])
        }
    }
}

extension ParameterBuffer {
    /// A list of values.
    init(list values: [TestValue]) {
        self.init(width: 1)
        for value in values { value.append(to: &self) }
    }
}
