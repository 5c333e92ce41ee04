@_spi(Driver) import Holdfast
import Testing

@_spi(Driver) @testable import HoldfastSQLite

/// Lists where SQLite differs; what engines have in common is tested in HoldfastConformanceTests.
struct ListTests {
    private let dialect = SQLiteDialect()

    /// A row of parameters that are lists.
    private func parameters(_ lists: [[TestValue]]) -> ParameterBuffer {
        var buffer = ParameterBuffer(width: lists.count)
        for values in lists { buffer.append(list: ParameterBuffer(list: values)) }
        return buffer
    }

    @Test func `a condition on several columns begins with those that are no numbers`() {
        #expect(dialect.isIn([("a", .int64)], from: 3) == "a IN (SELECT c0 FROM holdfast_list(?) AS list)")
        #expect(
            dialect.isIn([("a", .int64), ("b", .text)], from: 1)
                == "(b, a) IN (SELECT c1, c0 FROM holdfast_list(?, ?) AS list)"
        )
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
