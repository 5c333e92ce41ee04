import Logging

/// The connections of a database to one engine: opened on demand up to a maximum, lent out one lease at a time.
///
/// ``PoolState`` decides, ``PoolCore`` acts; this is what their users hold. Connections are opened and closed in
/// tasks of their own, so a cancelled request takes no connection with it. A pool should be closed; one that is
/// dropped closes by itself, as soon as its leases end.
final class ConnectionPool: Sendable {
    private let core: PoolCore

    /// Creates an empty pool.
    ///
    /// - Parameters:
    ///   - maximum: The greatest number of open connections; less than 1 counts as 1.
    ///   - checkoutTimeout: How long a request waits for a connection.
    ///   - idleTimeout: How long a connection stays unused before it is closed; nil to keep it.
    ///   - maximumLifetime: How long a connection is used before it is replaced; nil for ever.
    ///   - isOfOneWriter: Whether the maximum is one by design, so that errors do not advise to raise it.
    ///   - logger: Where lost connections are logged, at level `debug`.
    ///   - metrics: Who is told of connections and waits.
    ///   - connect: Opens a connection, within the connect timeout; never called in the task of a request.
    init(
        maximum: Int,
        checkoutTimeout: Duration,
        idleTimeout: Duration?,
        maximumLifetime: Duration? = nil,
        isOfOneWriter: Bool = false,
        logger: Logger,
        metrics: PoolMetrics? = nil,
        connect: @escaping @Sendable () async throws -> any DriverConnection
    ) {
        core = PoolCore(
            maximum: maximum, checkoutTimeout: checkoutTimeout, idleTimeout: idleTimeout,
            maximumLifetime: maximumLifetime, isOfOneWriter: isOfOneWriter, logger: logger, metrics: metrics,
            connect: connect)
    }

    deinit { core.beginClosing() }

    /// Lends a connection, opening one or waiting for one if need be.
    ///
    /// Where one is idle, this is one lock and no suspension. A task that is cancelled gets it all the same, as
    /// rolling back may need it.
    ///
    /// - Parameter purpose: The purpose of the lease, as the timeouts of others name it.
    /// - Throws: ``DatabaseError/Code/poolTimeout``, ``DatabaseError/Code/cancelled`` while waiting,
    ///   ``DatabaseError/Code/closed``, or what opening a connection threw.
    func lease(purpose: LeasePurpose) async throws -> Lease {
        if let lease = core.leaseIdle(purpose: purpose) { return lease }
        return try await core.waitForLease(purpose: purpose)
    }

    /// Lends a connection if one is idle: ``lease(purpose:)`` for where nothing can wait.
    func leaseIdle(purpose: LeasePurpose) -> Lease? { core.leaseIdle(purpose: purpose) }

    /// Checks out a connection that is idle, for one statement, until ``checkIn(_:)``; nil if none is idle.
    func checkOutIdle(purpose: LeasePurpose) -> ConnectionLoan? { core.checkOutIdle(purpose: purpose) }

    func checkIn(_ loan: ConnectionLoan) { core.checkIn(loan) }

    /// Refuses new requests, serves those that wait, and returns when the last connection is closed.
    ///
    /// Whoever calls it, and however often, waits for that; cancelling does not shorten it. It waits for leases, so
    /// a closure that holds one must not call it.
    func close() async { await core.close() }

    /// Refuses who waits, and stops what the connections in use are running.
    func giveUp() { core.giveUp() }

    /// How the pool stands.
    var statistics: PoolStatistics { core.statistics }

    /// The number of requests that wait.
    var waiterCount: Int { core.waiterCount }

    /// Whether requests are refused, because it is closed or about to be.
    var isClosing: Bool { core.isClosing }
}
