import Logging
import Synchronization

/// The connections of a database to one engine: opened on demand up to a maximum, lent out one lease at a time.
///
/// A shell around ``PoolState``, which decides everything: each event is one lock, and what follows from it is done
/// once the lock is released. Connections are opened and closed in tasks of their own, so no cancelled request
/// takes a connection with it.
final class ConnectionPool: Sendable {
    private typealias Request = CheckedContinuation<Lease, any Error>
    private typealias State = PoolState<any DriverConnection, Request>

    private struct Shared: Sendable {
        var state: State
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let shared: Mutex<Shared>
    private let timer = PoolTimer()
    private let connect: @Sendable () async throws -> any DriverConnection
    let logger: Logger

    /// Creates an empty pool.
    ///
    /// - Parameters:
    ///   - maximum: The greatest number of connections open at once; less than 1 counts as 1.
    ///   - checkoutTimeout: How long a request waits for a connection.
    ///   - idleTimeout: How long a connection stays unused before it is closed; nil to keep it.
    ///   - logger: Where lost connections are logged.
    ///   - connect: Opens a connection, within the connect timeout; never called in the task of a request.
    init(
        maximum: Int,
        checkoutTimeout: Duration,
        idleTimeout: Duration?,
        logger: Logger,
        connect: @escaping @Sendable () async throws -> any DriverConnection
    ) {
        let state = State(maximum: maximum, checkoutTimeout: checkoutTimeout, idleTimeout: idleTimeout)
        self.shared = Mutex(Shared(state: state))
        self.logger = logger
        self.connect = connect
    }

    deinit {
        // Leases, and tasks that open or close, hold the pool: what is left is idle.
        let idle = shared.withLock { $0.state.close() }.closes
        guard !idle.isEmpty else { return }
        logger.debug("A connection pool was dropped without being closed; closing its idle connections.")
        Task.detached { for closing in idle { await closing.connection.close() } }
    }

    /// How the pool stands.
    var report: PoolReport { shared.withLock { $0.state.report(now: .now) } }

    /// The number of requests that wait.
    var waiterCount: Int { shared.withLock { $0.state.waiterCount } }

    /// Whether requests are refused, because it is closed or about to be.
    var isClosing: Bool { shared.withLock { $0.state.isClosing } }
}

// MARK: - Leases

extension ConnectionPool {
    /// Lends a connection, opening one or waiting for one if need be.
    ///
    /// Where one is idle, this is one lock and no suspension.
    ///
    /// - Parameter purpose: What it is for, as the timeouts of others will name it.
    /// - Throws: ``DatabaseError/Code/poolTimeout``, ``DatabaseError/Code/cancelled``,
    ///   ``DatabaseError/Code/closed``, or what opening a connection threw.
    func lease(purpose: LeasePurpose) async throws -> Lease {
        if let lease = leaseIdle(purpose: purpose) { return lease }
        return try await waitForLease(purpose: purpose)
    }

    /// Lends a connection if one is idle.
    func leaseIdle(purpose: LeasePurpose) -> Lease? {
        let now = ContinuousClock.now
        while let (slot, connection) = shared.withLock({ $0.state.takeIdle(for: purpose, now: now) }) {
            if connection.isUsable {
                return Lease(connection: connection, purpose: purpose, pool: self, slot: slot)
            }
            logger.debug("An idle connection was lost; it will be replaced when needed.")
            takeBack(slot, isHealthy: false)
        }
        return nil
    }

    /// Takes the connection of a lease that ended. Called once per lease.
    func takeBack(_ slot: Int, isHealthy: Bool) {
        let now = ContinuousClock.now
        perform(shared.withLock { $0.state.released(slot, isHealthy: isHealthy, now: now) })
    }

    private func waitForLease(purpose: LeasePurpose) async throws -> Lease {
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { request in
                let now = ContinuousClock.now
                let action: State.Action? = shared.withLock { shared in
                    // A cancellation that came before the lock had no ticket to cancel.
                    if Task.isCancelled { return nil }
                    let (number, action) = shared.state.request(request, for: purpose, now: now)
                    if let number { ticket.number.store(number, ordering: .relaxed) }
                    return action
                }
                if let action { perform(action) } else { request.resume(throwing: PoolRefusal.cancelled.error) }
            }
        } onCancel: {
            let action: State.Action? = shared.withLock { shared in
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

extension ConnectionPool {
    /// Refuses new requests, serves those that wait, and returns when the last connection is closed.
    ///
    /// Whoever calls it, and however often, waits for that; cancelling does not shorten it.
    func close() async {
        await withCheckedContinuation { closer in
            let action: State.Action? = shared.withLock { shared in
                if shared.state.isDrained { return nil }
                shared.closers.append(closer)
                return shared.state.close()
            }
            if let action { perform(action) } else { closer.resume() }
        }
    }
}

// MARK: - Effects

extension ConnectionPool {
    private func perform(_ action: State.Action) {
        if let grant = action.grant {
            let lease = Lease(
                connection: grant.connection, purpose: grant.purpose, pool: self, slot: grant.slot)
            grant.request.resume(returning: lease)
        }
        for slot in action.opens { open(slot) }
        for closing in action.closes { close(closing) }
        for failure in action.failures { failure.request.resume(throwing: failure.refusal.error) }
        if let wake = action.wake { timer.set(wake) { [weak self] in self?.tick() } }
        if action.isDrained { finish() }
    }

    // Detached, here and below: neither the task-local values nor the cancellation of whoever came first concern a
    // connection that may serve another.
    private func open(_ slot: Int) {
        Task.detached { [self] in
            do {
                let connection = try await connect()
                perform(shared.withLock { $0.state.opened(slot, connection, now: .now) })
            } catch {
                let failure = error as? DatabaseError ?? DatabaseError(
                    .cannotConnect, "The connection could not be opened. Check that the database can be reached.")
                logger.debug("A connection could not be opened.", metadata: ["code": "\(failure.code)"])
                perform(shared.withLock { $0.state.openFailed(slot, failure) })
            }
        }
    }

    private func close(_ closing: State.Action.Closing) {
        Task.detached { [self] in
            await closing.connection.close()
            perform(shared.withLock { $0.state.closed(closing.slot) })
        }
    }

    private func tick() {
        perform(shared.withLock { $0.state.tick(now: .now) })
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
