import Foundation
public import Holdfast
public import HoldfastConformance
import HoldfastPostgres
import Synchronization

/// Makes PostgreSQL databases for the cases: a schema each, in the database that a URL names.
public struct PostgresProvision: ConformanceProvision {
    private let url: String

    /// Creates a provision.
    ///
    /// - Parameter url: A database in which the role may create schemas, and end its own sessions.
    public init(url: String) { self.url = url }

    /// A server that is not there: port 1 of this machine.
    public var unreachable: DatabaseConfiguration {
        .postgres(host: "127.0.0.1", port: 1, user: "nobody", database: "nothing").with {
            $0.timeouts.connect = .seconds(5)
        }
    }

    public func makeDatabase() async throws -> any ConformanceDatabase {
        let name = "conformance_" + UUID().uuidString.lowercased().replacing("-", with: "").prefix(20)
        let configuration = DatabaseConfiguration.postgres(url: url).with {
            $0.pool.maximumConnections = 1
            $0.telemetry.showsValues = true
        }
        let schema = Schema(String(name), url: url, administrator: try await Database.open(configuration))
        try await schema.administer {
            try await $0.sql("CREATE SCHEMA IF NOT EXISTS \(identifier: schema.name)").execute()
        }
        return schema
    }

    private final class Schema: ConformanceDatabase {
        let name: String
        let url: String
        /// One connection for all that a case needs: a server takes longer to begin a session than most cases do to
        /// run.
        private let administrator: Database
        private let others = Mutex<[String]>([])

        init(_ name: String, url: String, administrator: Database) {
            (self.name, self.url, self.administrator) = (name, url, administrator)
        }

        /// Its sessions are known by their application name.
        var configuration: DatabaseConfiguration {
            let separator = url.contains("?") ? "&" : "?"
            return .postgres(url: "\(url)\(separator)application_name=\(name)", schema: name)
        }

        /// Types name the schema, so that cases which need one of the name take turns: it is there while one runs.
        func configuration(withSchema other: String) async throws -> DatabaseConfiguration {
            var patience = 200
            while true {
                do {
                    try await administer { try await $0.sql("CREATE SCHEMA \(identifier: other)").execute() }
                    break
                } catch let error as DatabaseError where error.engineCode == "42P06" || error.engineCode == "23505" {
                    patience -= 1
                    // A run that was killed has left it.
                    if patience < 0 {
                        try await administer { try await $0.sql("DROP SCHEMA \(identifier: other) CASCADE").execute() }
                    }
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
            others.withLock { $0.append(other) }
            return configuration
        }

        func terminateSessions() async throws {
            try await administer { db in
                _ = try await db.sql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE application_name = \(name) AND pid <> pg_backend_pid()
                    """
                ).fetch()
            }
        }

        /// A case that hung may still hold a lock on one of its tables.
        func destroy() async throws {
            try await terminateSessions()
            for schema in [name] + others.withLock({ $0 }) {
                try await administer {
                    try await $0.sql("DROP SCHEMA IF EXISTS \(identifier: schema) CASCADE").execute()
                }
            }
            try await administrator.close()
        }

        /// Does what may be done twice: behind a pooler, the session may be one that another case has ended.
        func administer(_ work: (Database) async throws -> Void) async throws {
            do {
                try await work(administrator)
            } catch let error as DatabaseError
                where error.code == .connectionLost || error.code == .commitOutcomeUnknown
            {
                try await work(administrator)
            }
        }
    }
}

extension ConformanceManifest {
    /// The manifest of our PostgreSQL driver.
    public static let postgres = ConformanceManifest(driver: "postgresql", claims: [.core, .graph, .live, .documents])
}
