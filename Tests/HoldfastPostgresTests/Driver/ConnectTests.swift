@_spi(Driver) import Holdfast
import Logging
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

/// How connecting fails, and how long it takes to.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct ConnectTests {
    private func failure(
        _ url: String, timeout: Duration = .seconds(10), showsValues: Bool = false
    ) async throws -> DatabaseError {
        try await failure(
            .postgres(url: url).with {
                $0.timeouts.connect = timeout
                $0.telemetry.showsValues = showsValues
            })
    }

    private func failure(_ configuration: DatabaseConfiguration) async throws -> DatabaseError {
        try await #require(throws: DatabaseError.self) {
            let driver = try configuration.makeDriver(configuration)
            let connection = try await driver.connect(.write)
            await connection.close()
        }
    }

    /// The server's URL with another password, port or database.
    private func url(
        password: String? = nil, host: String? = nil, database: String? = nil, query: String = ""
    ) throws -> String {
        let parts = try #require(TestServer.url?.wholeMatch(of: /(.*?):\/\/(.*?):(.*)@(.*?)\/([^?]*)(.*)/)).output
        return "\(parts.1)://\(parts.2):\(password ?? String(parts.3))@\(host ?? String(parts.4))/"
            + "\(database ?? String(parts.5))\(query)"
    }

    @Test func `a wrong password is refused without being shown`() async throws {
        let password = "Wr0ngPassw0rd"
        for showsValues in [false, true] {
            let error = try await failure(url(password: password), showsValues: showsValues)
            #expect(error.code == .authenticationFailed)
            #expect(error.engineCode == "28P01")
            #expect(!error.debugDescription.contains(password))
            #expect((error.shownEngineMessage != nil) == showsValues)
        }
    }

    @Test func `a missing password is told`() async throws {
        // PGPASSWORD would be taken for it.
        try #require(TestServer.environment("PGPASSWORD") == nil)
        let error = try await failure(url(query: "?password=&passfile=/no/such/file"))
        #expect(error.code == .authenticationFailed)
    }

    @Test func `a database that isn't there can't be connected to`() async throws {
        let error = try await failure(url(database: "no_such_database"))
        #expect(error.code == .cannotConnect)
        #expect(error.engineCode == "3D000")
    }

    @Test func `a port that nobody listens on can't be connected to`() async throws {
        let start = ContinuousClock.now
        let error = try await failure(url(host: "127.0.0.1:1"))
        #expect(error.code == .cannotConnect)
        #expect(ContinuousClock.now - start < .seconds(8))
    }

    @Test func `a host without an address can't be connected to`() async throws {
        #expect(try await failure(url(host: "no-such-host.invalid")).code == .cannotConnect)
    }

    @Test func `a server that never answers can't be connected to, in time`() async throws {
        let silent = try SilentServer()
        let start = ContinuousClock.now
        let error = try await failure(url(host: "127.0.0.1:\(silent.port)"), timeout: .milliseconds(300))
        #expect(error.code == .cannotConnect)
        #expect(ContinuousClock.now - start < .seconds(60))
        // The URL's own word on it goes first.
        let query = "?connect_timeout=1"
        let other = try await failure(url(host: "127.0.0.1:\(silent.port)", query: query), timeout: .seconds(100))
        #expect(other.code == .cannotConnect)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func `connecting can be cancelled`() async throws {
        let silent = try SilentServer()
        let url = try url(host: "127.0.0.1:\(silent.port)")
        let task = Task { try await failure(url, timeout: .seconds(100)) }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        #expect(try await task.value.code == .cancelled)
    }

    @Test func `of several servers, the first that answers is taken`() async throws {
        let silent = try SilentServer()
        let real = try #require(TestServer.url?.firstMatch(of: /@(.*?)\//)?.output.1)
        let url = try url(host: "127.0.0.1:1,127.0.0.1:\(silent.port),\(real)", query: "?connect_timeout=1")
        let configuration = DatabaseConfiguration.postgres(url: url)
        let driver = try configuration.makeDriver(configuration)
        let connection = try await driver.connect(.write)
        #expect(connection.isUsable)
        await connection.close()
        await driver.shutdown()
    }

    @Test func `a standby is asked for in vain`() async throws {
        #expect(try await failure(url(query: "?target_session_attrs=standby")).code == .cannotConnect)
        let real = try #require(TestServer.url?.firstMatch(of: /@(.*?)\//)?.output.1)
        let configuration = try DatabaseConfiguration.postgres(
            url: url(host: "\(real),\(real)", query: "?target_session_attrs=prefer-standby"))
        let driver = try configuration.makeDriver(configuration)
        await (try driver.connect(.write)).close()
        await driver.shutdown()
    }

    @Test func `TLS that the server doesn't have is told`() async throws {
        let error = try await failure(url(query: "?sslmode=verify-full&sslrootcert=/no/such/file"))
        #expect(error.code == .cannotConnect)
    }

    @Test func `a database that isn't UTF-8 is refused`() async throws {
        let name = "driver_test_latin1_\(getpid())"
        try await TestServer.withConnection { connection async throws in
            try await connection.execute(
                "CREATE DATABASE \(name) ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
            let error = try await failure(url(database: name))
            #expect(error.code == .unsupported)
            #expect(error.message.contains("UTF-8"))
            try await connection.execute("DROP DATABASE \(name)")
        }
    }

    @Test func `the parts of an address are enough`() async throws {
        let url = try #require(TestServer.url?.wholeMatch(of: /.*?:\/\/(.*?):(.*)@(.*?):([0-9]+)\/([^?]*).*/)).output
        let configuration = DatabaseConfiguration.postgres(
            host: String(url.3), port: try #require(Int(url.4)), user: String(url.1), password: String(url.2),
            database: String(url.5), parameters: ["application_name": "it's\\mine"])
        let driver = try #require(configuration.makeDriver(configuration) as? PostgresDriver)
        let connection = try await driver.open(.write)
        #expect(try await connection.value("SELECT current_setting('application_name')") == .text("it's\\mine"))
        await connection.close()
        await driver.shutdown()
        let other = DatabaseConfiguration.postgres(
            host: String(url.3), port: try #require(Int(url.4)), user: String(url.1), password: String(url.2),
            database: "no='such host=\\'x")
        #expect(try await failure(other).engineCode == "3D000")
    }

    @Test func `notices are logged without values`() async throws {
        let log = LogRecord()
        var logger = Logger(label: "test", factory: { _ in log })
        logger.logLevel = .debug
        for showsValues in [false, true] {
            try await TestServer.withConnection {
                $0.telemetry.logger = logger
                $0.telemetry.showsValues = showsValues
            } _: { connection async throws in
                try await connection.execute("DO $$ BEGIN RAISE NOTICE 'secret'; END $$")
            }
        }
        let lines = log.lines
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("00000") && $0.contains("NOTICE") })
        #expect(lines.map { $0.contains("secret") } == [false, true])
    }
}

/// A socket that takes connections and never says anything.
private final class SilentServer: Sendable {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(descriptor, address, length)
                _ = listen(descriptor, 16)
                _ = getsockname(descriptor, address, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(port != 0)
    }

    deinit { close(descriptor) }
}

/// A log handler that keeps what it was given.
private final class LogRecord: LogHandler {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }
    var logLevel: Logger.Level {
        get { .debug }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        state.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
    }
}
