// The examples of the article "Opening databases".

import Configuration
import HoldfastConfiguration
import HoldfastServiceLifecycle
import Logging
import ServiceLifecycle

// snippet.drivers
import Foundation
import Holdfast
import HoldfastPostgres
import HoldfastSQLite

let embedded = try await Database.open(.sqlite(path: "catalog.db"))
let server = try await Database.open(.postgres(url: "postgres://app@db.example.org/catalog"))
// snippet.end

func openByURL() async throws {
    // snippet.url
    let url = ProcessInfo.processInfo.environment["DATABASE_URL"] ?? "sqlite:dev.db"
    let db = try await Database.open(url, drivers: [.sqlite, .postgres]) { configuration in
        configuration.timeouts.statement = .seconds(5)
    }
    // snippet.end
    _ = db
}

func openForReading() async throws {
    // snippet.reading-only
    let catalog = try await Database.open("sqlite:catalog.db", drivers: [.sqlite(mode: .readOnly), .postgres])
    let file = try await Database.open(.sqlite(path: "catalog.db", mode: .readOnly))
    // snippet.end
    _ = (catalog, file)
}

func openSeveralFiles() async throws {
    // snippet.attached-files
    let file = try await Database.open(.sqlite(path: "catalog.db", attached: ["sales": "sales.db"]))
    // snippet.end
    _ = file
}

func useAndClose() async throws {
    // snippet.with-database
    try await Database.withDatabase(.sqlite(.inMemory)) { db in
        try await db.migrate(Project.self)
        try await db.save(Project(name: "Apollo"))
    }
    // snippet.end
}

// snippet.service
func serve(_ server: any Service, url: String) async throws {
    let configuration = DatabaseConfiguration.postgres(url: url).with { $0.timeouts.start = .seconds(60) }
    let db = try await Database.open(configuration)
    let group = ServiceGroup(
        services: [db, server], gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger(label: "app"))
    try await group.run()
}
// snippet.end

func openFromConfiguration() async throws {
    // snippet.configuration
    let config = ConfigReader(provider: EnvironmentVariablesProvider()).scoped(to: "database")
    let db = try await Database.open(DatabaseConfiguration(reading: config, drivers: [.sqlite, .postgres]))
    // DATABASE_URL=postgres://app@db/prod DATABASE_MAXIMUM_CONNECTIONS=16 DATABASE_STATEMENT_TIMEOUT=5
    // snippet.end
    _ = db
}

func openWithOptions() async throws {
    // snippet.options
    let configuration = DatabaseConfiguration.postgres(url: "postgres://app@db.example.org/catalog").with {
        $0.pool.maximumConnections = 16
        $0.timeouts.statement = .seconds(5)
        $0.telemetry.showsValues = true
    }
    let db = try await Database.open(configuration)
    // snippet.end
    _ = db
}

func openWithFastSettings() async throws {
    // snippet.fast-settings
    try SQLiteProcess.applyFastSettings()
    let db = try await Database.open(.sqlite(path: "catalog.db"))
    // snippet.end
    _ = db
}

func openWithLogging() async throws {
    // snippet.logging
    let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with { configuration in
        configuration.telemetry.slowStatementThreshold = .milliseconds(200)
    }
    let db = try await Database.open(configuration)
    // snippet.end
    _ = db
}

// snippet.health
func isHealthy(_ db: Database) async -> Bool {
    guard (try? await db.ping()) != nil else { return false }
    return db.poolStatistics.waiting < 100
}
// snippet.end

func openBehindPooler() async throws {
    // snippet.pooler
    let db = try await Database.open(
        .postgres(url: "postgres://app@pooler.example.org:6432/catalog?pooler=transaction"))
    // snippet.end
    _ = db
}

func openWithTLS() async throws {
    // snippet.tls
    let url = "postgres://app@db.example.org/catalog?sslmode=verify-full&sslrootcert=/etc/ssl/certs/ca-certificates.crt"
    let db = try await Database.open(.postgres(url: url))
    // snippet.end
    _ = db
}

// snippet.rotated-passwords
func open(token: @escaping @Sendable () async throws -> String) async throws -> Database {
    let url = "postgres://app@db.example.org/catalog?sslmode=verify-full"
    return try await Database.open(.postgres(url: url, password: token))
}
// snippet.end

// What the article takes as known.

@Table
final class Project {
    var id: Int64?
    var name: String
    var budget = 0
    var tags: [String] = []

    init(name: String) { self.name = name }
}
