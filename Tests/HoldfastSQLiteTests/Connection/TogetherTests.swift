import Foundation
@_spi(Driver) import Holdfast
import HoldfastConformance
import Testing

@testable import HoldfastSQLite

/// Statements that run on one thread, one after the other.
struct TogetherTests {
    /// A run of which the first column is read.
    private static func run(_ sql: String, _ parameters: ParameterBuffer = .none) -> StatementRun<[TestValue]> {
        StatementRun(Statement(sql), parameters) { rows in
            var column: [TestValue] = []
            while let cells = try rows.next() { column.append(TestValue(cells[0])) }
            return column
        }
    }

    private static func numbers(_ count: Int) -> StatementRun<[TestValue]> {
        run(
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT ?) SELECT n FROM c",
            ParameterBuffer([.integer(Int64(count))]))
    }

    private static let endless = run(
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 1000000000000) SELECT count(*) FROM c")
    private static let bad = run("SELECT abs(-9223372036854775808)")

    @Test func `rows of each statement come in the order of the statements`() async throws {
        try await withWriter { connection async throws in
            let counts = [3, 0, 100_000, 1, 5_000]
            var taken: [Int] = []
            try await connection.together(counts.map(Self.numbers)) { index, rows in
                #expect(index == taken.count && rows == (0..<rows.count).map { .integer(Int64($0) + 1) })
                taken.append(rows.count)
            }
            #expect(taken == counts)
        }
    }

    @Test(.timeLimit(.minutes(4)))
    func `a statement that fails is named, and those before it were taken`() async throws {
        try await withWriter { connection async throws in
            var taken: [Int] = []
            let error = await databaseError {
                try await connection.together([Self.numbers(2), Self.bad, Self.endless]) { _, rows in
                    taken.append(rows.count)
                }
            }
            #expect(error?.sql == Self.bad.statement.sql)
            #expect(taken == [2])
            #expect(try await connection.rows("SELECT 1") == [[1]])
        }
    }

    private struct Refusal: Error, Equatable {}

    @Test(.timeLimit(.minutes(4)))
    func `what the taker throws is passed on, and what runs meanwhile is stopped`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute("BEGIN")
            await #expect(throws: Refusal()) {
                try await connection.together([Self.numbers(2), Self.endless]) { _, _ in throw Refusal() }
            }
            #expect(connection.transactionStatus == .open)
            for _ in 0..<20 { #expect(try await connection.rows("SELECT 1") == [[1]]) }
            try await connection.execute("ROLLBACK")
        }
    }

    @Test(.timeLimit(.minutes(4)), arguments: [0, 1, 30])
    func `a cancelled task stops it, and the connection can be used`(delay: Int) async throws {
        try await withWriter { connection async throws in
            for _ in 0..<5 {
                let task = Task { try await connection.together([Self.numbers(2), Self.endless]) { _, _ in } }
                if delay > 0 { try await Task.sleep(for: .milliseconds(delay)) }
                task.cancel()
                #expect(await databaseError { try await task.value }?.code == .cancelled)
                for _ in 0..<5 { #expect(try await connection.rows("SELECT 1") == [[1]]) }
            }
        }
    }

    @Test(.timeLimit(.minutes(4)))
    func `a statement stops when its time is up`() async throws {
        try await withWriter { connection async throws in
            let error = await databaseError {
                try await connection.together([Self.numbers(2), Self.endless], timeout: .milliseconds(100)) { _, _ in }
            }
            #expect(error?.code == .statementTimeout && error?.sql == Self.endless.statement.sql)
            #expect(try await connection.rows("SELECT 1") == [[1]])
        }
    }

    @Test func `a connection that is closed says so`() async throws {
        let database = try TestDatabase()
        let connection = try await database.writer()
        await connection.close()
        let error = await databaseError {
            try await connection.together([Self.numbers(2), Self.numbers(3)]) { _, _ in }
        }
        #expect(error?.code == .closed)
        await database.driver.shutdown()
    }

    @Test func `rows are taken where the caller is, and read elsewhere`() async throws {
        try await withWriter { try await QueueActor().take(from: $0, Self.numbers) }
    }
}

extension QueueActor {
    fileprivate func take(
        from connection: any DriverConnection, _ numbers: (Int) -> StatementRun<[TestValue]>
    ) async throws {
        let executor = executor
        let runs = [2, 3, 4].map(numbers).map { run in
            StatementRun(run.statement, run.parameters) { rows in
                while try rows.next() != nil {}
                return executor.isCurrent
            }
        }
        var count = 0
        try await connection.runTogether(runs, begin: nil, timeout: nil) { _, isReadHere in
            #expect(executor.isCurrent && !isReadHere)
            count += 1
        }
        #expect(count == 3)
    }
}

extension DriverConnection {
    /// Runs statements together, and hands over the first column of each.
    fileprivate func together(
        _ runs: [StatementRun<[TestValue]>], timeout: Duration? = nil, receive: (Int, [TestValue]) throws -> Void
    ) async throws {
        try await runTogether(runs, begin: nil, timeout: timeout, receive: receive)
    }
}
