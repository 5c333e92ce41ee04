#if Telemetry
import CoreMetrics
import Holdfast
import InMemoryTracing
import MetricsTestKit
import Testing
import Tracing

/// A database whose spans and metrics are kept in memory.
struct Observed: Sendable {
    /// What no span and no metric may have: all texts that the tests store begin with it.
    static let canary = "canary-7f3a"

    let engine: Engine
    let database: TestDatabase
    let db: Database
    let tracer: InMemoryTracer
    let metrics: TestMetrics

    /// Opens a database of its own with tables for the models, closes it after `body`, and then looks for values.
    static func with(
        _ engine: Engine, configure: (inout DatabaseConfiguration) -> Void = { _ in },
        _ body: (Observed) async throws -> Void
    ) async throws {
        try await engine.withDatabase { database in
            let (tracer, metrics) = (InMemoryTracer(), TestMetrics())
            let configuration = database.configuration.with(configure)
            let db = try await withTracer(tracer) {
                try await withMetricsFactory(metrics) { try await Database.open(configuration) }
            }
            let observed = Observed(engine: engine, database: database, db: db, tracer: tracer, metrics: metrics)
            do {
                try await db.migrate(Author.self, Book.self, Entry.self)
                try await body(observed)
            } catch {
                try await db.close()
                throw error
            }
            try await db.close()
            observed.expectNoValues()
        }
    }

    /// Runs `body`, and returns the spans that ended meanwhile, in the order in which they began.
    func spans(during body: () async throws -> Void) async throws -> [FinishedInMemorySpan] {
        let count = tracer.finishedSpans.count
        try await body()
        return tracer.finishedSpans.dropFirst(count).sorted {
            $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch
        }
    }

    /// The attributes of every span of an operation, but for the place that called it.
    func common(_ operation: String) -> [String: SpanAttribute] {
        var attributes: [String: SpanAttribute] = ["holdfast.operation": .string(operation)]
        for (name, value) in database.target {
            attributes[name] = name == "server.port" ? .int64(Int64(value) ?? 0) : .string(value)
        }
        return attributes
    }

    private func expectNoValues() {
        #expect(tracer.activeSpans.isEmpty, "A span was never ended.")
        for span in tracer.finishedSpans {
            var texts = [span.operationName, span.status?.message ?? ""]
            span.attributes.forEach { texts += [$0, "\($1)"] }
            for event in span.events {
                texts.append(event.name)
                event.attributes.forEach { texts += [$0, "\($1)"] }
            }
            #expect(span.errors.isEmpty, "Whatever is in an error would be shown.")
            #expect(!texts.contains { $0.contains(Self.canary) }, "\(span.operationName) has a value: \(texts)")
        }
        var series = metrics.timers.map { ($0.label, $0.dimensions) }
        series += metrics.recorders.map { ($0.label, $0.dimensions) }
        series += metrics.counters.map { ($0.label, $0.dimensions) }
        series += metrics.meters.map { ($0.label, $0.dimensions) }
        #expect(!series.isEmpty)
        for (label, dimensions) in series {
            #expect(!dimensions.contains { $0.1.contains(Self.canary) }, "\(label) has a value: \(dimensions)")
        }
    }
}

extension FinishedInMemorySpan {
    /// The attributes by name, without the place that called, and without the statement, whose text an engine chooses.
    var facts: [String: SpanAttribute] {
        var facts: [String: SpanAttribute] = [:]
        attributes.forEach { facts[$0] = $1 }
        for name in ["code.file.path", "code.line.number", "db.query.text"] { facts[name] = nil }
        return facts
    }

    /// The text of an attribute.
    func text(_ name: String) -> String? {
        guard case .string(let text)? = attributes.get(name) else { return nil }
        return text
    }
}
#endif
