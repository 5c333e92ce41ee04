// The examples of the article "Telemetry".

// The trait of the package.
#if Telemetry

// snippet.bootstrap
import CoreMetrics
import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import Tracing

func start(_ tracer: any Tracer, _ metrics: any MetricsFactory) async throws -> Database {
    InstrumentationSystem.bootstrap(tracer)  // of swift-otel, or another one
    MetricsSystem.bootstrap(metrics)
    return try await Database.open(.postgres(url: "postgres://app@db.example.org/catalog"))
}
// snippet.end

func printStatistics() async throws {
    // snippet.statistics
    let configuration = DatabaseConfiguration.sqlite(path: "catalog.db").with {
        $0.telemetry.statementStatisticsLimit = 100
    }
    let db = try await Database.open(configuration)
    // … and later, perhaps at a signal
    print(db.statementStatistics)
    // snippet.end
}
#endif
