@_spi(Driver) import Holdfast
import Testing

@_spi(Driver) @testable import HoldfastPostgres

/// What the server's errors become.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct ErrorTests {
    static let secret = "topSecretValue"

    static let failures: [(String, DatabaseError.Code, String)] = [
        ("INSERT INTO parent VALUES (1, '\(secret)')", .uniqueViolation, "23505"),
        ("INSERT INTO child VALUES (1, 99)", .foreignKeyViolation, "23503"),
        ("DELETE FROM parent", .foreignKeyViolation, "23503"),
        ("INSERT INTO parent VALUES (2, NULL)", .notNullViolation, "23502"),
        ("INSERT INTO parent VALUES (-1, '\(secret)')", .checkViolation, "23514"),
        ("SELEC '\(secret)'", .syntax, "42601"),
        ("SELECT no_such_column FROM parent", .notMigrated, "42703"),
        ("SELECT no_such_function('\(secret)')", .syntax, "42883"),
        ("SELECT * FROM no_such_table", .notMigrated, "42P01"),
        ("INSERT INTO computed VALUES (1, 2)", .unsupported, "428C9"),
        ("CREATE TABLE parent ()", .conflict, "42P07"),
        ("SELECT '\(secret)'::int", .invalidValue, "22P02"),
        ("SELECT 1 / 0", .invalidValue, "22012"),
        ("SELECT 9223372036854775807 + 1::bigint", .invalidValue, "22003"),
        ("SELECT 1; SELECT 2", .syntax, "42601"),
    ]

    @Test func `a server's error has the portable code, and no value in it`() async throws {
        try await TestServer.withSchema { driver async throws in
            let connection = try await driver.open(.write)
            try await connection.execute("CREATE TABLE parent (id int PRIMARY KEY CHECK (id > 0), name text NOT NULL)")
            try await connection.execute(
                "CREATE TABLE child (id int, parent_id int, CONSTRAINT child_parent FOREIGN KEY (parent_id) REFERENCES parent)"
            )
            try await connection.execute("INSERT INTO parent VALUES (1, 'x')")
            try await connection.execute("INSERT INTO child VALUES (1, 1)")
            try await connection.execute("CREATE TABLE computed (a int, b int GENERATED ALWAYS AS (a * 2) STORED)")
            for (sql, code, state) in Self.failures {
                let error = try await connection.failure(sql)
                #expect(error.code == code, "\(sql)")
                #expect(error.engineCode == state)
                #expect(error.sql == sql)
                var bare = error
                bare.sql = nil
                #expect(!bare.debugDescription.contains(Self.secret))
                #expect(error.shownEngineMessage == nil)
            }
            await connection.close()
        }
    }

    @Test func `an error tells table, column and constraint`() async throws {
        try await TestServer.withSchema { driver async throws in
            let connection = try await driver.open(.write)
            try await connection.execute("CREATE TABLE t (id int CONSTRAINT t_key PRIMARY KEY, name text NOT NULL)")
            try await connection.execute("INSERT INTO t VALUES (1, 'x')")
            let unique = try await connection.failure("INSERT INTO t VALUES (1, 'x')")
            #expect(unique.table == "t" && unique.constraint == "t_key" && unique.properties == ["id"])
            #expect(unique.message.contains("\"t\"") && !unique.message.contains("t_key"))
            let null = try await connection.failure("INSERT INTO t VALUES (2, NULL)")
            #expect(null.table == "t" && null.properties == ["name"])
            await connection.close()
        }
    }

    @Test func `the server's words are shown where values may be`() async throws {
        try await TestServer.withConnection({ $0.telemetry.showsValues = true }) { connection async throws in
            let error = try await connection.failure("SELECT '\(Self.secret)'::int")
            #expect(error.shownEngineMessage?.contains(Self.secret) == true)
            #expect(!error.message.contains(Self.secret))
        }
    }

    @Test func `COPY is refused, and costs the connection`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (id int)")
            #expect(try await connection.failure("COPY t TO STDOUT").code == .unsupported)
        }
    }

    @Test func `a lock that isn't had in time is a lock timeout`() async throws {
        try await TestServer.withSchema({ $0.timeouts.lock = .milliseconds(100) }) { driver async throws in
            let (first, second) = (try await driver.open(.write), try await driver.open(.write))
            try await first.execute("CREATE TABLE t (id int)")
            try await first.execute("INSERT INTO t VALUES (1)")
            try await first.execute("BEGIN")
            try await first.execute("UPDATE t SET id = 2")
            let error = try await second.failure("UPDATE t SET id = 3")
            #expect(error.code == .lockTimeout)
            await first.close()
            await second.close()
        }
    }

    @Test func `two transactions that wait for each other are a deadlock`() async throws {
        try await TestServer.withSchema { driver async throws in
            let (first, second) = (try await driver.open(.write), try await driver.open(.write))
            try await first.execute("CREATE TABLE t (id int, n int)")
            try await first.execute("INSERT INTO t VALUES (1, 0), (2, 0)")
            for connection in [first, second] {
                try await connection.execute("BEGIN")
                try await connection.execute("SET deadlock_timeout = '50ms'")
            }
            try await first.execute("UPDATE t SET n = 1 WHERE id = 1")
            try await second.execute("UPDATE t SET n = 1 WHERE id = 2")
            async let one = codeOfFailure(first, "UPDATE t SET n = 1 WHERE id = 2")
            async let two = codeOfFailure(second, "UPDATE t SET n = 1 WHERE id = 1")
            let codes = try await [one, two]
            #expect(codes.compactMap(\.self) == [.deadlock])
            await first.close()
            await second.close()
        }
    }

    @Test func `what can't be put in an order is a serialization failure`() async throws {
        try await TestServer.withSchema { driver async throws in
            let (first, second) = (try await driver.open(.write), try await driver.open(.write))
            try await first.execute("CREATE TABLE t (id int, n int)")
            try await first.execute("INSERT INTO t VALUES (1, 0), (2, 0)")
            for connection in [first, second] {
                try await connection.execute(driver.dialect.begin(.serializable, readOnly: false))
                try await connection.execute("SELECT sum(n) FROM t")
            }
            try await first.execute("UPDATE t SET n = n + 1 WHERE id = 1")
            try await second.execute("UPDATE t SET n = n + 1 WHERE id = 2")
            try await first.execute("COMMIT")
            #expect(try await second.failure("COMMIT").code == .serializationFailure)
            #expect(second.transactionStatus == .idle)
            await first.close()
            await second.close()
        }
    }

    @Test func `a write in a read-only transaction is refused`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute(PostgresDialect().begin(.repeatableRead, readOnly: true))
            #expect(try await connection.failure("CREATE TABLE t ()").code == .readOnly)
        }
    }

    private func codeOfFailure(_ connection: PostgresConnection, _ sql: String) async throws -> DatabaseError.Code? {
        do {
            try await connection.execute(sql)
            try await connection.execute("COMMIT")
            return nil
        } catch let error as DatabaseError {
            try await connection.execute("ROLLBACK")
            return error.code
        }
    }
}

