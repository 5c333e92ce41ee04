/// Logs statements that are sent together.
///
/// Each is timed from the moment when the one before it was taken, the first from the start.
struct BatchLog {
    private let log: StatementLog
    private let purpose: LeasePurpose
    private let isTracing: Bool
    /// When the latest was taken; nil if nothing can be logged.
    private var start: Duration?
    private var statements: [(statement: Statement, rows: RowCounter?)] = []
    private var endedCount = 0

    init(_ log: StatementLog, _ purpose: @autoclosure () -> LeasePurpose) {
        self.log = log
        start = log.start
        isTracing = start != nil && log.isTracing
        self.purpose = start == nil ? "" : purpose()
    }

    /// Notes what is to be run next, and has its rows counted.
    mutating func counting<Output>(_ runs: [StatementRun<Output>]) -> [StatementRun<Output>] {
        guard start != nil else { return runs }
        return runs.map { run in
            guard isTracing else {
                statements.append((run.statement, nil))
                return run
            }
            let counter = RowCounter()
            statements.append((run.statement, counter))
            return StatementRun(run.statement, run.parameters) { [consume = run.consume] rows in
                try counter.counting(rows) { try consume($0) }
            }
        }
    }

    /// Logs that the next one was taken.
    mutating func end() {
        guard let start, endedCount < statements.count else { return }
        let (statement, rows) = statements[endedCount]
        log.end(statement, since: start, purpose, rows: rows?.count)
        endedCount += 1
        self.start = log.start
    }

    /// Logs that the next one failed.
    mutating func fail(_ error: any Error) {
        guard let start, endedCount < statements.count else { return }
        log.end(statements[endedCount].statement, since: start, purpose, error: error)
        self.start = nil
    }
}
