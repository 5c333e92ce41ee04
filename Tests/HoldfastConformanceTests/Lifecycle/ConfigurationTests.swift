import Configuration
import Holdfast
import HoldfastConfiguration
import HoldfastPostgres
import HoldfastSQLite
import Testing

/// Configurations that are read from elsewhere.
@Suite struct ConfigurationTests {
    private func read(_ variables: [String: String]) throws -> DatabaseConfiguration {
        let config = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        return try DatabaseConfiguration(reading: config.scoped(to: "database"), drivers: [.sqlite, .postgres])
    }

    @Test func `the environment names the database, and its limits`() async throws {
        let configuration = try read([
            "DATABASE_URL": "sqlite::memory:", "DATABASE_MAXIMUM_CONNECTIONS": "3", "DATABASE_CONNECT_TIMEOUT": "1.5",
            "DATABASE_STATEMENT_TIMEOUT": "2", "DATABASE_MAXIMUM_CONNECTION_LIFETIME": "600",
            "DATABASE_SHUTDOWN_TIMEOUT": "7", "DATABASE_START_TIMEOUT": "30",
        ])
        #expect(configuration.pool.maximumConnections == 3)
        #expect(configuration.timeouts.connect == .milliseconds(1_500))
        #expect(configuration.timeouts.statement == .seconds(2))
        #expect(configuration.pool.maximumConnectionLifetime == .seconds(600))
        #expect(configuration.timeouts.shutdown == .seconds(7))
        #expect(configuration.timeouts.start == .seconds(30))
        #expect(configuration.pool.checkoutTimeout == .seconds(30), "What is not said stays.")
        try await Database.withDatabase(configuration) { db in
            #expect(await db.isReady())
        }
    }

    @Test func `what can't be read is refused`() throws {
        #expect(throws: (any Error).self) { try read([:]) }
        let unknown = #expect(throws: DatabaseError.self) { try read(["DATABASE_URL": "mysql://db"]) }
        #expect(unknown?.code == .unsupported)
        for time in ["-1", "1e300"] {
            let error = #expect(throws: DatabaseError.self) {
                try read(["DATABASE_URL": "sqlite::memory:", "DATABASE_LOCK_TIMEOUT": time])
            }
            #expect(error?.code == .invalidValue)
        }
        let secret = "s3cr3t"
        let malformed = #expect(throws: DatabaseError.self) {
            try read(["DATABASE_URL": "postgres://app:\(secret)@db/x?nonsense=1"])
        }
        #expect(malformed.map { !"\($0)".contains(secret) } ?? false)
    }
}
