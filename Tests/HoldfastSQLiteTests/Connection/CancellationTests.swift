import Foundation
@_spi(Driver) @testable import Holdfast
import Testing

@testable import HoldfastSQLite

struct CancellationTests {
    /// Runs for hours.
    private static let endless =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 1000000000000) SELECT count(*) FROM c"

    @Test(.timeLimit(.minutes(4)), arguments: [0, 1, 30])
    func `a cancelled task stops its statement, and the connection can be used`(delay: Int) async throws {
        try await withWriter { connection async throws in
            for _ in 0..<5 {
                let task = Task { try await connection.rows(Self.endless) }
                if delay > 0 { try await Task.sleep(for: .milliseconds(delay)) }
                task.cancel()
                #expect(await databaseError { _ = try await task.value }?.code == .cancelled)
                #expect(try await connection.tables(["absent"]).tables.isEmpty)
                #expect(try await connection.rows("SELECT 1") == [[1]])
            }
        }
    }

    @Test(.timeLimit(.minutes(4))) func `a statement stops when its time is up`() async throws {
        try await withWriter { connection async throws in
            let clock = ContinuousClock()
            for isBrief in [false, true] {
                let start = clock.now
                let error = await databaseError {
                    try await connection.rows(Self.endless, isBrief: isBrief, timeout: .milliseconds(50))
                }
                #expect(error?.code == .statementTimeout)
                #expect((.milliseconds(50) ..< .seconds(30)).contains(clock.now - start))
                #expect(try await connection.rows("SELECT 1", timeout: .seconds(5)) == [[1]])
            }
        }
    }

    @Test func `timeouts that do not pass stop nothing`() async throws {
        try await withWriter { connection async throws in
            let half =
                "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 300000) SELECT count(*) FROM c"
            for timeout in [nil, Duration.milliseconds(20000), .seconds(Int64.max), .seconds(10)] {
                #expect(try await connection.rows(half, timeout: timeout) == [[300_000]])
            }
            // The deadlines of before pass while later statements run.
            for _ in 0..<30 {
                #expect(try await connection.rows("SELECT 1", timeout: .milliseconds(2000)) == [[1]])
            }
        }
    }

    @Test func `a task that was cancelled before runs nothing but what ends a transaction`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE t (x)")
            try await connection.execute("BEGIN IMMEDIATE")
            let error = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await databaseError { try await connection.execute("INSERT INTO t VALUES (1)") }
            }.value
            #expect(error?.code == .cancelled)
            #expect(error?.engineCode == nil)
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await connection.rows(Statement("COMMIT", ignoresCancellation: true))
            }.value
            #expect(connection.transactionStatus == .idle)
            #expect(try await connection.rows("SELECT count(*) FROM t") == [[0]])
        }
    }

    @Test(.timeLimit(.minutes(4))) func `a long run of many rows is stopped between them`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE t (x INTEGER)")
            // Some seconds of work, so that the cancellation comes in time on a machine that is busy otherwise.
            var rows = ParameterBuffer(width: 1)
            rows.cells = [Cell](repeating: .integer(1), count: 3_000_000)
            try await connection.execute("BEGIN IMMEDIATE")
            let task = Task { [rows] in try await connection.execute("INSERT INTO t VALUES (?)", rows) }
            try await Task.sleep(for: .milliseconds(10))
            task.cancel()
            #expect(await databaseError { _ = try await task.value }?.code == .cancelled)
            if connection.transactionStatus == .open { try await connection.execute("ROLLBACK") }
            #expect(try await connection.rows("SELECT count(*) FROM t") == [[0]])
        }
    }

    @Test(.timeLimit(.minutes(4))) func `a wait for a lock ends with its task, and with its time`() async throws {
        let database = try TestDatabase()
        let one = try await database.writer()
        let other = try await TestDatabase(database.directory) { $0.timeouts.lock = nil }.writer()
        try await one.execute("BEGIN IMMEDIATE")
        let task = Task { try await other.execute("BEGIN IMMEDIATE", isBrief: true) }
        try await Task.sleep(for: .milliseconds(30))
        task.cancel()
        #expect(await databaseError { _ = try await task.value }?.code == .cancelled)
        let error = await databaseError { try await other.rows("BEGIN IMMEDIATE", timeout: .milliseconds(30)) }
        #expect(error?.code == .statementTimeout)
        try await one.execute("ROLLBACK")
        try await other.execute("BEGIN IMMEDIATE")
        for connection in [one, other] { await connection.close() }
    }

    @Test(.timeLimit(.minutes(4))) func `an open that waits for a lock ends with its task`() async throws {
        let directory = try TestDirectory()
        // A journal of the old kind, with the lock that keeps it from being changed.
        let old = try DatabaseHandle(path: directory.path, flags: 0x6)
        try old.execute("CREATE TABLE t (x)")
        try old.execute("BEGIN EXCLUSIVE")
        let patient = try TestDatabase(directory) { $0.timeouts.connect = .seconds(3600) }
        let task = Task { try await patient.writer() }
        try await Task.sleep(for: .milliseconds(30))
        task.cancel()
        #expect(await databaseError { _ = try await task.value }?.code == .cancelled)

        let hasty = try TestDatabase(directory) { $0.timeouts.connect = .milliseconds(50) }
        #expect(await databaseError { _ = try await hasty.writer() }?.code == .cannotConnect)
        try old.execute("COMMIT")
        await (try await hasty.writer()).close()
    }

    /// Four connections run short statements, each checked for its result, in tasks cancelled at random moments.
    @Test(.timeLimit(.minutes(4))) func `a thousand cancellations hit nothing but their own statements`() async throws {
        let directory = try TestDirectory()
        let first = try await TestDatabase(directory).writer()
        try await first.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER) STRICT")
        let statement = Statement(
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 20000) SELECT count(*) FROM c"
        )
        let outcomes = try await withThrowingTaskGroup(of: (done: Int, cancelled: Int).self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let connection = try await TestDatabase(directory).writer()
                    var outcome = (done: 0, cancelled: 0)
                    for round in 0..<250 {
                        // More and more time, so that some get done on a machine with much else to do.
                        let limit = 4000 << (round / 50)
                        let task = Task { try await connection.rows(statement) }
                        let canceller = Task.detached {
                            try await Task.sleep(for: .microseconds(Int.random(in: 0..<limit)))
                            task.cancel()
                        }
                        do {
                            let rows = try await task.value
                            if rows != [[20000]] { Issue.record("A wrong result: \(rows)") }
                            outcome.done += 1
                        } catch let error as DatabaseError {
                            if error.code != .cancelled { Issue.record(error) }
                            outcome.cancelled += 1
                        }
                        // Nobody cancels this one.
                        #expect(try await connection.rows("SELECT count(*) FROM t") == [[0]])
                        _ = canceller
                    }
                    await connection.close()
                    return outcome
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.map { $0.done + $0.cancelled } == [250, 250, 250, 250])
        #expect(outcomes.contains { $0.cancelled > 0 })
        #expect(outcomes.contains { $0.done > 0 })
        await first.close()
    }
}
