import Foundation
@_spi(Driver) import Holdfast
import HoldfastConformance
import Synchronization
import Testing

@testable import HoldfastPostgres

/// Statements that go out together.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct TogetherTests {
    @Test func `rows of each statement come in the order of the statements, prepared or not`() async throws {
        try await TestServer.withConnection { connection async throws in
            let runs = [
                run("SELECT g FROM generate_series(1, 3) AS g"), run("SELECT $1::int * 2", .integer(21)),
                run("SELECT 'x'::text WHERE false"), run("SELECT repeat('y', $1::int)", .integer(100_000)),
                run("SELECT $1::text", .text("z"), isCached: false), run("SELECT 7", isCached: false),
            ]
            let expected: [[Value]] = [
                [.integer(1), .integer(2), .integer(3)], [.integer(42)], [],
                [.text(String(repeating: "y", count: 100_000))],
                [.text("z")], [.integer(7)],
            ]
            for _ in 0..<3 {
                #expect(try await connection.together(runs) == expected)
                #expect(connection.transactionStatus == .idle)
            }
            #expect(try await prepared(connection) == 4)
        }
    }

    @Test func `the same statement twice, and more statements than go out together`() async throws {
        try await TestServer.withConnection { connection async throws in
            let one = Statement("SELECT $1::int")
            let twice = [run(one, parameters(.integer(1))), run(one, parameters(.integer(2)))]
            #expect(try await connection.together(twice) == [[.integer(1)], [.integer(2)]])
            let new = Statement("SELECT 5")
            #expect(try await connection.together([run(new), run(new)]) == [[.integer(5)], [.integer(5)]])
            let many = (0..<100).map { run("SELECT \($0)") }
            #expect(try await connection.together(many) == (0..<100).map { [.integer(Int64($0))] })
            #expect(try await prepared(connection) == 102)
        }
    }

    @Test(arguments: [false, true])
    func `a statement that fails is named, and those before it were taken`(isInTransaction: Bool) async throws {
        try await TestServer.withConnection { connection async throws in
            if isInTransaction { try await connection.execute("BEGIN") }
            let runs = [run("SELECT 1"), run("SELECT 1 / $1::int", .integer(0)), run("SELECT 3")]
            let taken = Mutex<[[Value]]>([])
            let error = try await #require(throws: DatabaseError.self) {
                try await connection.together(runs) { _, rows in taken.withLock { $0.append(rows) } }
            }
            #expect(error.engineCode == "22012" && error.sql == "SELECT 1 / $1::int")
            #expect(taken.withLock { $0 } == [[.integer(1)]])
            #expect(connection.transactionStatus == (isInTransaction ? .failed : .idle))
            if isInTransaction { try await connection.execute("ROLLBACK") }
            // What was prepared on the way is known, and what was not is not believed to be.
            #expect(try await connection.together([runs[0], runs[2]]) == [[.integer(1)], [.integer(3)]])
            #expect(try await prepared(connection) == 3)
        }
    }

    @Test func `a statement that can't be prepared, and a value that can't be sent, are named`() async throws {
        try await TestServer.withConnection { connection async throws in
            for bad in [run("SELECT no_such_column"), run("SELECT $1::int", .text("x"))] {
                let error = try await #require(throws: DatabaseError.self) {
                    try await connection.together([run("SELECT 1"), bad, run("SELECT 2")])
                }
                #expect(error.sql == bad.statement.sql)
                #expect(connection.transactionStatus == .idle)
                #expect(try await connection.value("SELECT 1") == .integer(1))
            }
        }
    }

    @Test func `a value that can't be read is its statement's, and the transaction goes on`() async throws {
        try await TestServer.withConnection { connection async throws in
            let runs = [run("SELECT 1"), run("SELECT 'infinity'::timestamptz"), run("SELECT 2")]
            try await connection.execute("BEGIN")
            let error = try await #require(throws: DatabaseError.self) { try await connection.together(runs) }
            #expect(error.code == .decoding && error.sql == runs[1].statement.sql)
            #expect(connection.transactionStatus == .open)
            try await connection.execute("ROLLBACK")
        }
    }

    private struct Refusal: Error, Equatable {}

    @Test(arguments: [0, 1, 2])
    func `what the taker throws is passed on, and the connection goes on`(position: Int) async throws {
        try await TestServer.withConnection { connection async throws in
            let runs = (0..<3).map { run("SELECT \($0)") }
            try await connection.execute("BEGIN")
            await #expect(throws: Refusal()) {
                try await connection.together(runs) { index, _ in if index == position { throw Refusal() } }
            }
            #expect(connection.transactionStatus == .open)
            #expect(try await connection.together(runs) == [[.integer(0)], [.integer(1)], [.integer(2)]])
            try await connection.execute("ROLLBACK")
            #expect(try await prepared(connection) == 3)
        }
    }

    @Test func `rows with types that have to be asked for are taken in their turn`() async throws {
        try await TestServer.withSchema { driver async throws in
            let connection = try await driver.open(.write)
            try await connection.execute("CREATE TYPE mood AS ENUM ('sad', 'happy')")
            let runs = [run("SELECT 1"), run("SELECT 'happy'::mood"), run("SELECT 2"), run("SELECT 3")]
            let expected: [[Value]] = [[.integer(1)], [.text("happy")], [.integer(2)], [.integer(3)]]
            for _ in 0..<2 { #expect(try await connection.together(runs) == expected) }
            await connection.close()
        }
    }

    @Test func `a plan that is out of date is made again outside of transactions`() async throws {
        try await TestServer.withSchema { driver async throws in
            let (connection, other) = (try await driver.open(.write), try await driver.open(.write))
            try await connection.execute("CREATE TABLE t (a int)")
            try await connection.execute("INSERT INTO t VALUES (5)")
            let runs = [run("SELECT 1"), run("SELECT * FROM t"), run("SELECT 2")]
            let expected: [[Value]] = [[.integer(1)], [.integer(5)], [.integer(2)]]
            #expect(try await connection.together(runs) == expected)
            try await other.execute("ALTER TABLE t ALTER a TYPE bigint")
            #expect(try await connection.together(runs) == expected)
            try await other.execute("ALTER TABLE t ALTER a TYPE int")
            try await connection.execute("BEGIN")
            await #expect(throws: DatabaseError.self) { try await connection.together(runs) }
            try await connection.execute("ROLLBACK")
            try await connection.execute("BEGIN")
            #expect(try await connection.together(runs) == expected)
            try await connection.execute("COMMIT")
            await connection.close()
            await other.close()
        }
    }

    @Test func `what is large is read while rows are taken`() async throws {
        try await TestServer.withConnection { connection async throws in
            let large = run("SELECT repeat('x', 1000) FROM generate_series(1, 20000)")
            let runs = [large, run("SELECT 1"), run("SELECT repeat('y', 1000) FROM generate_series(1, 20000)")]
            var counts: [Int] = []
            try await connection.together(runs) { index, rows in
                counts.append(rows.count)
                if index == 0 { #expect(connection.hasPrefetch { !$0.arrivals.isEmpty }) }
            }
            #expect(counts == [20_000, 1, 20_000])
            #expect(try await connection.value("SELECT 1") == .integer(1))
        }
    }

    @Test(arguments: 0..<40) func `a cancellation ends it, and never hits a later statement`(round: Int) async throws {
        try await TestServer.withConnection { connection async throws in
            let runs = (0..<4).map { run("SELECT count(*), \($0) FROM generate_series(1, 3000)") }
            let code = await cancelling(after: .microseconds(round * 100)) { _ = try await connection.together(runs) }
            #expect(code == nil || code == .cancelled)
            for _ in 0..<3 { #expect(try await connection.value("SELECT 1") == .integer(1)) }
            #expect(try await connection.together(runs).count == 4)
        }
    }

    @Test func `a long statement behind others ends when its task is cancelled or its time is up`() async throws {
        try await TestServer.withConnection { connection async throws in
            let runs = [run("SELECT 1"), run("SELECT pg_sleep(60)"), run("SELECT 2")]
            try await connection.expectToEnd { _ = try await connection.together(runs, timeout: $0) }
        }
    }

    @Test func `the time that the taker takes is not the statement's`() async throws {
        try await TestServer.withConnection { connection async throws in
            let runs = (0..<3).map { run("SELECT \($0)") }
            try await connection.together(runs, timeout: .seconds(2)) { index, _ in
                if index == 0 { Foundation.Thread.sleep(forTimeInterval: 2.5) }
            }
            #expect(connection.isUsable)
        }
    }

    @Test func `what was read before its session ended is taken`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("BEGIN")
            try await connection.execute("SET idle_in_transaction_session_timeout = 300")
            // Slow enough for the results after the first to come while that is taken.
            let runs = [run("SELECT 0"), run("SELECT 1, pg_sleep(0.2)"), run("SELECT 2"), run("SELECT 3")]
            var taken: [[Value]] = []
            try await connection.together(runs) { index, rows in
                taken.append(rows)
                if index == 0 { #expect(connection.hasPrefetch(\.isComplete)) }
                // The server ends the session meanwhile, and says so.
                if index == 1 { Foundation.Thread.sleep(forTimeInterval: 0.8) }
            }
            #expect(taken == (0..<4).map { [.integer($0)] })
            #expect(!connection.isUsable)
        }
    }

    @Test func `more than the socket takes is sent while rows are taken`() async throws {
        try await TestServer.withConnection { connection async throws in
            let text = String(repeating: "x", count: 1_000_000)
            let runs = (0..<60).map { run("SELECT length($1::text), \($0)", .text(text)) }
            var count = 0
            try await connection.together(runs) { index, rows in
                #expect(rows == [.integer(1_000_000)])
                if index % 20 == 0 { Foundation.Thread.sleep(forTimeInterval: 0.1) }
                count += 1
            }
            #expect(count == 60)
            #expect(try await connection.value("SELECT 1") == .integer(1))
        }
    }

    @Test func `a session that ends meanwhile is lost, and says so`() async throws {
        try await TestServer.withConnection { connection async throws in
            let runs = [run("SELECT 1"), run("SELECT pg_terminate_backend(pg_backend_pid())"), run("SELECT 2")]
            let error = try await #require(throws: DatabaseError.self) { try await connection.together(runs) }
            #expect(error.code == .connectionLost)
            #expect(!connection.isUsable)
        }
    }

    @Test(arguments: [1, 3])
    func `a transaction begins with the statements, and ends with them`(count: Int) async throws {
        try await TestServer.withConnection { connection async throws in
            let commit = run("COMMIT")
            let begin = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let level = run("SELECT current_setting('transaction_isolation') || $1::text", .text("!"))
            let runs = [level] + (1..<count).map { run("SELECT \($0)") }
            // Prepared and not, with nothing to send values for and with something.
            for _ in 0..<3 {
                var taken: [[Value]] = []
                try await connection.runTogether(runs, begin: begin, timeout: .seconds(60)) {
                    index, column in
                    #expect(index == taken.count)
                    taken.append(column)
                }
                #expect(taken == [[.text("repeatable read!")]] + (1..<count).map { [.integer(Int64($0))] })
                #expect(connection.transactionStatus == .open)
                try await connection.execute("COMMIT")
            }
            try await connection.runTogether(runs + [commit], begin: begin, timeout: nil) { _, _ in }
            #expect(connection.transactionStatus == .idle)
        }
    }

    @Test func `what fails in a transaction that begins with it leaves that to be rolled back`() async throws {
        try await TestServer.withConnection { connection async throws in
            let begin = Statement("BEGIN")
            let bad = [
                run("SELECT 1 / $1::int", .integer(0)), run("SELECT no_such_column"), run("SELECT $1::int", .text("x")),
            ]
            for bad in bad {
                for runs in [[bad], [run("SELECT 1"), bad, run("SELECT 2"), run("COMMIT")]] {
                    let error = try await #require(throws: DatabaseError.self) {
                        try await connection.runTogether(runs, begin: begin, timeout: nil) { _, _ in }
                    }
                    #expect(error.sql == bad.statement.sql)
                    #expect(connection.isUsable)
                    if connection.transactionStatus != .idle { try await connection.execute("ROLLBACK") }
                    #expect(try await connection.value("SELECT 1") == .integer(1))
                }
            }
            // What can't begin is told, too.
            let error = try await #require(throws: DatabaseError.self) {
                try await connection.runTogether([run("SELECT 1")], begin: Statement("BEGIN NONSENSE"), timeout: nil) {
                    _, _ in
                }
            }
            #expect(error.engineCode == "42601" && connection.transactionStatus == .idle)
        }
    }

    @Test(arguments: 0..<30)
    func `a cancellation ends a transaction that is just beginning, or leaves it open`(round: Int) async throws {
        try await TestServer.withConnection { connection async throws in
            let runs = (0..<3).map { run("SELECT count(*), \($0) FROM generate_series(1, 3000)") } + [run("COMMIT")]
            let begin = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let code = await cancelling(after: .microseconds(round * 100)) {
                try await connection.runTogether(runs, begin: begin, timeout: nil) { _, _ in }
            }
            #expect(code == nil || code == .cancelled)
            if connection.isUsable, connection.transactionStatus != .idle { try await connection.execute("ROLLBACK") }
            guard connection.isUsable else { return }
            for _ in 0..<3 { #expect(try await connection.value("SELECT 1") == .integer(1)) }
        }
    }

    @Test func `rows are taken where the caller is`() async throws {
        try await TestServer.withConnection { try await QueueActor().take(from: $0) }
    }

    // MARK: Short forms

    private func run(_ sql: String, _ values: Value..., isCached: Bool = true) -> StatementRun<[Value]> {
        run(Statement(sql, isCached: isCached), values.isEmpty ? .none : parameters(values))
    }

    /// A run of which the first column is read.
    private func run(_ statement: Statement, _ parameters: ParameterBuffer = .none) -> StatementRun<[Value]> {
        StatementRun(statement, parameters) { rows in
            var column: [Value] = []
            while let cells = try rows.next() { column.append(Value(cells[0])) }
            return column
        }
    }

    private func parameters(_ values: Value...) -> ParameterBuffer { parameters(values) }

    private func parameters(_ values: [Value]) -> ParameterBuffer {
        var parameters = ParameterBuffer(width: values.count)
        for value in values { value.append(to: &parameters) }
        return parameters
    }

    /// How many statements the session keeps, after checking that the connection knows of each.
    private func prepared(_ connection: PostgresConnection) async throws -> Int {
        let names = try await connection.execute("SELECT name FROM pg_prepared_statements WHERE name <> ''")
        #expect(names.count == connection.prepared.withLock { $0.count })
        return names.count
    }
}

