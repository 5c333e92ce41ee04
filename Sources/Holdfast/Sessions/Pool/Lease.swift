import Logging
import Synchronization

/// The exclusive use of one connection of a pool, until it is released.
///
/// It can be handed to child tasks; that they use the connection one at a time is up to the transaction or stream
/// that holds the lease.
final class Lease: Sendable {
    let connection: any DriverConnection
    let purpose: LeasePurpose
    /// The time for which the connection had to be waited for; nil if one was idle.
    let wait: Duration?
    private let pool: PoolCore
    private let slot: Int
    private let hasEnded = Atomic<Bool>(false)
    private let isForOneUse = Atomic<Bool>(false)
    private let isOfCaller = Atomic<Bool>(false)

    init(connection: any DriverConnection, purpose: LeasePurpose, pool: PoolCore, slot: Int, wait: Duration? = nil) {
        self.wait = wait
        self.connection = connection
        self.purpose = purpose
        self.pool = pool
        self.slot = slot
    }

    deinit {
        guard !hasEnded.load(ordering: .acquiring) else { return }
        // What was under way when it was dropped, nobody knows.
        pool.logger.debug("A lease was dropped without being released.", metadata: ["purpose": "\(purpose)"])
        pool.checkIn(slot, isHealthy: false)
    }

    /// Whether the connection is still this lease's.
    var isLive: Bool { !hasEnded.load(ordering: .acquiring) }

    /// Gives the connection back, for the next to use if it is usable and in no transaction; else it is closed.
    ///
    /// The connection must not be used afterwards. Releasing again does nothing.
    func release() {
        end {
            connection.isUsable && connection.transactionStatus == .idle && !isForOneUse.load(ordering: .relaxed)
                && (!isOfCaller.load(ordering: .relaxed) || connection.hasOwnSettings)
        }
    }

    /// Logs that the connection was lost while it was in use.
    func logLoss(_ error: DatabaseError) { connection.logLoss(error, during: purpose, pool.logger) }

    /// Has the connection closed when it is released: what was set in its session is nobody else's.
    func closeAtRelease() { isForOneUse.store(true, ordering: .relaxed) }

    /// Has the settings of the session looked at when it is released: a function of the caller's may have set them.
    func checkSettingsAtRelease() { isOfCaller.store(true, ordering: .relaxed) }

    /// Gives the connection back to be closed, whatever it says of itself: for when its state is in doubt.
    func discard() { end { false } }

    @inline(never)  // decision 0069
    private func end(isHealthy: () -> Bool) {
        guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
        pool.checkIn(slot, isHealthy: isHealthy())
    }
}
