@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

/// Connections that may be given another session of the server for each transaction.
///
/// Integration/pooler runs the whole suite through PgBouncer; here the server itself is asked.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct PoolerTests {
    private func withConnection(
        _ parameters: String, schema: String? = "holdfast's \\\"odd\" schema",
        role: ConnectionRole = .write,
        _ change: (inout DatabaseConfiguration) -> Void = { _ in },
        _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        let url = try #require(TestServer.url)
        let separator = url.contains("?") ? "&" : "?"
        let configuration = DatabaseConfiguration.postgres(url: url + separator + parameters, schema: schema)
            .with(change)
        let driver = try #require(configuration.makeDriver(configuration) as? PostgresDriver)
        let connection = try await driver.open(role)
        do {
            try await body(connection)
        } catch {
            await connection.close()
            await driver.shutdown()
            throw error
        }
        await connection.close()
        await driver.shutdown()
    }

    private static let settings = """
        SELECT current_setting('search_path'), current_setting('lock_timeout'), current_setting('statement_timeout'),
        current_setting('TimeZone')
        """

    @Test(arguments: ["pooler=transaction", "prepared_statements=off", "pooler=transaction&prepared_statements=on"])
    func `statements and transactions bring their settings along, and leave none`(parameters: String) async throws {
        try await withConnection(parameters, { $0.timeouts.statement = .milliseconds(7777) }) {
            connection async throws in
            let schema = #""holdfast's \""odd"" schema""#
            let expected: [[Value]] = [[.text(schema), .text("10s"), .text("7777ms"), .text("UTC")]]
            let kept = Statement(Self.settings)
            let given = Statement(Self.settings + " WHERE $1 = 1")
            for _ in 0..<3 {
                let now = try await connection.execute(kept)
                #expect(now == expected, "\(now)")
                #expect(try await connection.execute(given, [.integer(1)]) == expected)
                try await connection.execute("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE")
                #expect(try await connection.execute(kept) == expected)
                #expect(try await connection.execute(given, [.integer(1)]) == expected)
                try await connection.execute("COMMIT")
            }
            let runs = (0..<3).map { _ in
                StatementRun(kept) { rows in try rows.next().map { Value($0[1]) } }
            }
            for begin in [nil, Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")] {
                var answers: [Value?] = []
                try await connection.runTogether(runs, begin: begin, timeout: nil) { _, value in
                    answers.append(value)
                }
                #expect(answers == [.text("10s"), .text("10s"), .text("10s")])
                if begin != nil { try await connection.execute("COMMIT") }
            }
            // The session has what the server's configuration says. (Alone in its transaction, this sees what is left
            // of it.)
            let values = """
                SELECT count(*) FROM pg_settings WHERE name IN ('search_path', 'lock_timeout', 'statement_timeout')
                AND source = 'session'
                """
            try await connection.execute("BEGIN")
            try await connection.execute("RESET ALL")
            #expect(try await connection.value(values) == .integer(0))
            try await connection.execute("ROLLBACK")
        }
    }

    @Test func `a connection that only reads can not write behind a pooler either`() async throws {
        try await withConnection("pooler=transaction", schema: nil, role: .read) { connection async throws in
            #expect(try await connection.failure("CREATE TABLE never (n int)").code == .readOnly)
        }
    }

    @Test func `what can not run in a transaction says why`() async throws {
        try await withConnection("pooler=transaction", schema: nil) { connection async throws in
            let error = try await connection.failure("VACUUM pg_class")
            #expect(error.engineCode == "25001" && error.message.contains("pooler"))
        }
        // With nothing to bring along, it is alone.
        try await withConnection("pooler=transaction&options=-cTimeZone%3DUTC", schema: nil, { $0.timeouts.lock = nil })
        {
            connection async throws in
            try await connection.execute("VACUUM pg_namespace")
        }
    }

    @Test func `no two connections use one name, and a name that is not there is told`() async throws {
        try await TestServer.withDriver { driver async throws in
            let (first, second) = (try await driver.open(.write), try await driver.open(.write))
            let statement = Statement("SELECT 1 + $1")
            try await first.execute(
                """
                CREATE FUNCTION pg_temp.forget() RETURNS void LANGUAGE plpgsql AS
                'BEGIN EXECUTE ''DEALLOCATE ALL''; END'
                """)
            var names: Set<Value> = []
            for connection in [first, second] {
                try await connection.execute(statement, [.integer(1)])
                names.insert(
                    try await connection.value(
                        "SELECT name FROM pg_prepared_statements WHERE statement = 'SELECT 1 + $1'"))
            }
            #expect(names.count == 2)
            // As if a pooler had changed the session.
            try await first.execute("SELECT pg_temp.forget()")
            try await first.execute("BEGIN")
            let error = try await #require(throws: DatabaseError.self) {
                try await first.execute(statement, [.integer(1)])
            }
            #expect(error.engineCode == "26000" && error.message.contains("pooler=transaction"))
            try await first.execute("ROLLBACK")
            #expect(SQLState("42P05").message(table: nil, columns: [], constraint: nil).contains("pooler=transaction"))
            await first.close()
            await second.close()
        }
    }

    @Test func `statements that can not be taken from the server by SQL hurt nobody`() async throws {
        try await TestServer.withConnection { connection async throws in
            let limit = PostgresConnection.preparedStatementLimit
            for isInTransaction in [false, true] {
                for number in 0..<limit + 10 { try await connection.execute(Statement("SELECT \(number)")) }
                try await connection.execute("DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$")
                if isInTransaction { try await connection.execute("BEGIN") }
                for number in 0..<limit {
                    let rows = try await connection.execute(Statement("SELECT \(number) + $1"), [.integer(1)])
                    #expect(rows == [[.integer(Int64(number) + 1)]])
                }
                if isInTransaction { try await connection.execute("COMMIT") }
            }
            #expect(try await connection.value("SELECT count(*) < 300 FROM pg_prepared_statements") == .boolean(true))
        }
    }
}
