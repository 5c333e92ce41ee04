#if Telemetry
internal import CoreMetrics
import Synchronization

/// Metrics of statements, by OpenTelemetry's semantic conventions for database clients.
final class OperationMetrics: Sendable {
    /// What tells one time series from another: few, as operations, tables and codes of errors are.
    private struct Series: Hashable {
        var operation: String?
        var table: String?
        var errorType: String?
        var statusCode: String?
    }

    private struct Instruments: Sendable {
        let duration: Timer
        let returnedRows: Recorder
    }

    private let factory: any MetricsFactory
    private let target: TelemetryTarget
    private let instruments = Mutex<[Series: Instruments]>([:])

    /// Returns nil if the program has installed no metrics.
    init?(_ target: TelemetryTarget) {
        let factory = MetricsSystem.factory
        if factory is NOOPMetricsHandler { return nil }
        (self.factory, self.target) = (factory, target)
    }

    /// Records a statement that has ended.
    func record(_ ended: EndedStatement) {
        let series = Series(
            operation: ended.operationName, table: ended.statement.table, errorType: ended.errorType,
            statusCode: ended.statusCode)
        let instruments = instruments.withLock { instruments in
            if let known = instruments[series] { return known }
            let new = makeInstruments(series)
            instruments[series] = new
            return new
        }
        instruments.duration.recordNanoseconds(ended.duration.nanoseconds)
        if let rows = ended.rows, rows.returned > 0 || ended.statement.kind == .read {
            instruments.returnedRows.record(rows.returned)
        }
    }

    private func makeInstruments(_ series: Series) -> Instruments {
        let values = [
            ("db.system.name", target.systemName), ("db.namespace", target.namespace),
            ("db.collection.name", series.table), ("db.operation.name", series.operation),
            ("db.response.status_code", series.statusCode), ("error.type", series.errorType),
            ("server.address", target.serverAddress), ("server.port", target.serverPort.map(String.init)),
        ]
        let dimensions = values.compactMap { name, value in value.map { (name, $0) } }
        return Instruments(
            duration: Timer(
                label: "db.client.operation.duration", dimensions: dimensions, preferredDisplayUnit: .seconds,
                factory: factory),
            returnedRows: Recorder(
                label: "db.client.response.returned_rows", dimensions: dimensions, aggregate: true, factory: factory))
    }
}

#else

/// Records nothing: the package was built without the trait `Metrics`.
struct OperationMetrics: Sendable {
    init?(_ target: TelemetryTarget) { return nil }

    func record(_ ended: EndedStatement) {}
}
#endif
