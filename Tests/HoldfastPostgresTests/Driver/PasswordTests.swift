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

/// Passwords that are asked for, and connections that are replaced.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct PasswordTests {
    private struct Refusal: Error {
        let secret: String
    }

    /// The server's URL without a password, and that.
    private func parts() throws -> (url: String, password: String) {
        var parts = try #require(TestServer.url.flatMap { URLComponents(string: $0) })
        let password = try #require(parts.password)
        parts.password = nil
        return (try #require(parts.string), password)
    }

    @Test func `neither print nor dump shows the password of a database`() async throws {
        let secret = "t0pS3cret"
        var parts = try #require(TestServer.url.flatMap { URLComponents(string: $0) })
        let (host, user, password) = (parts.host ?? "localhost", parts.user ?? "", try #require(parts.password))
        // One of two that libpq does not need.
        parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: "sslpassword", value: secret)]
        let configurations: [DatabaseConfiguration] = [
            .postgres(url: try #require(parts.string)),
            .postgres(
                host: host, port: parts.port ?? 5432, user: user, password: password,
                database: String(parts.path.dropFirst()), parameters: ["sslpassword": secret]),
        ]
        for configuration in configurations {
            try await Database.withDatabase(configuration) { db in
                _ = try await db.sql("SELECT 1").fetch()
                let subjects: [Any] = [
                    db, configuration, db.query(Thing.self), db.sql("SELECT 1"), db.query(Thing.self).observe(),
                    try PostgresOptions(connectionString: try #require(parts.string)),
                ]
                for subject in subjects {
                    var dumped = ""
                    dump(subject, to: &dumped)
                    for text in ["\(subject)", String(reflecting: subject), dumped] {
                        #expect(!text.contains(secret) && !text.contains(password), "\(text)")
                    }
                }
            }
        }
    }

    @Test func `each connection asks for the password`() async throws {
        let (url, password) = try parts()
        let count = Atomic(0)
        let configuration = DatabaseConfiguration.postgres(url: url) {
            count.add(1, ordering: .relaxed)
            return password
        }
        try await Database.withDatabase(configuration) { db in
            #expect(count.load(ordering: .relaxed) == 1)
            try await db.transaction { _ in
                // Not of the transaction, so that it takes another connection.
                let other = Task.detached { try await db.sql("SELECT 1").fetch(as: Int.self) }
                let found = try await other.value
                #expect(found == [1])
            }
        }
        #expect(count.load(ordering: .relaxed) == 2)
    }

    @Test func `what gives no password opens no connection, and tells nothing of it`() async throws {
        let (url, password) = try parts()
        let secret = "Wr0ngT0ken"
        let wrong = await #expect(throws: DatabaseError.self) {
            _ = try await Database.open(.postgres(url: url) { secret })
        }
        #expect(wrong?.code == .authenticationFailed)
        let throwing = await #expect(throws: DatabaseError.self) {
            _ = try await Database.open(.postgres(url: url) { throw Refusal(secret: secret) })
        }
        #expect(throwing?.code == .cannotConnect)
        let start = ContinuousClock.now
        let slow = await #expect(throws: DatabaseError.self) {
            _ = try await Database.open(
                DatabaseConfiguration.postgres(url: url) {
                    try await Task.sleep(for: .seconds(60))
                    return password
                }.with { $0.timeouts.connect = .milliseconds(200) })
        }
        #expect(slow?.code == .cannotConnect)
        #expect(ContinuousClock.now - start < .seconds(20))
        let cut = await #expect(throws: DatabaseError.self) {
            _ = try await Database.open(.postgres(url: url) { password + "\0" })
        }
        #expect(cut?.code == .cannotConnect)
        for error in [wrong, throwing, slow, cut] {
            #expect(error.map { !"\($0)".contains(secret) && !"\($0)".contains(password) } ?? false)
        }
    }

    @Test func `a password that is rotated is used once connections are replaced`() async throws {
        let role = "rotated_\(getpid())"
        try await TestServer.withConnection { try await $0.execute("CREATE ROLE \(role) LOGIN PASSWORD 'first'") }
        var address = try #require(TestServer.url.flatMap { URLComponents(string: $0) })
        (address.user, address.password) = (role, nil)
        let current = Mutex("first")
        let configuration = DatabaseConfiguration.postgres(url: try #require(address.string)) {
            current.withLock { $0 }
        }.with {
            $0.pool.maximumConnectionLifetime = .milliseconds(300)
            $0.pool.maximumConnections = 2
        }
        try await Database.withDatabase(configuration) { db in
            func session() async throws -> Int? { try await db.sql("SELECT pg_backend_pid()").first(as: Int.self) }
            let first = try await session()
            #expect(try await session() == first)
            try await TestServer.withConnection { try await $0.execute("ALTER ROLE \(role) PASSWORD 'second'") }
            current.withLock { $0 = "second" }
            try await Task.sleep(for: .milliseconds(500))
            let second = try await session()
            #expect(second != first, "The connection was not replaced.")
            // One that is in use lives on until it is given back.
            try await db.transaction { tx in
                let before = try await tx.sql("SELECT pg_backend_pid()").first(as: Int.self)
                try await Task.sleep(for: .milliseconds(500))
                #expect(try await tx.sql("SELECT pg_backend_pid()").first(as: Int.self) == before)
            }
        }
        try await TestServer.withConnection { try await $0.execute("DROP ROLE \(role)") }
    }

    @Test func `opening waits for a server that starts later`() async throws {
        let (proxy, address) = try TestServer.proxy()
        proxy.fail(by: .closes)
        let configuration = DatabaseConfiguration.postgres(url: address)
        let late = await #expect(throws: DatabaseError.self) {
            _ = try await Database.open(configuration.with { $0.timeouts.start = .milliseconds(250) })
        }
        #expect(late?.code == .cannotConnect || late?.code == .connectionLost)
        async let db = Database.open(configuration.with { $0.timeouts.start = .seconds(60) })
        try await Task.sleep(for: .milliseconds(400))
        proxy.fail(by: .none)
        let opened = try await db
        #expect(await opened.isReady())
        try await opened.close()
        proxy.stop()
    }
}
