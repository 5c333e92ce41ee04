import Logging

/// Logs statements: each of them at `trace`, slow ones at `warning`.
struct StatementLog: Sendable {
    private let logger: Logger
    /// How long a statement may take before it is warned of; nil for any time.
    private let threshold: Duration?
    private let showsValues: Bool

    init(_ configuration: DatabaseConfiguration) {
        logger = configuration.telemetry.logger
        threshold = configuration.telemetry.slowStatementThreshold
        showsValues = configuration.telemetry.showsValues
    }

    /// Whether every statement is logged.
    var isTracing: Bool { logger.logLevel <= .trace }

    /// The time at which a statement begins; nil if nothing can be logged of it.
    var start: Duration? {
        guard threshold == nil ? isTracing : logger.logLevel <= .warning else { return nil }
        return PoolClock.now
    }

    /// Whether a statement is logged that has taken so long.
    func concerns(_ duration: Duration) -> Bool { isSlow(duration) || isTracing }

    /// - Parameter rowCount: How many rows it has written or read: the limit is for each thousand of them.
    private func isSlow(_ duration: Duration, rowCount: Int = 0) -> Bool {
        threshold.map { duration >= $0 * max(Double(rowCount) / 1_000, 1) } ?? false
    }

    /// Logs a statement that has ended, if it concerns the log.
    ///
    /// - Parameter warnsOnly: Whether it is logged only if it was slow.
    func end(_ ended: EndedStatement, warnsOnly: Bool) {
        guard isSlow(ended.duration, rowCount: max(ended.batchSize, ended.rows?.total ?? 0)) else {
            if !warnsOnly { trace(ended) }
            return
        }
        logger.warning("A statement took long.", metadata: metadata(ended))
    }

    /// Logs a statement that has ended, if every one is logged.
    ///
    /// - Parameter isShare: Whether others have shared it.
    func trace(_ ended: EndedStatement, isShare: Bool = false) {
        guard isTracing else { return }
        var metadata = metadata(ended)
        if isShare { metadata["shared"] = "true" }
        logger.trace("A statement was run.", metadata: metadata)
    }

    private func metadata(_ ended: EndedStatement) -> Logger.Metadata {
        let statement = ended.statement
        var metadata: Logger.Metadata = [
            "operation": "\(ended.purpose.name)", "duration_ms": "\(Self.milliseconds(ended.duration))",
        ]
        if let table = statement.table { metadata["table"] = "\(table)" }
        if let site = ended.purpose.site { metadata["call_site"] = "\(site)" }
        if let rows = ended.rows { metadata["rows"] = "\(rows.total)" }
        if let error = ended.error {
            metadata["error"] = "\((error as? DatabaseError).map { "\($0.code)" } ?? "other")"
        }
        // What callers write may have values in it.
        metadata["sql"] = "\(statement.shownText(showsValues: showsValues))"
        return metadata
    }

    /// With three decimal places.
    static func milliseconds(_ duration: Duration) -> String {
        let microseconds = Int64((duration / .microseconds(1)).rounded())
        let rest = String(microseconds % 1000)
        return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
