/// Reads something again whenever a commit may have changed it, on the isolation of whoever iterates.
final class ObservationLoop {
    private let core: DatabaseCore
    private let observation: Observation
    private let pace: ObservationPace
    /// Keeps an eye on what other processes commit, where that is logged.
    private let logWatch: LogWatch?
    /// When objects that are read expire, if any do.
    private let nextExpiry: NextExpiry?
    /// That time, as it was before the latest read: what expires while it reads is not missed.
    private var expiry: ContinuousClock.Instant?
    private var hasRead = false
    private var hasEnded = false

    /// How long it waits before it asks a server again that is not there.
    private static let pauses = (first: Duration.milliseconds(50), last: Duration.seconds(2))

    /// - Parameters:
    ///   - tables: The names of the tables that are read; nil for all.
    ///   - rows: The rows of one of them that matter; nil for all.
    ///   - pace: When it reads again.
    ///   - watchesLog: Whether some of the tables are logged.
    ///   - statements: Those of the table whose rows are told apart in the log; nil for none.
    ///   - nextExpiry: When objects that are read expire, if any do.
    /// - Throws: ``DatabaseError/Code/unsupported`` in a transaction.
    init(
        _ access: DatabaseAccess, tables: Set<String>?, rows: ObservedRows? = nil, _ pace: ObservationPace,
        watchesLog: Bool = false, statements: TableStatements? = nil, nextExpiry: NextExpiry? = nil
    ) throws {
        guard case .database(let core) = access.kind else {
            throw DatabaseError(
                .unsupported,
                "A transaction sees one state of the database, so there is nothing to observe. Observe through the database."
            )
        }
        self.core = core
        self.pace = pace
        self.nextExpiry = nextExpiry
        observation = core.observations.observe(tables, rows: rows)
        logWatch = watchesLog ? core.logWatcher.watch(tables, statements, of: core) : nil
    }

    /// Reads at first, and then after each commit that may have changed something, until `read` returns a value.
    ///
    /// - Returns: nil once the task was cancelled.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func next<Value>(_ read: () async throws -> Value?) async throws -> Value? {
        guard !hasEnded else { return nil }
        do {
            while true {
                if hasRead {
                    try await waitForChange()
                    try await Task.sleep(for: pace.delay)
                }
                observation.signal.reset()
                if let nextExpiry {
                    expiry = try await readPatiently { try await nextExpiry.wait(in: core) }.map {
                        ContinuousClock.now + $0
                    }
                }
                let value = try await readPatiently(read)
                hasRead = true
                if let value { return value }
            }
        } catch {
            hasEnded = true
            if Task.isCancelled { return nil }
            throw error
        }
    }

    /// Has it read again without waiting.
    func wakeAgain() { observation.signal.notify() }

    /// Waits for a commit of this process, for the time after which others are looked for, or until an object expires.
    private func waitForChange() async throws {
        let wait = expiry.map { max(.zero, $0 - ContinuousClock.now) }
        try await observation.signal.wait(atMost: [pace.interval, wait].compactMap(\.self).min())
    }

    /// Reads, and goes on to try while the server is not there: at first only if it was, and the connection was lost.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func readPatiently<Value>(_ read: () async throws -> Value?) async throws -> Value? {
        var pause = Self.pauses.first
        while true {
            do {
                return try await read()
            } catch let error as DatabaseError where isOutage(error) && !core.isClosing {
                try await Task.sleep(for: pause)
                pause = min(pause * 2, Self.pauses.last)
            }
        }
    }

    private func isOutage(_ error: DatabaseError) -> Bool {
        switch error.code {
        case .connectionLost: true
        case .cannotConnect, .poolTimeout: hasRead
        default: false
        }
    }
}

/// When an observation reads again.
struct ObservationPace: Sendable {
    /// How long further commits are waited for after one.
    let delay: Duration
    /// How long after a result it reads again even if this process has committed nothing; nil for never.
    let interval: Duration?

    init(delay: Duration, interval: Duration?) { (self.delay, self.interval) = (delay.bounded, interval.bounded) }
}
