@_spi(Driver) import Holdfast
import Testing

@_spi(Driver) @testable import HoldfastSQLite

struct SQLiteDialectTests {
    private let dialect = SQLiteDialect()

    @Test func `types are those of strict tables`() {
        let types = ColumnType.allCases.map { "\($0): \(dialect.typeName($0))" }
        #expect(
            types == [
                "boolean: INTEGER", "int16: INTEGER", "int32: INTEGER", "int64: INTEGER", "float: REAL", "double: REAL",
                "decimal: TEXT", "text: TEXT", "blob: BLOB", "timestamp: INTEGER", "uuid: BLOB", "json: TEXT",
            ]
        )
    }

    @Test func `placeholders have no numbers`() { #expect(dialect.placeholder(7) == "?") }

    @Test func `writers take the lock immediately`() {
        #expect(dialect.begin(.serializable, readOnly: false) == "BEGIN IMMEDIATE")
        #expect(dialect.begin(.readCommitted, readOnly: false) == "BEGIN IMMEDIATE")
        #expect(dialect.begin(.repeatableRead, readOnly: true) == "BEGIN")
    }

    @Test func `only booleans need a check`() {
        #expect(dialect.check(.boolean, column: "is \"on\"") == "\"is \"\"on\"\"\" IN (0, 1)")
        #expect(ColumnType.allCases.filter { dialect.check($0, column: "c") != nil } == [.boolean])
    }

    @Test(
        arguments: [
            (.null, .text), (.integer(.min), .int64), (.integer(.max), .int64), (.boolean(true), .boolean),
            (.timestamp(-1), .timestamp), (.real(0.1), .double), (.real(.infinity), .double),
            (.real(-.infinity), .double),
            (.real(.leastNonzeroMagnitude), .double), (.real(1.7976931348623157e308), .double),
            (.text("it's \"é\" 🧑‍🚀 ? $1"), .text), (.text(""), .text),
            (.blob([0, 0x0F, 0xFF]), .blob), (.blob([]), .blob), (.uuid([UInt8](0..<16)), .uuid),
            (.decimal("-12.50"), .decimal),
            (.json("{\"a\": \"'\"}"), .json),
        ] as [(TestValue, ColumnType)]
    )
    func `a literal is the value that is bound`(value: TestValue, type: ColumnType) async throws {
        var buffer = ParameterBuffer(width: 1)
        value.append(to: &buffer)
        let literal = buffer.withRow(0) { dialect.literal($0[0], type: type) }
        let parameters = buffer
        try await withWriter { connection async throws in
            let rows = try await connection.rows(
                Statement("SELECT \(literal) IS ?, typeof(\(literal)) = typeof(?)"),
                ParameterBuffer([value, value])
            )
            #expect(rows == [[1, 1]])
            // As a default of a column, where an expression would need parentheses.
            try await connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v ANY DEFAULT \(literal)) STRICT")
            try await connection.execute("INSERT INTO t (id) VALUES (1)")
            #expect(try await connection.rows(Statement("SELECT v IS ? FROM t"), parameters) == [[1]])
        }
    }

    @Test func `what stays in a session is told from what does not`() {
        let changing = [
            "PRAGMA cache_size = 5", "pragma main.cache_size(5)", "ATTACH 'x.db' AS x", "DETACH x",
            "CREATE TEMP TABLE t (a)", "CREATE TABLE temp.t (a)",
            "CREATE TEMPORARY TRIGGER a AFTER INSERT ON t BEGIN END",
            "SELECT load_extension('x')",
        ]
        let leaving = [
            "PRAGMA cache_size", "PRAGMA table_info(t)", "PRAGMA main.integrity_check(10)",
            "PRAGMA wal_checkpoint(FULL)",
            "CREATE TABLE t (temp)", "CREATE TABLE a AS SELECT temp FROM b", "SELECT temp FROM t", "UPDATE t SET a = 1",
            "SELECT * FROM pragma_table_info('t')", "",
        ]
        for sql in changing { #expect(dialect.changesSession(RawStatementText(sql, dialect.sqlSyntax)), "\(sql)") }
        for sql in leaving { #expect(!dialect.changesSession(RawStatementText(sql, dialect.sqlSyntax)), "\(sql)") }
    }
}
