import Logging
import Synchronization

/// Passes events to a ``PoolState`` and performs the actions that it returns.
///
/// Each event is one lock, and what follows from it is done once the lock is released. Apart from ``ConnectionPool``
/// so that the timer, and tasks that open or close connections, can hold this object while the pool itself ends when
/// the last who uses it lets go. A weak reference would do that too, but an object that has one counts its
/// references on a slow path ever after: that was an eighth of the time of a lease.
final class PoolCore: Sendable {
    typealias State = PoolState<any DriverConnection, Request>

    /// A request that waits.
    ///
    /// An object: see ``PoolClock`` on the layout of what the state holds.
    final class Request: Sendable {
        let continuation: CheckedContinuation<Lease, any Error>
        let since: Duration

        init(_ continuation: CheckedContinuation<Lease, any Error>, since: Duration) {
            (self.continuation, self.since) = (continuation, since)
        }
    }

    struct Shared: Sendable {
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

    let shared: Mutex<Shared>
    let timer = PoolTimer()
    let connect: @Sendable () async throws -> any DriverConnection
    let metrics: PoolMetrics?
    let logger: Logger

    init(
        maximum: Int,
        checkoutTimeout: Duration,
        idleTimeout: Duration?,
        maximumLifetime: Duration?,
        isOfOneWriter: Bool = false,
        logger: Logger,
        metrics: PoolMetrics? = nil,
        connect: @escaping @Sendable () async throws -> any DriverConnection
    ) {
        let state = State(
            maximum: maximum, checkoutTimeout: checkoutTimeout, idleTimeout: idleTimeout,
            maximumLifetime: maximumLifetime, isOfOneWriter: isOfOneWriter)
        self.shared = Mutex(Shared(state: state))
        self.logger = logger
        self.metrics = metrics
        self.connect = connect
    }

    /// Passes an event to the state, and tells metrics what it has changed.
    func change<Output: Sendable>(_ event: (inout Shared) -> Output) -> Output {
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
}
