import CoreMetrics
import Synchronization

/// Keeps what swift-metrics reports, and writes it as Prometheus reads it.
///
/// It is here so that the example depends on nothing else. A service of your own has swift-prometheus for it.
/// The format is https://prometheus.io/docs/instrumenting/exposition_formats/
final class MetricsRegistry: MetricsFactory {
    /// The series by their names; those of one name have different labels.
    private let series = Mutex<[String: [String: MetricSeries]]>([:])

    init() {}

    /// All metrics, as text.
    var text: String {
        let all = series.withLock { $0 }
        return all.sorted { $0.key < $1.key }.map { name, series in
            let kind = series.values.first?.kind ?? .gauge
            let lines = series.sorted { $0.key < $1.key }.flatMap { labels, series in series.lines(name, labels) }
            return "# TYPE \(name) \(kind.rawValue)\n" + lines.map { $0 + "\n" }.joined()
        }
        .joined()
    }

    private func series(_ label: String, _ dimensions: [(String, String)], _ kind: MetricSeries.Kind) -> MetricSeries {
        let name = Self.name(label) + (kind == .histogram ? "_seconds" : kind == .counter ? "_total" : "")
        let labels = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        return series.withLock { all in
            if let series = all[name]?[labels] { return series }
            let series = MetricSeries(kind)
            all[name, default: [:]][labels] = series
            return series
        }
    }

    private static func name(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    // MARK: MetricsFactory

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter)
    }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, dimensions, aggregate ? .summary : .gauge)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .histogram)
    }

    // Series stay: a counter that is made again goes on.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
