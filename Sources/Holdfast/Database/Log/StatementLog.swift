import Logging

/// Logs statements: each of them at `trace`, slow ones at `warning`.
///
/// It is called in the task of whoever runs the statement, so that metadata providers find that task's values.
struct StatementLog: Sendable {
    private let logger: Logger
    /// How long a statement may take before it is warned of; nil for any time.
    private let threshold: Duration?
    private let showsValues: Bool

    init(_ configuration: DatabaseConfiguration) {
        logger = configuration.logger
        threshold = configuration.slowStatementThreshold
        showsValues = configuration.showsValues
    }

    /// Whether every statement is logged.
    var isTracing: Bool { logger.logLevel <= .trace }

    /// The time at which a statement begins; nil if nothing can be logged of it.
    var start: Duration? {
        guard threshold == nil ? isTracing : logger.logLevel <= .warning else { return nil }
        return PoolClock.now
    }

    /// Logs a statement that has ended.
    ///
    /// - Parameters:
    ///   - start: What ``start`` was when it began.
    ///   - purpose: The operation that it belongs to.
    ///   - rows: How many rows it returned or changed, if they were counted.
    ///   - error: Why it failed.
    func end(
        _ statement: Statement, since start: Duration?, _ purpose: @autoclosure () -> LeasePurpose, rows: Int? = nil,
        error: (any Error)? = nil
    ) {
        guard let start else { return }
        let duration = PoolClock.now - start
        let isSlow = threshold.map { duration >= $0 } ?? false
        guard isSlow || isTracing else { return }
        logger.log(
            level: isSlow ? .warning : .trace, isSlow ? "A statement took long." : "A statement was run.",
            metadata: metadata(statement, duration, purpose(), rows, error))
    }

    private func metadata(
        _ statement: Statement, _ duration: Duration, _ purpose: LeasePurpose, _ rows: Int?, _ error: (any Error)?
    ) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "operation": "\(purpose.name)", "duration_ms": "\(Self.milliseconds(duration))",
        ]
        if let table = statement.table { metadata["table"] = "\(table)" }
        if let site = purpose.site { metadata["call_site"] = "\(site)" }
        if let rows { metadata["rows"] = "\(rows)" }
        if let error { metadata["error"] = "\((error as? DatabaseError).map { "\($0.code)" } ?? "other")" }
        // What callers write may have values in it.
        if !statement.isRaw || showsValues { metadata["sql"] = "\(statement.sql)" }
        return metadata
    }

    /// With three decimal places.
    private static func milliseconds(_ duration: Duration) -> String {
        let microseconds = Int64((duration / .microseconds(1)).rounded())
        let rest = String(microseconds % 1000)
        return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
