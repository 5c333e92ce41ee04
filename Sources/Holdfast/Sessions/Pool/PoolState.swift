/// All that a connection pool decides: who gets which connection, what is opened, what is closed.
///
/// A value without clocks, tasks or I/O: what time it is, each event says (``PoolClock``). An event is a method; what
/// it asks the shell to do comes back as a ``PoolAction``. So every order of events can be tested, without waiting.
///
/// Requests are served in the order in which they came. Idle connections are reused last in, first out: those that
/// are too many grow old at the bottom of the stack, and time out. While anyone waits, no connection is idle, and
/// at least one is leased, being opened or being closed, so that another event is sure to come.
struct PoolState<Connection: Sendable, Request: Sendable>: Sendable {
    typealias Action = PoolAction<Connection, Request>

    struct Waiter {
        let request: Request
        let purpose: LeasePurpose
        let since: Duration
    }

    /// How long a request may wait.
    let checkoutTimeout: Duration
    /// How long a connection may be idle; nil for ever.
    let idleTimeout: Duration?
    /// How long a connection may be used, but for a part that differs from one to the next; nil for ever.
    let maximumLifetime: Duration?

    /// Whether its maximum is one by design.
    let isOfOneWriter: Bool

    var slots: PoolSlots<Connection>
    var openedCount = 0
    var waiters = WaiterQueue<Waiter>()
    var openFailure: DatabaseError?
    var wake: PoolWake?
    var wakeCount = 0
    /// Whether new requests are refused.
    var isClosing = false
    /// Whether the pool was closed, and nothing is left of it.
    var isDrained = false

    init(
        maximum: Int, checkoutTimeout: Duration, idleTimeout: Duration?, maximumLifetime: Duration? = nil,
        isOfOneWriter: Bool = false
    ) {
        self.isOfOneWriter = isOfOneWriter
        self.slots = PoolSlots(maximum: maximum)
        self.checkoutTimeout = checkoutTimeout
        self.idleTimeout = idleTimeout
        self.maximumLifetime = maximumLifetime
    }

    var waiterCount: Int { waiters.count }

    /// Whether connections are being opened for nobody: in a closing pool, nobody comes any more.
    var isOpeningInVain: Bool { isClosing && waiters.isEmpty && slots.openingCount > 0 }

    /// The numbers that metrics tell of.
    var counts: PoolCounts {
        PoolCounts(idle: slots.idleCount, used: slots.leasedCount, waiting: waiters.count)
    }
}

// MARK: - The usual case

extension PoolState {
    /// Leases the idle connection that was used last; nil if there is none.
    mutating func leaseIdle(for purpose: LeasePurpose, now: Duration) -> (slot: Int, connection: Connection)? {
        slots.leaseIdle(for: purpose, now: now)
    }

    /// A healthy connection is given back, and there is nothing to do: nobody waits, and the timer is set.
    ///
    /// The usual case of ``released(_:isHealthy:now:)``, told apart because an action costs more than it does.
    ///
    /// - Returns: Whether it was the usual case; if not, nothing has changed.
    mutating func parked(_ slot: Int, now: Duration) -> Bool {
        guard waiters.isEmpty, !isClosing, !isOld(slot, now: now) else { return false }
        if let idleTimeout {
            guard let wake, wake.time <= now + idleTimeout else { return false }
        }
        if maximumLifetime != nil {
            guard let wake, wake.time <= slots.end(of: slot) else { return false }
        }
        return slots.passOn(slot, to: nil, now: now) != nil
    }

    func isOld(_ slot: Int, now: Duration) -> Bool {
        maximumLifetime != nil && slots.isOld(slot, now: now)
    }
}
