import FaultyProxy
import Foundation
@_spi(Driver) import Holdfast
import Synchronization
import Testing

@testable import HoldfastPostgres

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The server that the tests run against, and what they do with it.
enum TestServer {
    /// `postgres://…` of a database in which the tests may make schemas; nil if there is no server.
    static let url: String? = environment("HOLDFAST_POSTGRES_URL")
    static let isAvailable = url != nil
    static let reason: Comment =
        "HOLDFAST_POSTGRES_URL names no server. Run the tests through Integration/with-postgres."

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    static func configuration(
        schema: String? = nil, _ change: (inout DatabaseConfiguration) -> Void = { _ in }
    ) throws -> DatabaseConfiguration {
        DatabaseConfiguration.postgres(url: try #require(url), schema: schema).with(change)
    }

    /// A proxy between the tests and the server, and the URL of the server behind it.
    ///
    /// - Parameter delay: How long bytes are on their way through it, in each direction, in seconds.
    static func proxy(
        delay: TimeInterval = 0, plan: (@Sendable () -> @Sendable () -> Fault)? = nil
    ) throws -> (proxy: FaultyProxy, url: String) {
        var parts = try #require(url.flatMap { URLComponents(string: $0) })
        let proxy = try FaultyProxy(server: UInt16(parts.port ?? 5432), delay: delay, plan: plan)
        (parts.host, parts.port) = ("127.0.0.1", Int(proxy.port))
        return (proxy, try #require(parts.string))
    }

    static func driver(
        schema: String? = nil, _ change: (inout DatabaseConfiguration) -> Void = { _ in }
    ) throws -> PostgresDriver {
        let configuration = try configuration(schema: schema, change)
        return try #require(configuration.makeDriver(configuration) as? PostgresDriver)
    }

    /// Calls `body` with a driver, which is shut down afterwards.
    static func withDriver(
        schema: String? = nil, _ change: (inout DatabaseConfiguration) -> Void = { _ in },
        _ body: (PostgresDriver) async throws -> Void
    ) async throws {
        let driver = try driver(schema: schema, change)
        do {
            try await body(driver)
        } catch {
            await driver.shutdown()
            throw error
        }
        await driver.shutdown()
    }

    /// Calls `body` with a connection in no schema of its own.
    static func withConnection(
        _ change: (inout DatabaseConfiguration) -> Void = { _ in },
        _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        try await withDriver(schema: nil, change) { driver async throws in
            let connection = try await driver.open(.write)
            do {
                try await body(connection)
            } catch {
                await connection.close()
                throw error
            }
            await connection.close()
        }
    }

    private static let lastSchema = Atomic<Int>(0)

    /// Calls `body` with a driver whose connections work in a new, empty schema, and drops it.
    static func withSchema(
        _ change: (inout DatabaseConfiguration) -> Void = { _ in },
        _ body: (PostgresDriver) async throws -> Void
    ) async throws {
        let number = lastSchema.add(1, ordering: .relaxed).newValue
        let schema = "driver_test_\(getpid())_\(number)"
        try await withConnection { try await $0.execute("CREATE SCHEMA \(schema)") }
        do {
            try await withDriver(schema: schema, change, body)
        } catch {
            try await withConnection { try await $0.execute("DROP SCHEMA \(schema) CASCADE") }
            throw error
        }
        try await withConnection { try await $0.execute("DROP SCHEMA \(schema) CASCADE") }
    }
}

/// Runs `body` in a task that is cancelled after a while, and returns the code of what it threw.
func cancelling(
    after delay: Duration = .milliseconds(100), _ body: @escaping @Sendable () async throws -> Void
) async -> DatabaseError.Code? {
    let task = Task { () async -> DatabaseError.Code? in
        do {
            try await body()
            return nil
        } catch {
            return (error as? DatabaseError)?.code
        }
    }
    do { try await Task.sleep(for: delay) } catch {}
    task.cancel()
    return await task.value
}

extension PostgresConnection {
    /// Waits until this session keeps another one waiting, and returns which.
    @discardableResult
    func untilBlocking() async throws -> Int64 {
        for _ in 0..<3000 {
            let blocked = try await execute(
                "SELECT pid FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))")
            if case .integer(let session)? = blocked.first?.first { return session }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw DatabaseError(.statementTimeout, "Nobody waits for this session.")
    }

    /// Expects that what would take a minute ends when its time is up, and when its task is cancelled, and that the
    /// session goes on.
    func expectToEnd(_ body: @escaping @Sendable (_ timeout: Duration?) async throws -> Void) async throws {
        let start = ContinuousClock.now
        let late = await #expect(throws: DatabaseError.self) { try await body(.milliseconds(300)) }
        #expect(late?.code == .statementTimeout)
        let code = await cancelling(after: .milliseconds(200)) { try await body(nil) }
        #expect(code == .cancelled)
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(try await value("SELECT 1") == .integer(1))
    }

    /// Runs SQL, and returns its rows.
    @discardableResult
    func execute(
        _ sql: String, _ values: [Value] = [], timeout: Duration? = nil, isCached: Bool = false
    ) async throws -> [[Value]] {
        try await execute(Statement(sql, isCached: isCached), values, timeout: timeout)
    }

    @discardableResult
    func execute(_ statement: Statement, _ values: [Value] = [], timeout: Duration? = nil) async throws -> [[Value]] {
        try await execute(statement, rows: [values], timeout: timeout)
    }

    @discardableResult
    func execute(_ statement: Statement, rows: [[Value]], timeout: Duration? = nil) async throws -> [[Value]] {
        let width = rows.first?.count ?? 0
        var parameters = ParameterBuffer(width: width)
        for value in rows.joined() { value.append(to: &parameters) }
        return try await run(statement, parameters, timeout: timeout) { rows in
            let width = rows.columnNames.count
            var result: [[Value]] = []
            while let cells = try rows.next() { result.append((0..<width).map { Value(cells[$0]) }) }
            return result
        }
    }

    /// Runs SQL, and returns the first value of its first row.
    func value(_ sql: String, _ values: [Value] = []) async throws -> Value {
        try #require(try await execute(sql, values).first?.first)
    }

    /// Runs SQL that must fail, and returns how.
    func failure(
        _ sql: String, _ values: [Value] = [], timeout: Duration? = nil, isCached: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> DatabaseError {
        try await #require(throws: DatabaseError.self, sourceLocation: sourceLocation) {
            try await self.execute(sql, values, timeout: timeout, isCached: isCached)
        }
    }
}

/// A cell that owns its bytes.
enum Value: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    case timestamp(Int64)
    case decimal(String)
    case uuid([UInt8])
    case json(String)

    init(_ cell: Cell) {
        var text: String { String(decoding: cell.bytes, as: UTF8.self) }
        self =
            switch cell.kind {
            case .null: .null
            case .boolean: .boolean(cell.payload != 0)
            case .integer: .integer(cell.integer)
            case .real: .real(cell.real)
            case .text: .text(text)
            case .blob: .blob(Array(cell.bytes))
            case .timestamp: .timestamp(cell.integer)
            case .decimal: .decimal(text)
            case .uuid: .uuid(Array(cell.bytes))
            case .json: .json(text)
            case .list: fatalError("PostgreSQL returns no lists")
            }
    }

    func append(to parameters: inout ParameterBuffer) {
        func append(_ kind: Cell.Kind, _ bytes: some Sequence<UInt8>) {
            Array(bytes).withUnsafeBytes { parameters.append(kind, $0) }
        }
        switch self {
        case .null: parameters.append(.null)
        case .boolean(let value): parameters.append(.boolean(value))
        case .integer(let value): parameters.append(.integer(value))
        case .real(let value): parameters.append(.real(value))
        case .timestamp(let value): parameters.append(.timestamp(value))
        case .text(let text): append(.text, text.utf8)
        case .blob(let bytes): append(.blob, bytes)
        case .decimal(let text): append(.decimal, text.utf8)
        case .uuid(let bytes): append(.uuid, bytes)
        case .json(let text): append(.json, text.utf8)
        }
    }
}
