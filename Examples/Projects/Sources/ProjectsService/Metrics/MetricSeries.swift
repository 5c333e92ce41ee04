import CoreMetrics
import Synchronization

/// The values of one metric with one set of labels.
final class MetricSeries: Sendable {
    enum Kind: String {
        case counter, gauge, histogram, summary
    }

    private struct Values {
        /// The value of a counter or a gauge; the sum of what was recorded.
        var sum = 0.0
        var count = 0
        /// For each bound, how many were not above it.
        var counts = [Int](repeating: 0, count: bounds.count)
    }

    /// The bounds of durations, in seconds: those that OpenTelemetry advises for databases and for HTTP together.
    private static let bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    let kind: Kind
    private let values = Mutex(Values())

    init(_ kind: Kind) { self.kind = kind }

    /// The lines of the series.
    func lines(_ name: String, _ labels: String) -> [String] {
        let values = values.withLock { $0 }
        func line(_ suffix: String, _ more: String, _ value: String) -> String {
            let all = [labels, more].filter { !$0.isEmpty }.joined(separator: ",")
            return "\(name)\(suffix)\(all.isEmpty ? "" : "{\(all)}") \(value)"
        }
        switch kind {
        case .counter, .gauge: return [line("", "", "\(values.sum)")]
        case .summary: return [line("_sum", "", "\(values.sum)"), line("_count", "", "\(values.count)")]
        case .histogram:
            return zip(Self.bounds, values.counts).map { line("_bucket", "le=\"\($0)\"", "\($1)") } + [
                line("_bucket", "le=\"+Inf\"", "\(values.count)"), line("_sum", "", "\(values.sum)"),
                line("_count", "", "\(values.count)"),
            ]
        }
    }

    private func add(_ value: Double) {
        values.withLock { values in
            values.sum += value
            values.count += 1
            guard kind == .histogram else { return }
            for index in Self.bounds.indices where value <= Self.bounds[index] { values.counts[index] += 1 }
        }
    }
}

extension MetricSeries: CounterHandler, FloatingPointCounterHandler {
    func increment(by amount: Int64) { add(Double(amount)) }
    func reset() { values.withLock { $0 = Values() } }
}

extension MetricSeries: MeterHandler {
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { values.withLock { $0.sum = value } }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
}

extension MetricSeries: RecorderHandler {
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { if kind == .gauge { set(value) } else { add(value) } }
}

extension MetricSeries: TimerHandler {
    func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }
}
