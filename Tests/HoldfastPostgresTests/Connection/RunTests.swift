@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct RunTests {
    @Test func `a statement returns its rows`() async throws {
        try await TestServer.withConnection { connection async throws in
            let rows = try await connection.execute("SELECT x, 'a' || x FROM generate_series(1, 3) AS x")
            #expect(rows == [[.integer(1), .text("a1")], [.integer(2), .text("a2")], [.integer(3), .text("a3")]])
        }
    }

    @Test func `columns have the names that the statement gives them`() async throws {
        try await TestServer.withConnection { connection async throws in
            let statement = Statement("SELECT 1 AS one, 2 AS \"Zwei ü\", 3 AS one")
            let names = try await connection.run(statement, .none, timeout: nil) { $0.columnNames }
            #expect(names == ["one", "Zwei ü", "one"])
        }
    }

    @Test(arguments: [
        ("INSERT INTO t VALUES (1), (2)", 2), ("UPDATE t SET id = id + 10", 3), ("DELETE FROM t WHERE id > 10", 3),
        ("SELECT * FROM t", 0), ("INSERT INTO t VALUES (7) RETURNING id", 1), ("SELECT 1", 0), ("TRUNCATE t", 0),
        ("", 0),
    ])
    func `affected rows are those that a statement wrote`(sql: String, count: Int) async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (id int)")
            try await connection.execute("INSERT INTO t SELECT generate_series(1, 3)")
            if sql.hasPrefix("DELETE") { try await connection.execute("UPDATE t SET id = id + 10") }
            let affected = try await connection.run(Statement(sql), .none, timeout: nil) { $0.affectedRows }
            #expect(affected == count)
        }
    }

    @Test func `rows that are left unread are dropped`() async throws {
        try await TestServer.withConnection { connection async throws in
            let statement = Statement("SELECT generate_series(1, 100000)")
            let first = try await connection.run(statement, .none, timeout: nil) { try $0.next()?.pointee.integer }
            #expect(first == 1)
            #expect(try await connection.value("SELECT 2") == .integer(2))
        }
    }

    @Test func `what the reader throws is passed on, and the statement has ended`() async throws {
        struct Refusal: Error {}
        try await TestServer.withConnection { connection async throws in
            await #expect(throws: Refusal.self) {
                try await connection.run(Statement("SELECT 1"), .none, timeout: nil) { _ in throw Refusal() }
            }
            #expect(try await connection.value("SELECT 2") == .integer(2))
        }
    }

    @Test func `no parameter rows are no runs`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (id int)")
            let insert = Statement("INSERT INTO t VALUES ($1)")
            let count = try await connection.run(insert, ParameterBuffer(width: 1), timeout: nil) { rows in
                let first = try rows.next()
                return first == nil ? rows.affectedRows : -1
            }
            #expect(count == 0)
            #expect(try await connection.value("SELECT count(*) FROM t") == .integer(0))
        }
    }

    @Test func `a statement is never run as it was prepared for another number of values`() async throws {
        try await TestServer.withConnection { connection async throws in
            for isBrief in [false, true] {
                let one = Statement("SELECT $1::int", isBrief: isBrief)
                await #expect(throws: DatabaseError.self) { try await connection.execute(one) }
                #expect(try await connection.execute(one, [.integer(5)]) == [[.integer(5)]])
                await #expect(throws: DatabaseError.self) { try await connection.execute(one) }
                await #expect(throws: DatabaseError.self) {
                    try await connection.execute(one, [.integer(5), .text("more")])
                }
                #expect(try await connection.execute(one, [.integer(6)]) == [[.integer(6)]])

                let two = Statement("SELECT $1::int, $2::text", isBrief: isBrief)
                #expect(try await connection.execute(two, [.integer(5), .text("x")]) == [[.integer(5), .text("x")]])
                let error = try await #require(throws: DatabaseError.self) {
                    try await connection.execute(two, [.integer(5)])
                }
                #expect(error.code == .invalidValue && error.message.contains("2 placeholders"))
                #expect(connection.isUsable && connection.transactionStatus == .idle)
            }
        }
    }

    @Test func `the transaction's status is the server's`() async throws {
        try await TestServer.withConnection { connection async throws in
            #expect(connection.transactionStatus == .idle)
            try await connection.execute("BEGIN")
            #expect(connection.transactionStatus == .open)
            _ = try await connection.failure("SELECT 1 / 0")
            #expect(connection.transactionStatus == .failed)
            let error = try await connection.failure("COMMIT")
            #expect(error.code == .transactionAborted)
            #expect(connection.transactionStatus == .idle)
        }
    }

    @Test func `a session is set up as the configuration says`() async throws {
        try await TestServer.withSchema {
            $0.timeouts.lock = .milliseconds(1500)
            $0.timeouts.statement = .seconds(20)
        } _: { driver async throws in
            let connection = try await driver.open(.write)
            let names = ["lock_timeout", "statement_timeout", "TimeZone", "client_encoding", "application_name"]
            var values: [Value] = []
            for name in names { values.append(try await connection.value("SELECT current_setting($1)", [.text(name)])) }
            #expect(values == [.text("1500ms"), .text("20s"), .text("UTC"), .text("UTF8"), .text("holdfast")])
            #expect(try await connection.value("SELECT current_schema()::text") == .text(driver.options.schema ?? ""))
            let reader = try await driver.open(.read)
            #expect(try await reader.failure("CREATE TABLE t ()").code == .readOnly)
            await reader.close()
            await connection.close()
        }
    }

    @Test func `a closed connection says so`() async throws {
        try await TestServer.withConnection { connection async throws in
            await connection.close()
            await connection.close()
            #expect(!connection.isUsable)
            #expect(try await connection.failure("SELECT 1").code == .connectionLost)
        }
    }

    @Test func `a connection tells its server's version`() async throws {
        try await TestServer.withConnection { connection async throws in
            let version = try await connection.value("SELECT split_part(current_setting('server_version'), ' ', 1)")
            #expect(version == .text(connection.capabilities.engineVersion))
        }
    }

    @Test func `more parameters than libpq takes are refused, and the connection stays`() async throws {
        try await TestServer.withConnection { connection async throws in
            let limit = PostgresConnection.parameterLimit
            func statement(_ count: Int) -> Statement {
                Statement("SELECT cardinality(ARRAY[\((1...count).map { "$\($0)::int8" }.joined(separator: ", "))])")
            }
            let values = [Value](repeating: .integer(1), count: limit)
            #expect(try await connection.execute(statement(limit), values) == [[.integer(Int64(limit))]])
            let error = try await #require(throws: DatabaseError.self) {
                try await connection.execute(statement(limit + 1), values + [.integer(1)])
            }
            #expect(error.code == .unsupported && error.engineCode == nil)
            #expect(try await connection.execute("SELECT 1") == [[.integer(1)]])
        }
    }
}
