import Testing

@_spi(Driver) @testable import Holdfast

/// Lists as parameters, through the drivers of both engines.
@Suite struct ListTests {
    private func withNumbers(
        _ engine: SchemaEngine, _ count: Int = 100, _ body: (RelationDatabase) async throws -> Void
    ) async throws {
        try await RelationDatabase.with(engine) { database in
            let dialect = database.driver.dialect
            try await database.run(
                "CREATE TABLE t (id \(dialect.typeName(.int64)) PRIMARY KEY, name \(dialect.typeName(.text)))",
                """
                WITH RECURSIVE n (x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < \(count - 1))
                INSERT INTO t SELECT x, 'name ' || x FROM n
                """)
            try await body(database)
        }
    }

    @Test(arguments: SchemaEngine.available, [0, 1, 2, 200_000])
    func `rows are found by a list of keys`(engine: SchemaEngine, count: Int64) async throws {
        let keys = (0..<count).map { ListValue.integer($0 + 100_000) }
        try await withNumbers(engine, 300_000) { database in
            let condition = database.driver.dialect.isIn([("id", .int64)], from: 1)
            let rows = try await database.connection.rows(
                "SELECT count(*), min(id), max(id) FROM t WHERE \(condition)", .lists([keys]))
            let range: [ListValue] = count == 0 ? [nil, nil] : [100_000, .integer(99_999 + count)]
            #expect(rows == [[.integer(count)] + range])
        }
    }

    @Test(
        arguments: SchemaEngine.available,
        [
            ([.boolean(true), .boolean(false)], .boolean),
            ([-32_768, 32_767], .int16),
            ([-1, 2_147_483_647], .int32),
            ([-1, .integer(.max), .integer(.min), 0], .int64),
            ([.real(0.5), .real(-.infinity)], .float),
            ([.real(0.1), .real(-.infinity), .real(.greatestFiniteMagnitude)], .double),
            (["", "a", "é e\u{301} 🧑‍🚀", "{it's, \"NULL\"}"], .text),
            ([.bytes(.blob, []), .bytes(.blob, [0, 255]), .bytes(.blob, [1])], .blob),
            ([.timestamp(-1), .timestamp(1_700_000_000_123_456)], .timestamp),
            ([.text(.decimal, "-12.50"), .text(.decimal, "99999999999999999999999999999999999999")], .decimal),
            ([.bytes(.uuid, Array(0..<16)), .bytes(.uuid, Array(repeating: 255, count: 16))], .uuid),
            ([.text(.json, "[1]"), .text(.json, "{}")], .json),
        ] as [([ListValue], ColumnType)])
    func `a list holds values of every type, and NULL`(
        engine: SchemaEngine, values: ([ListValue], type: ColumnType)
    ) async throws {
        let (values, type) = values
        try await RelationDatabase.with(engine) { database in
            let (dialect, connection) = (database.driver.dialect, database.connection)
            try await database.run(
                "CREATE TABLE t (n \(dialect.typeName(.int64)), v \(dialect.typeName(type))) \(dialect.tableOptions(isJoinTable: false))"
            )
            var rows = ParameterBuffer(width: 2)
            for (number, value) in (values + [nil]).enumerated() {
                rows.append(.integer(Int64(number)))
                value.append(to: &rows)
            }
            try await connection.rows(
                "INSERT INTO t VALUES (\(dialect.placeholder(1)), \(dialect.placeholder(2)))", rows)
            let list = dialect.list([type], from: 1)
            let listed = try await connection.rows(
                "SELECT \(list.columns[0]) FROM \(list.source) ORDER BY position", .lists([values + [nil]]))
            // As the engine reads what it keeps: SQLite has no booleans, for one.
            #expect(try await connection.rows("SELECT v FROM t ORDER BY n") == listed)
            let count = "SELECT count(*) FROM t WHERE \(dialect.isIn([("v", type)], from: 1))"
            #expect(
                try await connection.rows(count, .lists([[nil] + values + values]))
                    == [[.integer(Int64(values.count))]])
            #expect(try await connection.rows(count, .lists([[]])) == [[0]])
        }
    }

    @Test(arguments: SchemaEngine.available)
    func `rows are found by keys of several columns`(engine: SchemaEngine) async throws {
        try await RelationDatabase.with(engine) { database in
            let dialect = database.driver.dialect
            try await database.run(
                "CREATE TABLE t (a \(dialect.typeName(.int64)), b \(dialect.typeName(.text)), PRIMARY KEY (a, b))",
                "INSERT INTO t VALUES (1, 'x'), (1, 'y'), (2, 'x'), (2, 'y')")
            let condition = dialect.isIn([("t.\"a\"", .int64), ("t.\"b\"", .text)], from: 1)
            let sql = "SELECT a, b FROM t WHERE \(condition) ORDER BY a"
            let rows = try await database.connection.rows(sql, .lists([[1, 2, 2, 3], ["y", "x", nil, "x"]]))
            #expect(rows == [[1, "y"], [2, "x"]])
            #expect(try await database.connection.rows(sql, .lists([[], []])) == [])
        }
    }

    @Test(arguments: SchemaEngine.available)
    func `lists and scalars are parameters of one statement, which is run again with others`(
        engine: SchemaEngine
    ) async throws {
        try await withNumbers(engine) { database in
            let dialect = database.driver.dialect
            let statement = Statement(
                """
                SELECT id FROM t
                WHERE \(dialect.isIn([("id", .int64)], from: 1)) AND \(dialect.isIn([("name", .text)], from: 2))
                    AND id > \(dialect.placeholder(3))
                ORDER BY id
                """)
            let names = (0..<10).map { ListValue.text(.text, "name \($0)") }
            for (keys, low, expected) in [([1, 2, 3], 1, [2, 3]), ([], 0, []), ([9, 10, 8], 0, [8, 9])]
                as [([Int64], Int64, [Int64])]
            {
                let rows = try await database.connection.rows(
                    statement, .lists([keys.map { .integer($0) }, names], .integer(low)))
                #expect(rows == expected.map { [.integer($0)] })
            }
        }
    }

    @Test(arguments: SchemaEngine.available)
    func `each row of parameters has lists of its own`(engine: SchemaEngine) async throws {
        try await withNumbers(engine) { database in
            let dialect = database.driver.dialect
            var rows = ParameterBuffer(width: 2)
            for keys in [[1, 2], [], [3]] as [[ListValue]] {
                ListValue.text(.text, "\(keys.count)").append(to: &rows)
                rows.append(list: ParameterBuffer(list: keys))
            }
            try await database.connection.rows(
                "UPDATE t SET name = \(dialect.placeholder(1)) WHERE \(dialect.isIn([("id", .int64)], from: 2))", rows)
            #expect(
                try await database.connection.rows("SELECT id, name FROM t WHERE id < 5 ORDER BY id")
                    == [[0, "name 0"], [1, "2"], [2, "2"], [3, "1"], [4, "name 4"]])
        }
    }

    @Test(arguments: SchemaEngine.available)
    func `a list joins in its own order`(engine: SchemaEngine) async throws {
        try await withNumbers(engine) { database in
            let list = database.driver.dialect.list([.int64, .text], from: 1)
            let rows = try await database.connection.rows(
                """
                SELECT list.\(list.columns[1]), t.name FROM \(list.source)
                LEFT JOIN t ON t.id = list.\(list.columns[0]) ORDER BY list.position
                """, .lists([[7, -1, 3, 7], ["a", "b", nil, "d"]]))
            #expect(rows == [["a", "name 7"], ["b", nil], [nil, "name 3"], ["d", "name 7"]])
            let update = "UPDATE t SET name = list.c1 FROM \(list.source) WHERE t.id = list.c0 RETURNING id, name"
            #expect(try await database.connection.rows(update, .lists([[5], ["five"]])) == [[5, "five"]])
        }
    }

    @Test(arguments: SchemaEngine.available)
    func `a connection that only reads takes lists`(engine: SchemaEngine) async throws {
        try await withNumbers(engine) { database in
            let reader = try await database.driver.connect(.read)
            let condition = database.driver.dialect.isIn([("id", .int64)], from: 1)
            let statement = Statement("SELECT id FROM t WHERE \(condition) ORDER BY id", isBrief: true)
            #expect(try await reader.rows(statement, .lists([[3, -1, 1]])) == [[1], [3]])
            await reader.close()
        }
    }
}

