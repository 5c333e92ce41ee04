import Configuration
import Holdfast
import HoldfastConfiguration
import HoldfastPostgres
import HoldfastSQLite
import Logging

/// How the service runs.
struct ServiceConfiguration: Sendable {
    /// The address that it listens on.
    var host = "127.0.0.1"
    /// The port; 0 for any that is free.
    var port = 8080
    var database: DatabaseConfiguration
    /// Whether an empty database gets some people, projects and meetings.
    var addsSample = false
    var logger = Logger(label: "projects")

    init(database: DatabaseConfiguration) { self.database = database }

    /// Reads the configuration.
    ///
    /// | environment | meaning | otherwise |
    /// |---|---|---|
    /// | `DATABASE_URL` | `sqlite:PATH` or `postgres://USER@HOST/DATABASE` | `sqlite:projects.db` |
    /// | `DATABASE_MAXIMUM_CONNECTIONS` and others | see `HoldfastConfiguration` | |
    /// | `HTTP_HOST`, `HTTP_PORT` | the address to listen on | `127.0.0.1`, `8080` |
    /// | `LOG_LEVEL` | `debug`, `info`, `warning`, … | `info` |
    /// | `SAMPLE` | `true` to fill an empty database | `false` |
    init(reading config: ConfigReader) throws {
        logger.logLevel = config.string(forKey: "log.level", as: Logger.Level.self, default: .info)
        database = try DatabaseConfiguration(reading: config.scoped(to: "database"), drivers: [.sqlite, .postgres])
        database.telemetry.logger = logger
        database.telemetry.statementStatisticsLimit = 200
        host = config.string(forKey: "http.host", default: "127.0.0.1")
        port = config.int(forKey: "http.port", default: 8080)
        addsSample = config.bool(forKey: "sample", default: false)
    }
}
