import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import Testing

/// An engine that the tests run on.
enum Engine: String, CaseIterable, Sendable {
    case sqlite, postgres

    private static let environment = ProcessInfo.processInfo.environment

    /// Those that HOLDFAST_TEST_ENGINES names; SQLite, and PostgreSQL where there is a server, if it names none.
    static let tested: [Engine] = {
        if let names = environment["HOLDFAST_TEST_ENGINES"] {
            return allCases.filter { names.split(separator: ",").contains(Substring($0.rawValue)) }
        }
        return environment["HOLDFAST_POSTGRES_URL"] == nil ? [.sqlite] : allCases
    }()

    /// Where the server is.
    private static func serverURL() throws -> String {
        try #require(
            environment["HOLDFAST_POSTGRES_URL"],
            "HOLDFAST_POSTGRES_URL names no server. Run the tests through Integration/with-postgres.")
    }

    /// Makes an empty database for `body`: a file, or a schema.
    func withDatabase(_ body: (TestDatabase) async throws -> Void) async throws {
        let name = "telemetry_" + UUID().uuidString.lowercased().replacing("-", with: "").prefix(20)
        switch self {
        case .sqlite:
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(name).db").path
            defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
            try await body(
                TestDatabase(
                    configuration: .sqlite(path: path), target: ["db.system.name": "sqlite", "db.namespace": path],
                    poolNames: ["\(path)#read", "\(path)#write"]))
        case .postgres:
            let url = try Self.serverURL()
            let parts = try #require(URLComponents(string: url))
            let host = try #require(parts.host)
            let namespace = "\(parts.path.dropFirst())|\(name)"
            var target = ["db.system.name": "postgresql", "db.namespace": namespace, "server.address": host]
            var place = host
            if let port = parts.port, port != 5432 {
                target["server.port"] = "\(port)"
                place += ":\(port)"
            }
            try await administer(url, "CREATE SCHEMA \(identifier: name)")
            let database = TestDatabase(
                configuration: .postgres(url: url, schema: name), target: target, poolNames: ["\(place)/\(namespace)"])
            do {
                try await body(database)
            } catch {
                try await administer(url, "DROP SCHEMA \(identifier: name) CASCADE")
                throw error
            }
            try await administer(url, "DROP SCHEMA \(identifier: name) CASCADE")
        }
    }

    private func administer(_ url: String, _ sql: SQLFragment) async throws {
        try await Database.withDatabase(.postgres(url: url).with { $0.pool.maximumConnections = 1 }) { db in
            try await db.sql(sql).execute()
        }
    }
}

/// An empty database of a test.
struct TestDatabase: Sendable {
    let configuration: DatabaseConfiguration
    /// The attributes that name it, by the conventions.
    let target: [String: String]
    /// The names of its pools, by the conventions.
    let poolNames: [String]
}