extension QueueActor {
    fileprivate func take(from connection: PostgresConnection) async throws {
        let runs = (0..<4).map { StatementRun(Statement("SELECT \($0)")) { _ in } }
        var count = 0
        for _ in 0..<3 {
            try await connection.runTogether(runs, begin: nil, timeout: nil) { _, _ in
                #expect(executor.isCurrent)
                count += 1
            }
        }
        #expect(count == 12)
    }
}

extension PostgresConnection {
    /// Waits on this thread until something was read ahead, if that is within seconds.
    fileprivate func hasPrefetch(_ condition: (Channel.Prefetch) -> Bool) -> Bool {
        for _ in 0..<500 {
            if channel.state.withLock({ condition($0.prefetch) }) { return true }
            Foundation.Thread.sleep(forTimeInterval: 0.01)
        }
        return false
    }

    /// Runs statements together, and returns the first column of each.
    fileprivate func together(_ runs: [StatementRun<[Value]>], timeout: Duration? = nil) async throws -> [[Value]] {
        var columns: [[Value]] = []
        try await together(runs, timeout: timeout) { index, rows in
            #expect(index == columns.count)
            columns.append(rows)
        }
        return columns
    }

    fileprivate func together(
        _ runs: [StatementRun<[Value]>], timeout: Duration? = nil, receive: (Int, [Value]) throws -> Void
    ) async throws {
        try await runTogether(runs, begin: nil, timeout: timeout, receive: receive)
    }
}
