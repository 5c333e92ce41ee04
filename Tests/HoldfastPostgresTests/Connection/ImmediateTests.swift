@_spi(Driver) import Holdfast
import HoldfastConformance
import Synchronization
import Testing

@testable import HoldfastPostgres

/// Brief statements whose answer is waited for on the caller's thread.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct ImmediateTests {
    private static let echo = Statement("SELECT $1::int, $2::text", isBrief: true)
    private static let slow = Statement("SELECT $1::int FROM pg_sleep($2::int / 1000.0)", isBrief: true)

    @Test func `a statement runs immediately as soon as it is prepared`() async throws {
        try await TestServer.withConnection { connection async throws in
            let first = try await connection.immediately(Self.echo, .integer(1), .text("é"))
            #expect(first.progress == .notBegun)
            try await connection.execute(Self.echo, [.integer(1), .text("é")])
            // Where the machine is busy, answers come late for a while.
            let end = ContinuousClock.now + .seconds(60)
            var (number, done): (Int64, Int) = (0, 0)
            while number < 200 || (done == 0 && ContinuousClock.now < end) {
                let run = try await connection.immediately(Self.echo, .integer(number), .text("é"))
                #expect(run.progress != .notBegun)
                #expect(run.rows == [[.integer(number), .text("é")]])
                if run.progress == .done { done += 1 }
                number += 1
                if number > 200 { try await Task.sleep(for: .milliseconds(5)) }
            }
            #expect(done > 0)
            #expect(connection.transactionStatus == .idle)
        }
    }

    @Test func `what is not brief, has several rows, or belongs to a cancelled task is left alone`() async throws {
        try await TestServer.withConnection { connection async throws in
            let long = Statement("SELECT $1::int, $2::text")
            try await connection.execute(long, [.integer(1), .null])
            #expect(try await connection.immediately(long, .integer(1), .null).progress == .notBegun)

            try await connection.execute(Self.echo, [.integer(1), .null])
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await connection.immediately(Self.echo, .integer(1), .null).progress
            }
            #expect(try await task.value == .notBegun)
            #expect(try await connection.immediately(Self.echo, .integer(1), .null).progress != .notBegun)
        }
    }

    @Test(arguments: [false, true])
    func `an answer that does not come immediately is waited for`(isInTransaction: Bool) async throws {
        try await TestServer.withConnection { connection async throws in
            if isInTransaction { try await connection.execute("BEGIN") }
            try await connection.execute(Self.slow, [.integer(0), .integer(0)])
            for number in 0..<3 {
                let run = try await connection.immediately(Self.slow, .integer(Int64(number)), .integer(100))
                #expect(run.progress == .begun)
                #expect(run.rows == [[.integer(Int64(number))]])
            }
            #expect(connection.transactionStatus == (isInTransaction ? .open : .idle))
            if isInTransaction { try await connection.execute("ROLLBACK") }
            #expect(try await connection.value("SELECT 1") == .integer(1))
        }
    }

    @Test func `slow answers are no longer waited for on the thread, until they are fast again`() {
        var waits = BriefWaits()
        /// Runs so many statements whose answers take so long, and returns how many of them were waited for.
        func wait(_ count: Int, nanoseconds: Int64) -> Int {
            var waited = 0
            for _ in 0..<count {
                guard let wait = waits.next() else { continue }
                waited += 1
                waits.note(wait, took: min(nanoseconds, Int64(wait.limit)))
            }
            return waited
        }
        // As long as nothing is known, not for long.
        #expect(waits.next()?.limit == BriefWaits.probeLimit)
        #expect(wait(100, nanoseconds: 60_000) == 100)
        #expect(waits.next()?.limit == BriefWaits.limit)
        // One that is late is an exception; several are not.
        #expect(wait(1, nanoseconds: 20_000_000) == 1)
        #expect(wait(1, nanoseconds: 60_000) == 1)
        #expect(wait(1000, nanoseconds: 20_000_000) < 20)
        #expect(waits.next()?.limit ?? BriefWaits.probeLimit == BriefWaits.probeLimit)
        #expect(wait(3000, nanoseconds: 60_000) > 1000)
    }

    @Test func `an answer is polled for where that takes less than sleeping, and both are tried`() {
        var waits = BriefWaits()
        /// Runs so many statements, and returns how often the answer was polled for.
        func poll(_ count: Int, polling: Int64, sleeping: Int64) -> Int {
            var polled = 0
            for _ in 0..<count {
                guard let wait = waits.next() else { continue }
                waits.note(wait, took: wait.polling > 0 ? polling : sleeping)
                if wait.polling > 0 { polled += 1 }
            }
            return polled
        }
        #expect(poll(1000, polling: 50_000, sleeping: 90_000) > 900)
        _ = poll(3000, polling: 60_000, sleeping: 20_000)
        #expect((1..<50).contains(poll(1000, polling: 60_000, sleeping: 20_000)))
        _ = poll(3000, polling: 50_000, sleeping: 90_000)
        #expect((950..<1000).contains(poll(1000, polling: 50_000, sleeping: 90_000)))
        // For no gain, no core is kept busy.
        _ = poll(3000, polling: 85_000, sleeping: 90_000)
        #expect(poll(1000, polling: 85_000, sleeping: 90_000) < 50)
    }

    @Test func `slow writes don't keep reads from being waited for`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("CREATE TEMPORARY TABLE t (a int)")
            let write = Statement(
                "INSERT INTO t SELECT 1 FROM (SELECT pg_sleep($1::int / 1000.0)) AS x", isBrief: true)
            for _ in 0..<10 { try await connection.execute(write, [.integer(20)]) }
            let (reads, writes) = connection.channel.state.withLock { state in
                (state.briefReads.next(), state.briefWrites.next())
            }
            #expect(reads != nil && writes == nil)
        }
    }

    @Test func `an error of the server is thrown immediately or later, and changes nothing else`() async throws {
        try await TestServer.withConnection { connection async throws in
            let division = Statement("SELECT $1::int / $2::int", isBrief: true)
            // Not known before it has slept.
            let late = Statement(
                "SELECT $1::int / ($2::int + length(pg_sleep(0.05)::text))", isBrief: true)
            for statement in [division, late] {
                try await connection.execute(statement, [.integer(4), .integer(2)])
                let start = ContinuousClock.now
                let error = try await #require(throws: DatabaseError.self) {
                    _ = try await connection.immediately(statement, .integer(4), .integer(0))
                }
                if statement === late { #expect(ContinuousClock.now - start > .milliseconds(40)) }
                #expect(error.engineCode == "22012")
                #expect(connection.isUsable && connection.transactionStatus == .idle)
                let run = try await connection.immediately(statement, .integer(4), .integer(2))
                #expect(run.progress != .notBegun && run.rows == [[.integer(2)]])

                try await connection.execute("BEGIN")
                await #expect(throws: DatabaseError.self) {
                    _ = try await connection.immediately(statement, .integer(4), .integer(0))
                }
                #expect(connection.transactionStatus == .failed)
                try await connection.execute("ROLLBACK")
            }
        }
    }

    @Test func `a value that can't be sent is left to the other way, and nothing is sent`() async throws {
        try await TestServer.withConnection { connection async throws in
            let statement = Statement("SELECT $1::int, $2::text", isBrief: true)
            try await connection.execute(statement, [.integer(1), .text("x")])
            #expect(try await connection.immediately(statement, .text("no\0number"), .text("x")).progress == .notBegun)
            #expect(try await connection.immediately(statement, .integer(.max), .text("x")).progress == .notBegun)
            #expect(try await connection.immediately(statement, .integer(1)).progress == .notBegun)
            #expect(try await connection.immediately(statement).progress == .notBegun)
            let run = try await connection.immediately(statement, .integer(2), .text("x"))
            #expect(run.rows == [[.integer(2), .text("x")]])
        }
    }

    private struct Refusal: Error, Equatable {}

    @Test(arguments: [0, 100])
    func `what the reader of rows throws is passed on, and the connection goes on`(milliseconds: Int64) async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute(Self.slow, [.integer(0), .integer(0)])
            let parameters = [Value.integer(1), .integer(milliseconds)].row
            await #expect(throws: Refusal()) {
                let progress = try connection.runImmediately(Self.slow, parameters, timeout: nil) { _ in throw Refusal()
                }
                if case .begun(let rest) = progress { try await rest { _ in throw Refusal() } }
            }
            #expect(try await connection.value("SELECT 1") == .integer(1))
        }
    }

    @Test func `what is waited for ends when its task is cancelled or its time is up`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute(Self.slow, [.integer(0), .integer(0)])
            try await connection.expectToEnd {
                _ = try await connection.immediately(Self.slow, .integer(1), .integer(60_000), timeout: $0)
            }
        }
    }

    @Test(arguments: 0..<40) func `a cancellation never hits a later statement`(round: Int) async throws {
        try await TestServer.withConnection { connection async throws in
            let statement = Statement("SELECT count(*) FROM generate_series(1, $1::int)", isBrief: true)
            try await connection.execute(statement, [.integer(1)])
            let code = await cancelling(after: .microseconds(round * 300)) {
                _ = try await connection.immediately(statement, .integer(40_000))
            }
            #expect(code == nil || code == .cancelled)
            for _ in 0..<3 { #expect(try await connection.value("SELECT 1") == .integer(1)) }
        }
    }

    @Test func `a plan that is out of date is made again outside of transactions`() async throws {
        try await TestServer.withSchema { driver async throws in
            let (connection, other) = (try await driver.open(.write), try await driver.open(.write))
            try await connection.execute("CREATE TABLE t (a int)")
            try await connection.execute("INSERT INTO t VALUES (5)")
            let statement = Statement("SELECT * FROM t WHERE a = $1", isBrief: true)
            try await connection.execute(statement, [.integer(5)])
            try await other.execute("ALTER TABLE t ALTER a TYPE bigint")
            // What the server says of it comes immediately, or is met by what waits for it.
            let run = try await connection.immediately(statement, .integer(5))
            #expect(run.progress == .notBegun || run.rows == [[.integer(5)]])
            #expect(connection.isUsable && connection.transactionStatus == .idle)
            #expect(try await connection.execute(statement, [.integer(5)]) == [[.integer(5)]])
            #expect(try await connection.immediately(statement, .integer(5)).rows == [[.integer(5)]])

            try await other.execute("ALTER TABLE t ALTER a TYPE int")
            try await connection.execute("BEGIN")
            await #expect(throws: DatabaseError.self) { _ = try await connection.immediately(statement, .integer(5)) }
            #expect(connection.transactionStatus == .failed)
            try await connection.execute("ROLLBACK")
            #expect(try await connection.execute(statement, [.integer(5)]) == [[.integer(5)]])
            await connection.close()
            await other.close()
        }
    }

    @Test func `a plan that goes out of date while its table is locked is made again`() async throws {
        try await TestServer.withSchema { driver async throws in
            let (connection, other) = (try await driver.open(.write), try await driver.open(.write))
            try await connection.execute("CREATE TABLE t (a int)")
            try await connection.execute("INSERT INTO t VALUES (5)")
            let statement = Statement("SELECT * FROM t WHERE a = $1", isBrief: true)
            try await connection.execute(statement, [.integer(5)])
            try await other.execute("BEGIN")
            try await other.execute("ALTER TABLE t ADD b text DEFAULT 'new'")
            let reading = Task { try await connection.immediately(statement, .integer(5)) }
            try await other.untilBlocking()
            // Longer than the thread waits for the answer, which else leaves it to the caller to ask again.
            try await Task.sleep(for: .milliseconds(500))
            try await other.execute("COMMIT")
            let run = try await reading.value
            #expect(run.progress == .begun)
            #expect(run.rows == [[.integer(5), .text("new")]])
            await connection.close()
            await other.close()
        }
    }

    @Test func `rows with types that have to be asked for are read`() async throws {
        try await TestServer.withSchema { driver async throws in
            let connection = try await driver.open(.write)
            try await connection.execute("CREATE TYPE mood AS ENUM ('sad', 'happy')")
            let statement = Statement(
                "SELECT CASE WHEN $1 THEN 'happy'::mood END FROM generate_series(1, $2::int)", isBrief: true)
            // Without a row, its type is of no interest yet.
            try await connection.execute(statement, [.boolean(true), .integer(0)])
            #expect(try await connection.immediately(statement, .boolean(true), .integer(1)).rows == [[.text("happy")]])
            #expect(try await connection.immediately(statement, .boolean(true), .integer(1)).rows == [[.text("happy")]])
            await connection.close()
        }
    }

    @Test(arguments: [0, 200]) func `a session that ends is lost, and says so`(milliseconds: Int64) async throws {
        try await TestServer.withConnection { connection async throws in
            let ending = Statement(
                "SELECT pg_terminate_backend(pg_backend_pid()) FROM pg_sleep($1::int / 1000.0) WHERE $2", isBrief: true)
            try await connection.execute(ending, [.integer(0), .boolean(false)])
            let error = try await #require(throws: DatabaseError.self) {
                _ = try await connection.immediately(ending, .integer(milliseconds), .boolean(true))
            }
            #expect(error.code == .connectionLost)
            #expect(!connection.isUsable)
        }
    }

    @Test func `a write that waits for another transaction is waited for`() async throws {
        try await TestServer.withSchema { driver async throws in
            let connection = try await driver.open(.write)
            try await connection.execute("CREATE TABLE t (a int PRIMARY KEY)")
            let insert = Statement("INSERT INTO t VALUES ($1)", isBrief: true)
            try await connection.execute(insert, [.integer(0)])
            let other = try await driver.open(.write)
            try await other.execute("BEGIN")
            try await other.execute("INSERT INTO t VALUES (1)")
            // Waits for the other transaction, to know whether the key is taken.
            let inserting = Task { try await connection.immediately(insert, .integer(1)).progress }
            try await other.untilBlocking()
            try await other.execute("ROLLBACK")
            #expect(try await inserting.value == .begun)
            #expect(try await connection.value("SELECT count(*) FROM t") == .integer(2))
            await connection.close()
            await other.close()
        }
    }

    @Test func `rows are consumed where the caller is`() async throws {
        try await TestServer.withConnection { try await QueueActor().consume(from: $0) }
    }
}

