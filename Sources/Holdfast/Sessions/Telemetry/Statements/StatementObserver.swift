/// Observes every statement of a database, for whoever looks: the log, traces, metrics, statistics.
///
/// It is called in the task of whoever runs the statement, so that metadata providers and tracers find that task's
/// values. Nobody sees a parameter: it gets none.
struct StatementObserver: Sendable {
    let log: StatementLog
    let tracing: DatabaseTracing?
    let statistics: StatementRecorder?
    private let metrics: OperationMetrics?
    /// Whether anybody looks but the log.
    ///
    /// It is all that is asked for each statement where nobody does.
    private let isWatched: Bool

    /// Looks once at what the program has installed: later it costs nothing to find that there is nothing.
    init(_ configuration: DatabaseConfiguration, _ target: TelemetryTarget) {
        log = StatementLog(configuration)
        tracing = DatabaseTracing(target, showsValues: configuration.telemetry.showsValues)
        metrics = OperationMetrics(target)
        statistics = StatementRecorder(configuration)
        isWatched = tracing != nil || metrics != nil || statistics != nil
    }

    /// The time at which a statement begins; nil if nobody looks at it.
    var start: Duration? { isWatched ? PoolClock.now : log.start }

    /// Whether the rows of statements are counted.
    var countsRows: Bool { isWatched || log.isTracing }

    /// Tells of a statement that has ended.
    ///
    /// - Parameters:
    ///   - start: What ``start`` was when it began.
    ///   - purpose: The operation that it belongs to.
    ///   - rows: The number of rows, if they were counted.
    ///   - batchSize: The number of rows of parameters.
    ///   - isPortion: Whether rows were read of a cursor.
    ///   - isShare: Whether it is one task's share of a statement that serves several, of which that says what is not
    ///     about a task: whether it was slow, and its statistics.
    ///   - session: Where it ran, unless that was a connection lent for this one statement.
    ///   - error: Why it failed.
    func end(
        _ statement: Statement, since start: Duration?, _ purpose: @autoclosure () -> LeasePurpose,
        rows: RowCount? = nil, batchSize: Int = 1, isPortion: Bool = false, isShare: Bool = false,
        in session: Session? = nil, error: (any Error)? = nil
    ) {
        guard let start else { return }
        let duration = PoolClock.now - start
        guard isWatched || log.concerns(duration) else { return }
        var ended = EndedStatement(
            statement: statement, purpose: purpose(), duration: duration, rows: rows, batchSize: batchSize,
            isPortion: isPortion, error: error)
        // Of finds that share a statement each is told of in its own task, where it may have waited for the others.
        let servesOtherTasks = session?.servesOtherTasks == true
        if isShare { log.trace(ended, isShare: true) } else { log.end(ended, warnsOnly: servesOtherTasks) }
        if !isShare { statistics?.record(ended) }
        if servesOtherTasks { return }
        ended.span = session?.span
        ended.wait = session?.takeWait()
        tracing?.record(ended)
        metrics?.record(ended)
    }
}
