@_spi(Driver) import Holdfast
import Synchronization
import Testing

@testable import HoldfastPostgres

/// Statements that are cancelled, take too long, or lose their session.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct CancellationTests {
    @Test func `a cancelled statement ends, and its connection goes on`() async throws {
        try await TestServer.withConnection { connection async throws in
            let start = ContinuousClock.now
            let code = await cancelling { try await connection.execute("SELECT pg_sleep(60)") }
            #expect(code == .cancelled)
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(connection.isUsable && connection.transactionStatus == .idle)
            for number in 0..<20 { #expect(try await connection.value("SELECT \(number)") == .integer(Int64(number))) }
        }
    }

    @Test func `a cancellation never hits a later statement`() async throws {
        try await TestServer.withConnection { connection async throws in
            for round in 0..<60 {
                let code = await cancelling(after: .microseconds(round * 37)) {
                    try await connection.execute("SELECT count(*) FROM generate_series(1, 2000)")
                }
                #expect(code == nil || code == .cancelled)
                #expect(connection.isUsable)
                #expect(try await connection.value("SELECT 1") == .integer(1))
            }
        }
    }

    @Test func `in a transaction, a cancelled statement leaves it to its owner to roll back`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("BEGIN")
            let code = await cancelling { try await connection.execute("SELECT pg_sleep(60)") }
            #expect(code == .cancelled)
            #expect(connection.transactionStatus == .failed)
            try await connection.execute("ROLLBACK")
            #expect(try await connection.value("SELECT 1") == .integer(1))
        }
    }

    @Test func `a task that is cancelled already sends nothing but what ignores that`() async throws {
        try await TestServer.withConnection { connection async throws in
            try await connection.execute("BEGIN")
            let code = await cancelling(after: .zero) {
                while !Task.isCancelled { await Task.yield() }
                try await connection.execute("SELECT no_such_function()")
            }
            #expect(code == .cancelled)
            #expect(connection.transactionStatus == .open)
            let other = await cancelling(after: .zero) {
                while !Task.isCancelled { await Task.yield() }
                try await connection.execute(Statement("ROLLBACK", ignoresCancellation: true))
            }
            #expect(other == nil)
            #expect(connection.transactionStatus == .idle)
        }
    }

    @Test func `a statement that ignores cancellation runs to its end`() async throws {
        try await TestServer.withConnection { connection async throws in
            let code = await cancelling(after: .milliseconds(50)) {
                try await connection.execute(Statement("SELECT pg_sleep(0.3)", ignoresCancellation: true))
            }
            #expect(code == nil)
        }
    }

    @Test func `a cancelled batch leaves nothing behind`() async throws {
        try await TestServer.withSchema { driver async throws in
            let (connection, other) = (try await driver.open(.write), try await driver.open(.write))
            try await connection.execute("CREATE TABLE t (id int)")
            let insert = Statement("INSERT INTO t VALUES ($1)")
            var parameters = ParameterBuffer(width: 1)
            for id in 0..<200_000 { parameters.append(.integer(Int64(id))) }
            let rows = parameters
            for round in 1...5 {
                let code = await cancelling(after: .milliseconds(round * 30)) {
                    try await connection.run(insert, rows, timeout: nil) { _ in }
                }
                let count = try await other.value("SELECT count(*) FROM t")
                #expect(code == nil ? count == .integer(200_000) : code == .cancelled && count == .integer(0))
                #expect(connection.isUsable && connection.transactionStatus == .idle)
                try await connection.execute("TRUNCATE t")
            }
            await connection.close()
            await other.close()
        }
    }

    @Test func `a statement that takes longer than its timeout is ended`() async throws {
        try await TestServer.withConnection { connection async throws in
            let start = ContinuousClock.now
            let error = try await connection.failure("SELECT pg_sleep(60)", timeout: .milliseconds(100))
            #expect(error.code == .statementTimeout)
            #expect(error.engineCode == "57014")
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(try await connection.value("SELECT 1") == .integer(1))
            #expect(try await connection.execute("SELECT 1", timeout: .seconds(30)) == [[.integer(1)]])
            #expect(try await connection.failure("SELECT 1", timeout: .zero).code == .statementTimeout)
            #expect(try await connection.value("SELECT 1") == .integer(1))
        }
    }

    @Test func `the server's own statement timeout is told as one`() async throws {
        try await TestServer.withConnection({ $0.timeouts.statement = .milliseconds(100) }) { connection async throws in
            let error = try await connection.failure("SELECT pg_sleep(60)")
            #expect(error.code == .statementTimeout)
            #expect(connection.isUsable)
        }
    }

    @Test func `a session that is ended in the middle is lost`() async throws {
        try await TestServer.withDriver { driver async throws in
            let (victim, other) = (try await driver.open(.write), try await driver.open(.write))
            let pid = try await victim.value("SELECT pg_backend_pid()")
            async let error = victim.failure("SELECT pg_sleep(60)")
            try await other.waitUntilActive(pid)
            try await other.execute("SELECT pg_terminate_backend($1)", [pid])
            #expect(try await error.code == .connectionLost)
            #expect(try await error.engineCode == "57P01")
            #expect(!victim.isUsable)
            #expect(victim.transactionStatus == .failed)
            #expect(try await victim.failure("SELECT 1").code == .connectionLost)
            await victim.close()
            await other.close()
        }
    }

    @Test func `a batch whose session is ended in the middle is lost`() async throws {
        try await TestServer.withDriver { driver async throws in
            let (victim, other) = (try await driver.open(.write), try await driver.open(.write))
            let pid = try await victim.value("SELECT pg_backend_pid()")
            let rows = (0..<5000).map { _ in [Value.real(0.01)] }
            async let code = failureCode { try await victim.execute(Statement("SELECT pg_sleep($1)"), rows: rows) }
            try await other.waitUntilActive(pid)
            try await other.execute("SELECT pg_terminate_backend($1)", [pid])
            #expect(await code == .connectionLost)
            #expect(!victim.isUsable)
            await victim.close()
            await other.close()
        }
    }

    @Test func `the end of an idle session is noticed`() async throws {
        try await TestServer.withDriver { driver async throws in
            let (victim, other) = (try await driver.open(.write), try await driver.open(.write))
            let pid = try await victim.value("SELECT pg_backend_pid()")
            try await other.execute("SELECT pg_terminate_backend($1)", [pid])
            for _ in 0..<500 where victim.isUsable { try await Task.sleep(for: .milliseconds(10)) }
            #expect(!victim.isUsable)
            await victim.close()
            await other.close()
        }
    }

    @Test func `a connection that its driver has left is lost`() async throws {
        let driver = try TestServer.driver()
        let connection = try await driver.open(.write)
        async let code = failureCode { try await connection.execute("SELECT pg_sleep(60)") }
        try await Task.sleep(for: .milliseconds(100))
        await driver.shutdown()
        #expect(await code == .connectionLost)
        #expect(!connection.isUsable)
        #expect(await failureCode { _ = try await driver.open(.write) } == .closed)
    }

    private func failureCode(_ body: () async throws -> Void) async -> DatabaseError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DatabaseError)?.code
        }
    }
}

extension PostgresConnection {
    /// Waits until the session of that process runs a statement.
    fileprivate func waitUntilActive(_ pid: Value) async throws {
        while try await value("SELECT state = 'active' FROM pg_stat_activity WHERE pid = $1", [pid]) != .boolean(true) {
            try await Task.sleep(for: .milliseconds(5))
        }
        try await Task.sleep(for: .milliseconds(50))
    }
}