/// A value of a list, and what an engine reads it as.
enum ListValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case timestamp(Int64)
    case text(Cell.Kind, String)
    case bytes(Cell.Kind, [UInt8])

    init(_ cell: Cell) {
        self =
            switch cell.kind {
            case .null: .null
            case .boolean: .boolean(cell.payload != 0)
            case .integer: .integer(cell.integer)
            case .real: .real(cell.real)
            case .timestamp: .timestamp(cell.integer)
            case .text, .decimal, .json: .text(cell.kind, String(decoding: cell.bytes, as: UTF8.self))
            case .blob, .uuid: .bytes(cell.kind, Array(cell.bytes))
            case .list: fatalError("An engine returns no lists.")
            }
    }

    func append(to parameters: inout ParameterBuffer) {
        switch self {
        case .null: parameters.append(.null)
        case .boolean(let value): parameters.append(.boolean(value))
        case .integer(let value): parameters.append(.integer(value))
        case .real(let value): parameters.append(.real(value))
        case .timestamp(let value): parameters.append(.timestamp(value))
        case .text(let kind, let text): Array(text.utf8).withUnsafeBytes { parameters.append(kind, $0) }
        case .bytes(let kind, let bytes): bytes.withUnsafeBytes { parameters.append(kind, $0) }
        }
    }
}

extension ListValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(stringLiteral value: String) { self = .text(.text, value) }
    init(nilLiteral: ()) { self = .null }
}

extension ParameterBuffer {
    fileprivate init(list values: [ListValue]) {
        self.init(width: 1)
        for value in values { value.append(to: &self) }
    }

    /// A row of parameters: lists, then scalars.
    fileprivate static func lists(_ lists: [[ListValue]], _ scalars: ListValue...) -> ParameterBuffer {
        var buffer = ParameterBuffer(width: lists.count + scalars.count)
        for values in lists { buffer.append(list: ParameterBuffer(list: values)) }
        for value in scalars { value.append(to: &buffer) }
        return buffer
    }
}

extension DriverConnection {
    /// Runs a statement for each row of parameters, and returns its rows.
    @discardableResult
    fileprivate func rows(_ statement: Statement, _ parameters: ParameterBuffer = .none) async throws -> [[ListValue]] {
        try await run(statement, parameters, timeout: nil) { source in
            var rows: [[ListValue]] = []
            while let cells = try source.next() {
                rows.append(source.columnNames.indices.map { ListValue(cells[$0]) })
            }
            return rows
        }
    }

    @discardableResult
    fileprivate func rows(_ sql: String, _ parameters: ParameterBuffer = .none) async throws -> [[ListValue]] {
        try await rows(Statement(sql), parameters)
    }
}
