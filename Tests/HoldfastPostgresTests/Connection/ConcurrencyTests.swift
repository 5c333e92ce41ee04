@_spi(Driver) import Holdfast
import Synchronization
import Testing

@testable import HoldfastPostgres

@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct ConcurrencyTests {
    /// Lends each connection to one task at a time.
    private final class Lender: Sendable {
        private let state:
            Mutex<(free: [PostgresConnection], waiting: [CheckedContinuation<PostgresConnection, Never>])>

        init(_ connections: [PostgresConnection]) { state = Mutex((connections, [])) }

        func take() async -> PostgresConnection {
            await withCheckedContinuation { continuation in
                let connection = state.withLock { state in
                    if state.free.isEmpty { state.waiting.append(continuation) }
                    return state.free.popLast()
                }
                if let connection { continuation.resume(returning: connection) }
            }
        }

        func giveBack(_ connection: PostgresConnection) {
            let next = state.withLock { state in
                if state.waiting.isEmpty {
                    state.free.append(connection)
                    return nil as CheckedContinuation<PostgresConnection, Never>?
                }
                return state.waiting.removeFirst()
            }
            next?.resume(returning: connection)
        }
    }

    @Test func `a thousand tasks share four connections and one reactor`() async throws {
        try await TestServer.withDriver { driver async throws in
            var connections: [PostgresConnection] = []
            for _ in 0..<4 { connections.append(try await driver.open(.write)) }
            let lender = Lender(connections)
            let statement = Statement("SELECT $1::int, repeat('x', $1::int % 3000)")
            let sum = try await withThrowingTaskGroup(of: Int64.self) { group in
                for number in 0..<1000 {
                    group.addTask {
                        let connection = await lender.take()
                        defer { lender.giveBack(connection) }
                        let rows = try await connection.execute(statement, [.integer(Int64(number))])
                        let expected: [Value] = [
                            .integer(Int64(number)), .text(String(repeating: "x", count: number % 3000)),
                        ]
                        return rows == [expected] ? Int64(number) : -1_000_000
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 999 * 1000 / 2)
            for connection in connections { await connection.close() }
        }
    }

    @Test func `many connections open and close concurrently`() async throws {
        try await TestServer.withDriver { driver async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<24 {
                    group.addTask {
                        let connection = try await driver.open(.write)
                        let value = try await connection.value("SELECT \(number)")
                        await connection.close()
                        #expect(value == .integer(Int64(number)))
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `two tasks on one connection are refused`() async throws {
        try await TestServer.withConnection { connection async throws in
            let task = Task { try await connection.execute("SELECT pg_sleep(0.5)") }
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await connection.failure("SELECT 1").code == .conflict)
            _ = try await task.value
            #expect(try await connection.value("SELECT 1") == .integer(1))
        }
    }

    @Test func `a connection that is dropped is closed, and so is its driver's thread`() async throws {
        weak var reactor: Reactor?
        weak var channel: Channel?
        do {
            let driver = try TestServer.driver()
            let connection = try await driver.open(.write)
            #expect(try await connection.value("SELECT 1") == .integer(1))
            channel = connection.channel
            reactor = connection.channel.reactor
        }
        for _ in 0..<500 where reactor != nil || channel != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(reactor == nil)
        #expect(channel == nil)
    }
}
