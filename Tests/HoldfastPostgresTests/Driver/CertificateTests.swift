import Foundation
import Holdfast
import Testing

@testable import HoldfastPostgres

/// Certificates whose files change while the program runs.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct CertificateTests {
    @Test func `a file of certificates is read for each connection`() async throws {
        let tls = try await TLSServer()
        defer { tls.stop() }
        let file = URL.temporaryDirectory.appending(path: "authority-\(UUID()).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        func trust(_ authority: String) throws {
            try Data(contentsOf: URL(filePath: authority)).write(to: file, options: .atomic)
        }
        try trust(tls.authority)
        let url = tls.url("sslmode=verify-ca&sslrootcert=\(file.path)")
        let configuration = DatabaseConfiguration.postgres(url: url).with {
            $0.pool.maximumConnectionLifetime = .milliseconds(300)
            $0.pool.maximumConnections = 1
        }
        try await Database.withDatabase(configuration) { db in
            func session() async throws -> Int? { try await db.sql("SELECT pg_backend_pid()").first(as: Int.self) }
            let first = try await session()
            #expect(try await session() == first)
            try trust(tls.otherAuthority)
            try await Task.sleep(for: .milliseconds(500))
            let error = await #expect(throws: DatabaseError.self) { try await session() }
            #expect(error?.message.contains("is not to be trusted") == true, "\(error as Any)")
            try trust(tls.authority)
            #expect(try await session() != first)
        }
    }
}