@Suite struct SQLStateTests {
    @Test(arguments: [
        ("40001", DatabaseError.Code.serializationFailure), ("40P01", .deadlock), ("55P03", .lockTimeout),
        ("25P02", .transactionAborted), ("25006", .readOnly), ("53100", .diskFull), ("XX001", .corrupt),
        ("XX002", .corrupt), ("28P01", .authenticationFailed), ("28000", .authenticationFailed),
        ("57P01", .connectionLost),
        ("57P02", .connectionLost), ("08006", .connectionLost), ("08P01", .invalidValue), ("0A000", .unsupported),
        ("22001", .invalidValue), ("53300", .cannotConnect), ("53200", .engine), ("42501", .permissionDenied),
        ("42703", .notMigrated), ("XX000", .engine),
        ("57014", .statementTimeout), ("26000", .serializationFailure), ("", .engine), ("P0001", .engine),
    ])
    func `a state has its code`(state: String, code: DatabaseError.Code) {
        #expect(SQLState(state).code == code)
        #expect(!SQLState(state).message(table: nil, columns: [], constraint: nil).isEmpty)
    }

    @Test func `what is too long for an index is a value that does not fit`() {
        #expect(SQLState("54000", function: "_bt_check_third_page").code == .invalidValue)
        #expect(SQLState("54000").code == .unsupported)
    }

    @Test(arguments: [
        ("Key (id)=(1) already exists.", ["id"]),
        ("Key (a, b_2)=(1, x)=(y) already exists.", ["a", "b_2"]),
        ("Schlüssel »(\"Ä\", \"q\"\"(x)=(\")=(1, 2)« existiert bereits.", ["Ä", "q\"(x)=("]),
        ("Key (lower(name))=(x) already exists.", []), ("Key (a, lower(b))=(x) already exists.", []),
        ("Key already exists.", []), ("", []), ("(", []), ("(\"", []), ("(a", []), ("(a, ", []),
    ])
    func `the columns of a key are found in any language`(detail: String, columns: [String]) {
        #expect(DatabaseError.columns(ofKeyIn: detail) == columns)
    }

    @Test(arguments: ["42883", "42501", "0A000", "42725"])
    func `a comparison that the server can't run says nothing of columns`(state: String) {
        let comparison = StatementPlan.Command.compare("SELECT 1", [])
        #expect(!comparison.tellsOfChange(state))
        #expect(comparison.isRefusedComparison(state))
        #expect(!StatementPlan.Command.runPrepared(name: "a").isRefusedComparison(state))
        for state in ["42804", "42P01", "42703", "40001", nil] {
            #expect(!comparison.isRefusedComparison(state))
        }
    }

    @Test func `who cancelled decides what a cancelled statement is`() {
        #expect(SQLState("57014", cancelReason: .task).code == .cancelled)
        #expect(SQLState("57014", cancelReason: .timeout).code == .statementTimeout)
        #expect(SQLState("0A000", function: "RevalidateCachedQuery").code == .serializationFailure)
    }

    @Test(arguments: [
        ("connection to server at \"127.0.0.1\", port 1 failed: FATAL:  28P01\n", "28P01"),
        ("connection to server failed: FATAL:  3D000: database \"x:  00000y\" does not exist\n", "3D000"),
        ("FATAL:  28000\nconnection failed: FATAL:  53300\n", "53300"),
        ("connection refused", nil), ("FATAL:  too long", nil), ("FATAL:  ABCDEF", nil), (":  ", nil),
    ])
    func `the state is found in a message of a failed connection`(message: String, state: String?) {
        #expect(SQLState.last(in: message) == state)
    }
}
