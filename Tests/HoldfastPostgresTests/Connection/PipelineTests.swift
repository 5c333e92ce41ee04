@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

/// One statement run for many rows.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct PipelineTests {
    @Test func `each run's rows come in the order of the parameter rows`() async throws {
        try await TestServer.withConnection { connection async throws in
            let statement = Statement("SELECT $1::int, g, repeat('x', g) FROM generate_series(1, $1) AS g")
            let rows = try await connection.execute(statement, rows: [[.integer(2)], [.integer(0)], [.integer(1)]])
            #expect(
                rows == [
                    [.integer(2), .integer(1), .text("x")], [.integer(2), .integer(2), .text("xx")],
                    [.integer(1), .integer(1), .text("x")],
                ])
        }
    }

    @Test func `a hundred thousand rows are inserted and returned`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (id int, n numeric, name text)")
            var parameters = ParameterBuffer(width: 3)
            for id in 0..<100_000 {
                parameters.append(.integer(Int64(id)))
                Value.decimal("\(id).5").append(to: &parameters)
                Value.text("row \(id)").append(to: &parameters)
            }
            let insert = Statement("INSERT INTO t VALUES ($1, $2, $3) RETURNING id, n, name")
            let (count, affected, isRight) = try await connection.run(insert, parameters, timeout: nil) { rows in
                var count = 0
                var isRight = true
                while let cells = try rows.next() {
                    isRight =
                        isRight && cells[0].integer == count && cells[1].bytes.elementsEqual("\(count).5".utf8)
                        && cells[2].bytes.elementsEqual("row \(count)".utf8)
                    count += 1
                }
                return (count, rows.affectedRows, isRight)
            }
            #expect(count == 100_000 && affected == 100_000 && isRight)
            #expect(try await connection.value("SELECT count(DISTINCT id) FROM t") == .integer(100_000))
        }
    }

    @Test func `rows larger than all buffers go both ways at the same time`() async throws {
        try await TestServer.withConnection { connection async throws in
            let text = String(repeating: "x", count: 200_000)
            let statement = Statement("SELECT $1::text || 'y'")
            let rows = (0..<100).map { _ in [Value.text(text)] }
            let lengths = try await connection.execute(statement, rows: rows)
            #expect(lengths.count == 100)
            #expect(lengths.allSatisfy { $0 == [.text(text + "y")] })
        }
    }

    @Test(arguments: [0, 1, 5000, 9999])
    func `a run that fails is told by its row, and nothing stands`(position: Int) async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (id int PRIMARY KEY)")
            try await connection.execute("INSERT INTO t VALUES (-1)")
            let insert = Statement("INSERT INTO t VALUES ($1)")
            var rows = (0..<10_000).map { [Value.integer(Int64($0))] }
            rows[position] = [.integer(-1)]
            let error = try await #require(throws: DatabaseError.self) {
                try await connection.execute(insert, rows: rows)
            }
            #expect(error.code == .uniqueViolation)
            #expect(error.objectIndex == position)
            #expect(error.constraint == "t_pkey")
            #expect(connection.transactionStatus == .idle)
            #expect(try await connection.value("SELECT count(*) FROM t") == .integer(1))
            try await connection.execute("BEGIN")
            _ = await #expect(throws: DatabaseError.self) { try await connection.execute(insert, rows: rows) }
            #expect(connection.transactionStatus == .failed)
        }
    }

    @Test func `a value that can't be sent stops a batch before its first row`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (id smallint)")
            let insert = Statement("INSERT INTO t VALUES ($1)")
            try await connection.execute("BEGIN")
            let error = try await #require(throws: DatabaseError.self) {
                try await connection.execute(insert, rows: [[.integer(1)], [.integer(2)], [.integer(70_000)]])
            }
            #expect(error.code == .invalidValue)
            #expect(error.objectIndex == 2)
            #expect(error.engineCode == nil)
            #expect(connection.transactionStatus == .open)
            #expect(try await connection.value("SELECT count(*) FROM t") == .integer(0))
        }
    }

    @Test func `a statement is prepared once, and again where it has to be`() async throws {
        try await TestServer.withConnection { connection async throws in
            let statement = Statement("SELECT * FROM t WHERE id = $1")
            try await connection.execute("CREATE TEMPORARY TABLE t (id int)")
            try await connection.execute("INSERT INTO t VALUES (1)")
            let prepared = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT * FROM t WHERE%'"
            for _ in 0..<5 { #expect(try await connection.execute(statement, [.integer(1)]) == [[.integer(1)]]) }
            #expect(try await connection.value(prepared) == .integer(1))
            // Its plan no longer fits the table, then it is gone altogether.
            try await connection.execute("ALTER TABLE t ADD COLUMN name text DEFAULT 'x'")
            #expect(try await connection.execute(statement, [.integer(1)]) == [[.integer(1), .text("x")]])
            try await connection.execute("DEALLOCATE ALL")
            #expect(try await connection.execute(statement, [.integer(1)]) == [[.integer(1), .text("x")]])
            try await connection.execute("DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$")
            #expect(try await connection.execute(statement, [.integer(1)]) == [[.integer(1), .text("x")]])
            // In a transaction that has changed the table itself, which goes on.
            try await connection.execute("BEGIN")
            try await connection.execute("ALTER TABLE t ADD COLUMN more int")
            #expect(try await connection.execute(statement, [.integer(1)]) == [[.integer(1), .text("x"), .null]])
            try await connection.execute("ROLLBACK")
            #expect(try await connection.execute(statement, [.integer(1)]) == [[.integer(1), .text("x")]])
        }
    }

    @Test func `the least recently used statements make room`() async throws {
        try await TestServer.withConnection { connection async throws in
            let limit = PostgresConnection.preparedStatementLimit
            let kept = Statement("SELECT -1")
            for number in 0..<(limit + 50) {
                try await connection.execute(Statement("SELECT \(number)"))
                try await connection.execute(Statement("SELECT $1 + \(number)"), [.integer(1)])
                try await connection.execute(kept)
            }
            let count = try await connection.value("SELECT count(*) FROM pg_prepared_statements")
            // By SQL, several are taken from the server together.
            let counts = (limit...limit + PostgresConnection.deallocatedTogether).map { Value.integer(Int64($0)) }
            #expect(counts.contains(count))
            #expect(
                try await connection.value("SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT -1'")
                    == .integer(1))
        }
    }

    @Test func `nothing is kept prepared where that is turned off`() async throws {
        let url = try #require(TestServer.url)
        let separator = url.contains("?") ? "&" : "?"
        let configuration = DatabaseConfiguration.postgres(url: url + separator + "prepared_statements=off")
        let driver = try #require(configuration.makeDriver(configuration) as? PostgresDriver)
        let connection = try await driver.open(.write)
        let statement = Statement("SELECT $1 + 1")
        for number in 0..<3 {
            #expect(
                try await connection.execute(statement, [.integer(Int64(number))]) == [[.integer(Int64(number) + 1)]])
            #expect(try await connection.execute(Statement("SELECT 1")) == [[.integer(1)]])
        }
        let rows = try await connection.execute(statement, rows: [[.integer(1)], [.integer(2)]])
        #expect(rows == [[.integer(2)], [.integer(3)]])
        // All that is left is the unnamed one, which this view doesn't show.
        #expect(try await connection.value("SELECT count(*) FROM pg_prepared_statements") == .integer(0))
        await connection.close()
        await driver.shutdown()
    }
}
