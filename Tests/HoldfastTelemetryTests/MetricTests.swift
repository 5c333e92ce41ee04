#if Telemetry
import CoreMetrics
import Holdfast
import InMemoryTracing
import MetricsTestKit
import Testing
import Tracing

/// Metrics, dimension by dimension, as OpenTelemetry's conventions for database clients have them.
@Suite struct MetricTests {
    private func dictionary(_ dimensions: [(String, String)]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: dimensions)
    }

    @Test(arguments: Engine.tested)
    func `statements have a duration and a number of rows, with the dimensions of the conventions`(
        on engine: Engine
    ) async throws {
        try await Observed.with(engine) { observed in
            let author = Author("\(Observed.canary) Ada", email: "\(Observed.canary)@a")
            try await observed.db.save(author)
            _ = try await observed.db.find(Author.self, key: author.id ?? 0)
            _ = try await observed.db.find(Author.self, key: -1)
            await #expect(throws: DatabaseError.self) {
                try await observed.db.save(Author("\(Observed.canary) Bob", email: author.email))
            }
            try await observed.db.save((0..<10).map { Author("\(Observed.canary) \($0)") })
            let durations = observed.metrics.timers(label: "db.client.operation.duration")
            func timer(_ dimensions: [String: String]) throws -> TestTimer {
                let all = observed.database.target.merging(dimensions) { $1 }
                return try #require(
                    durations.first { dictionary($0.dimensions) == all }, "\(durations.map(\.dimensions))")
            }
            let find = try timer(["db.collection.name": "author", "db.operation.name": "SELECT"])
            #expect(find.values.count == 2 && find.values.allSatisfy { $0 > 0 })
            #expect(find.displayUnit == .seconds)
            #expect(try timer(["db.collection.name": "author", "db.operation.name": "INSERT"]).values.count == 1)
            #expect(
                try timer([
                    "db.collection.name": "author", "db.operation.name": "INSERT", "error.type": "uniqueViolation",
                    "db.response.status_code": engine == .sqlite ? "2067" : "23505",
                ]).values.count == 1)
            #expect(
                try timer(["db.collection.name": "author", "db.operation.name": "BATCH INSERT"]).values.count == 1,
                "A batch is one operation.")
            let rows = try #require(
                observed.metrics.recorders(label: "db.client.response.returned_rows").first {
                    dictionary($0.dimensions)
                        == observed.database.target.merging([
                            "db.collection.name": "author", "db.operation.name": "SELECT",
                        ]) { $1 }
                })
            #expect(rows.values == [1, 0] && rows.aggregate)
        }
    }

    @Test(arguments: Engine.tested)
    func `the duration of a statement is that of its span`(on engine: Engine) async throws {
        try await Observed.with(engine) { observed in
            let spans = try await observed.spans { _ = try await observed.db.count(Author.self) }
            let span = try #require(spans.first { $0.operationName == "SELECT author" })
            let length = span.endInstant.nanosecondsSinceEpoch - span.startInstant.nanosecondsSinceEpoch
            let timers = observed.metrics.timers(label: "db.client.operation.duration")
            #expect(timers.contains { $0.values.contains(Int64(length)) })
        }
    }

    @Test(arguments: Engine.tested)
    func `connections are counted by state, and requests while they wait`(on engine: Engine) async throws {
        let metrics = try await measured(engine)
        for name in metrics.poolNames {
            for state in ["idle", "used"] {
                let meter = try metrics.factory.expectMeter(
                    "db.client.connection.count",
                    [("db.client.connection.pool.name", name), ("db.client.connection.state", state)])
                #expect(meter.lastValue == 0, "All are closed.")
                #expect(meter.values.max() == 1 && meter.values.min() == 0)
            }
            let dimensions = [("db.client.connection.pool.name", name)]
            let created = try metrics.factory.expectTimer("db.client.connection.create_time", dimensions)
            #expect(created.values.count == 1 && created.values.allSatisfy { $0 > 0 })
            #expect(created.displayUnit == .seconds)
            let waited = try metrics.factory.expectTimer("db.client.connection.wait_time", dimensions)
            #expect(!waited.values.isEmpty && waited.displayUnit == .seconds)
        }
        let dimensions = [("db.client.connection.pool.name", try #require(metrics.poolNames.first))]
        let pending = try metrics.factory.expectMeter("db.client.connection.pending_requests", dimensions)
        #expect(pending.values.max() ?? 0 >= 1 && pending.lastValue == 0)
        let waited = try metrics.factory.expectTimer("db.client.connection.wait_time", dimensions)
        #expect(waited.values.contains { $0 > 10_000_000 }, "One has waited for 20 ms.")
        let timeouts = try metrics.factory.expectCounter("db.client.connection.timeouts", dimensions)
        #expect(timeouts.totalValue == 1)
    }

    /// Metrics of a database with one connection, for which one request has waited, and one too long.
    private func measured(_ engine: Engine) async throws -> (factory: TestMetrics, poolNames: [String]) {
        var result: (TestMetrics, [String])?
        try await Observed.with(
            engine,
            configure: {
                $0.pool.maximumConnections = 1
                // Long enough for a connection to be opened on a busy machine.
                $0.pool.checkoutTimeout = .seconds(4)
            }
        ) { observed in
            result = (observed.metrics, observed.database.poolNames)
            let db = observed.db
            for duration in [20, 10_000] {
                try await withThrowingTaskGroup { group in
                    let (started, start) = AsyncStream<Void>.makeStream()
                    group.addTask {
                        try await db.read { tx in
                            _ = try await tx.count(Author.self)
                            start.finish()
                            while db.poolStatistics.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
                            try await Task.sleep(for: .milliseconds(duration))
                        }
                    }
                    for await _ in started {}
                    group.addTask {
                        do {
                            _ = try await db.count(Author.self)
                        } catch let error as DatabaseError where error.code == .poolTimeout && duration > 4_000 {
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
        return try #require(result)
    }
}
#endif
