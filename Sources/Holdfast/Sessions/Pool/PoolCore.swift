import Logging
import Synchronization

/// Passes events to a ``PoolState`` and performs the actions that it returns.
///
/// Each event is one lock, and what follows from it is done once the lock is released. Apart from ``ConnectionPool``
/// so that the timer, and tasks that open or close connections, can hold this object while the pool itself ends when
/// the last who uses it lets go. A weak reference would do that too, but an object that has one counts its
/// references on a slow path ever after: that was an eighth of the time of a lease.
final class PoolCore: Sendable {
    private typealias State = PoolState<any DriverConnection, Request>

    /// A request that waits.
    ///
    /// An object: see ``PoolClock`` on the layout of what the state holds.
    private final class Request: Sendable {
        let continuation: CheckedContinuation<Lease, any Error>
        let since: Duration

        init(_ continuation: CheckedContinuation<Lease, any Error>, since: Duration) {
            (self.continuation, self.since) = (continuation, since)
        }
    }

    private struct Shared: Sendable {
        var state: State
        var closers: [CheckedContinuation<Void, Never>] = []
        /// The tasks that open connections, by their slots.
        var openings: [Int: Task<Void, Never>] = [:]
        /// What metrics were told of.
        var toldCounts = PoolCounts()

        /// How the numbers have changed since this was last asked for.
        mutating func takeChange() -> PoolCounts {
            let counts = state.counts
            defer { toldCounts = counts }
            return counts - toldCounts
        }
    }

    private let shared: Mutex<Shared>
    private let timer = PoolTimer()
    private let connect: @Sendable () async throws -> any DriverConnection
    private let metrics: PoolMetrics?
    let logger: Logger

    init(
        maximum: Int,
        checkoutTimeout: Duration,
        idleTimeout: Duration?,
        maximumLifetime: Duration?,
        logger: Logger,
        metrics: PoolMetrics? = nil,
        connect: @escaping @Sendable () async throws -> any DriverConnection
    ) {
        let state = State(
            maximum: maximum, checkoutTimeout: checkoutTimeout, idleTimeout: idleTimeout,
            maximumLifetime: maximumLifetime)
        self.shared = Mutex(Shared(state: state))
        self.logger = logger
        self.metrics = metrics
        self.connect = connect
    }

    /// Passes an event to the state, and tells metrics what it has changed.
    private func change<Output: Sendable>(_ event: (inout Shared) -> Output) -> Output {
        guard let metrics else { return shared.withLock { event(&$0) } }
        let (output, change) = shared.withLock { shared in (event(&shared), shared.takeChange()) }
        metrics.note(change)
        return output
    }

    /// How the pool stands.
    var statistics: PoolStatistics { shared.withLock { $0.state.statistics(now: PoolClock.now) } }

    /// The number of requests that wait.
    var waiterCount: Int { shared.withLock { $0.state.waiterCount } }

    /// Whether requests are refused, because it is closed or about to be.
    var isClosing: Bool { shared.withLock { $0.state.isClosing } }
}

// MARK: - Leases

extension PoolCore {
    /// Lends a connection if one is idle.
    func leaseIdle(purpose: LeasePurpose) -> Lease? {
        let now = PoolClock.now
        while let (slot, connection) = change({ $0.state.leaseIdle(for: purpose, now: now) }) {
            if connection.isUsable {
                if let metrics { metrics.noteWait(PoolClock.now - now) }
                return Lease(connection: connection, purpose: purpose, pool: self, slot: slot)
            }
            logger.info(
                "An idle connection was lost; it will be replaced when needed.", metadata: connection.logMetadata)
            checkIn(slot, isHealthy: false)
        }
        return nil
    }

    /// Lends a connection that is idle, for one statement: a lease without the object that could be handed on.
    ///
    /// It has to be checked in by ``checkIn(_:)``.
    func checkOutIdle(purpose: LeasePurpose) -> ConnectionLoan? {
        let now = PoolClock.now
        guard let (slot, connection) = change({ $0.state.leaseIdle(for: purpose, now: now) }) else { return nil }
        let loan = ConnectionLoan(connection: connection, slot: slot, time: now)
        if connection.isUsable {
            if let metrics { metrics.noteWait(PoolClock.now - now) }
            return loan
        }
        checkIn(loan)
        return nil
    }

    /// Checks a connection in that was checked out by ``checkOutIdle(purpose:)``.
    func checkIn(_ loan: ConnectionLoan) {
        let connection = loan.connection
        checkIn(
            loan.slot, isHealthy: connection.isUsable && connection.transactionStatus == .idle, now: loan.time)
    }

    /// Takes the connection of a lease that ended.
    ///
    /// Called once per lease.
    func checkIn(_ slot: Int, isHealthy: Bool, now: Duration = PoolClock.now) {
        let action: State.Action? = change { shared in
            if isHealthy && shared.state.parked(slot, now: now) { return nil }
            return shared.state.released(slot, isHealthy: isHealthy, now: now)
        }
        if let action { perform(action) }
    }

