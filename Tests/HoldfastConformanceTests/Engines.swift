import EngineProvisions
import Foundation
import HoldfastConformance

/// The engines that the tests run on, each with one runner, so that few cases run at the same time.
enum Engines {
    static let sqlite = ConformanceRunner(
        SQLiteProvision(directory: FileManager.default.temporaryDirectory.path),
        manifest: .sqlite
    )

    static let postgresURL = ProcessInfo.processInfo.environment["HOLDFAST_POSTGRES_URL"]

    static let postgres = postgresURL.map { ConformanceRunner(PostgresProvision(url: $0), manifest: .postgres) }

    /// Where databases are made: on each engine that is there.
    static let provisions: [any ConformanceProvision] =
        [SQLiteProvision(directory: FileManager.default.temporaryDirectory.path)]
        + (postgresURL.map { [PostgresProvision(url: $0)] } ?? [])
}