// MARK: - Short forms

private enum Progress {
    case notBegun, begun, done
}

extension [Value] {
    fileprivate var row: ParameterBuffer {
        var parameters = ParameterBuffer(width: count)
        for value in self { value.append(to: &parameters) }
        return parameters
    }
}

extension QueueActor {
    fileprivate func consume(from connection: PostgresConnection) async throws {
        let statement = Statement("SELECT $1::int FROM pg_sleep($2::int / 1000.0)", isBrief: true)
        try await connection.execute(statement, [.integer(0), .integer(0)])
        for milliseconds in [0, 50] {
            var isConsumed = false
            func consume(_ rows: any RowSource) throws {
                #expect(executor.isCurrent)
                isConsumed = true
            }
            let parameters = [Value.integer(1), .integer(Int64(milliseconds))].row
            let progress = try connection.runImmediately(statement, parameters, timeout: nil, consume: consume)
            if case .begun(let rest) = progress { try await rest(consume) }
            #expect(isConsumed && executor.isCurrent)
        }
    }
}

extension PostgresConnection {
    /// Runs a statement immediately, and waits for what is left of it.
    fileprivate func immediately(
        _ statement: Statement, _ values: Value..., timeout: Duration? = nil
    ) async throws -> (progress: Progress, rows: [[Value]]) {
        var rows: [[Value]] = []
        func read(_ source: any RowSource) throws {
            let width = source.columnNames.count
            while let cells = try source.next() { rows.append((0..<width).map { Value(cells[$0]) }) }
        }
        switch try runImmediately(statement, values.row, timeout: timeout, consume: read) {
        case .notBegun: return (.notBegun, rows)
        case .begun(let rest):
            #expect(rows.isEmpty)
            try await rest(read)
            return (.begun, rows)
        case .done: return (.done, rows)
        }
    }
}
