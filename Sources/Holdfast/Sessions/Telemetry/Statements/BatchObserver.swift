/// Observes statements that are sent together.
///
/// Each is timed from the moment when the one before it was taken, the first from the start.
struct BatchObserver {
    private let session: Session
    private let purpose: LeasePurpose
    private let countsRows: Bool
    /// When the latest was taken; nil if nobody looks.
    private var start: Duration?
    private var statements: [(statement: Statement, rows: RowCounter?)] = []
    private var endedCount = 0

    init(_ session: Session) {
        self.session = session
        start = session.core.observer.start
        countsRows = start != nil && session.core.observer.countsRows
        purpose = start == nil ? "" : session.purpose
    }

    /// Notes what is to be run next, and has its rows counted.
    mutating func counting<Output>(_ runs: [StatementRun<Output>]) -> [StatementRun<Output>] {
        guard start != nil else { return runs }
        return runs.map { run in
            guard countsRows else {
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

    /// Tells that the next one was taken.
    mutating func end() {
        guard let start, endedCount < statements.count else { return }
        let (statement, rows) = statements[endedCount]
        session.core.observer.end(statement, since: start, purpose, rows: rows?.count, in: session)
        endedCount += 1
        self.start = session.core.observer.start
    }

    /// Tells that the next one failed.
    mutating func fail(_ error: any Error) {
        guard let start, endedCount < statements.count else { return }
        session.core.observer.end(statements[endedCount].statement, since: start, purpose, in: session, error: error)
        self.start = nil
    }
}