    /// Lends a connection as soon as it is this request's turn.
    func waitForLease(purpose: LeasePurpose) async throws -> Lease {
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let now = PoolClock.now
                let request = Request(continuation, since: now)
                let action: State.Action? = change { shared in
                    // A cancellation that came before the lock had no ticket to cancel.
                    if Task.isCancelled { return nil }
                    let (number, action) = shared.state.request(request, for: purpose, now: now)
                    if let number { ticket.number.store(number, ordering: .relaxed) }
                    return action
                }
                if let action { perform(action) } else { continuation.resume(throwing: PoolRefusal.cancelled.error) }
            }
        } onCancel: {
            let action: State.Action? = change { shared in
                let number = ticket.number.load(ordering: .relaxed)
                return number < 0 ? nil : shared.state.cancel(number)
            }
            if let action { perform(action) }
        }
    }

    /// The ticket of a request, once it is in the queue; written and read under the lock.
    private final class Ticket: Sendable {
        let number = Atomic<Int>(-1)
    }
}

// MARK: - Closing

extension PoolCore {
    /// Begins to close, and returns when the last connection is closed.
    func close() async {
        await withCheckedContinuation { closer in
            let action: State.Action? = change { shared in
                if shared.state.isDrained { return nil }
                shared.closers.append(closer)
                return shared.state.close()
            }
            if let action { perform(action) } else { closer.resume() }
        }
    }

    /// Refuses who waits, and stops what the connections in use are running.
    ///
    /// It is called again and again until the pool has drained, as a statement can begin just after it was called.
    @inline(never)  // it is called in a loop that waits (decision 0069)
    func giveUp() {
        let (action, connections) = change { shared in
            (shared.state.giveUp(), shared.state.slots.leasedConnections)
        }
        perform(action)
        for connection in connections { connection.interrupt() }
    }

    /// Begins to close, without anyone to wait for it.
    func beginClosing() { perform(change { $0.state.close() }) }
}

// MARK: - Effects

extension PoolCore {
    private func perform(_ action: State.Action) {
        if let grant = action.grant {
            let lease = Lease(
                connection: grant.connection, purpose: grant.purpose, pool: self, slot: grant.slot,
                wait: PoolClock.now - grant.request.since)
            if let metrics, let wait = lease.wait { metrics.noteWait(wait) }
            grant.request.continuation.resume(returning: lease)
        }
        for slot in action.opens { open(slot) }
        if action.cancelsOpens {
            for task in shared.withLock({ Array($0.openings.values) }) { task.cancel() }
        }
        for closing in action.closes { close(closing) }
        for failure in action.failures {
            if case .timedOut = failure.refusal { metrics?.noteTimeout() }
            failure.request.continuation.resume(throwing: failure.refusal.error)
        }
        if let wake = action.wake { timer.set(wake) { [self] in tick() } }
        if action.isDrained { finish() }
    }

    // Detached, here and below: neither the task-local values nor the cancellation of whoever came first concern a
    // connection that may serve another.
    private func open(_ slot: Int) {
        shared.withLock { shared in
            let task = openingTask(slot)
            shared.openings[slot] = task
            // It may have been closed since it was decided to open one.
            if shared.state.isOpeningInVain { task.cancel() }
        }
    }

    private func openingTask(_ slot: Int) -> Task<Void, Never> {
        Task.detached { [self] in
            let start = PoolClock.now
            do {
                let connection = try await connect()
                metrics?.noteOpened(after: PoolClock.now - start)
                logger.debug("A connection was opened.", metadata: connection.logMetadata)
                perform(
                    change { shared in
                        shared.openings[slot] = nil
                        return shared.state.opened(slot, connection, now: PoolClock.now)
                    })
            } catch {
                let failure =
                    error as? DatabaseError
                    ?? DatabaseError(
                        .cannotConnect, "The connection could not be opened. Check that the database can be reached.")
                if !Task.isCancelled {
                    // The reason names host and port, or the file.
                    logger.warning(
                        "A connection could not be opened.",
                        metadata: ["code": "\(failure.code)", "reason": "\(failure.message)"])
                }
                perform(
                    change { shared in
                        shared.openings[slot] = nil
                        return shared.state.openFailed(slot, failure)
                    })
            }
        }
    }

    private func close(_ closing: State.Action.Closing) {
        Task.detached { [self] in
            let metadata = closing.connection.logMetadata
            await closing.connection.close()
            logger.debug("A connection was closed.", metadata: metadata)
            perform(change { $0.state.closed(closing.slot) })
        }
    }

    private func tick() {
        perform(change { $0.state.tick(now: PoolClock.now) })
    }

    private func finish() {
        timer.cancel()
        let closers = shared.withLock { shared in
            defer { shared.closers = [] }
            return shared.closers
        }
        for closer in closers { closer.resume() }
    }
}

extension DriverConnection {
    /// Where the session is.
    var logMetadata: Logger.Metadata { endpoint.mapValues { "\($0)" } }

    /// Logs that it was lost while it was in use.
    func logLoss(_ error: DatabaseError, during purpose: LeasePurpose, _ logger: Logger) {
        var metadata = logMetadata
        metadata["code"] = "\(error.code)"
        metadata["reason"] = "\(error.message)"
        metadata["operation"] = "\(purpose)"
        logger.warning("A connection was lost.", metadata: metadata)
    }
}
