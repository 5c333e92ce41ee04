import Foundation
import Holdfast
import Synchronization

/// A PostgreSQL server on which the databases of tests are made.
final class TestServer: Sendable {
    /// Bounds how many tests use the server at a time, as its connections are bounded.
    let gate: Gate

    private let address: ServerURL
    private let administration: Database
    /// A session that is never used: as long as it is there, the databases of this process are not abandoned.
    private let presence: Database
    private let prefix: String
    /// Whether files are copied, and not pages.
    ///
    /// It takes half the time, and checkpoints, which are for nobody but tests on a server of their own.
    private let copiesFiles: Bool
    private let lastNumber = Atomic<Int>(0)

    private static let commonPrefix = "holdfast_test_"

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - url: A database of it, as a role that may create others.
    ///   - engine: The driver.
    ///   - isOwn: Whether nobody else uses the server.
    init(url: String, _ engine: DriverType, isOwn: Bool) async throws {
        guard let address = ServerURL(url) else {
            throw DatabaseError(
                .cannotConnect,
                "HOLDFAST_TEST_POSTGRES_URL has to be of the form postgres://user:password@host:port/database.")
        }
        let token = UUID().uuidString.lowercased().replacing("-", with: "").prefix(12)
        let prefix = Self.commonPrefix + token
        self.address = address
        self.prefix = prefix
        presence = try await Database.open(
            engine.configure(address.naming(application: prefix)).with {
                $0.pool.maximumConnections = 1
                $0.pool.idleTimeout = nil
            })
        administration = try await Database.open(engine.configure(url).with { $0.pool.maximumConnections = 4 })
        let settings = try await administration.sql(
            "SELECT current_setting('max_connections')::bigint, current_setting('server_version_num')::bigint"
        ).fetch(as: (Int, Int).self)
        let (room, version) = settings.first ?? (100, 130_000)
        copiesFiles = isOwn && version >= 150_000
        // Each has a pool of eight connections, as a rule.
        let width = min((room - 10) / 8, 2 * ProcessInfo.processInfo.activeProcessorCount + 2)
        gate = Gate(width: max(1, width))
    }

    /// The URL of one of its databases.
    func url(of name: String) -> String { address.naming(name) }

    /// A name that no other database has.
    func nextName(_ kind: String) -> String {
        "\(prefix)_\(kind)_\(lastNumber.add(1, ordering: .relaxed).newValue)"
    }

    /// Creates an empty database.
    func create(_ name: String) async throws {
        try await administration.sql("CREATE DATABASE \(identifier: name)").execute()
    }

    /// Creates a database as a clone, to which nobody may be connected.
    func create(_ name: String, from template: String) async throws {
        let strategy = copiesFiles ? " STRATEGY file_copy" : ""
        try await administration.sql(
            "CREATE DATABASE \(identifier: name) TEMPLATE \(identifier: template)\(unsafe: strategy)"
        ).execute()
    }

    /// Drops a database, and ends the sessions in it.
    func drop(_ name: String) async throws {
        try await administration.sql("DROP DATABASE IF EXISTS \(identifier: name) WITH (FORCE)").execute()
    }

    /// Drops the databases of processes that are gone.
    func dropAbandoned() async throws {
        // In this order: a process is present before it makes its first database.
        let databases = try await administration.sql(
            "SELECT datname::text FROM pg_database WHERE datname LIKE 'holdfast\\_test\\_%'"
        ).fetch(as: String.self)
        let present = try await administration.sql(
            "SELECT application_name FROM pg_stat_activity WHERE application_name LIKE 'holdfast\\_test\\_%'"
        ).fetch(as: String.self)
        for name in databases where !present.contains(where: { name.hasPrefix($0 + "_") }) {
            do {
                try await drop(name)
            } catch let error as DatabaseError where error.code != .connectionLost {
                // It is another role's, or another process is dropping it.
            }
        }
    }
}
