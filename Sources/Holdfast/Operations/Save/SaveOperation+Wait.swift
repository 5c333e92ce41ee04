/// Waiting for other saves, and for a connection.
extension SaveOperation {
    /// Waits for another save under way of one of the objects.
    ///
    /// Inside a transaction not where the other save is known to wait for a connection that none gives back, and not
    /// for longer than for a lock of the database: the other may wait for one of the transaction's, which the engine
    /// can't find out. Nor for longer in the closure of another database's transaction, for which the other save may
    /// wait as well.
    ///
    /// - Parameter deadline: When this save gives up waiting inside a transaction; set at the first time.
    func wait(for other: AwaitedObject, of table: SaveTable, until deadline: inout Duration?) async throws {
        let core = access.core
        if access.isOutsideTransaction, !CurrentLease.isHeld {
            try await core.saveWaiters.wait(with: core.saveWaiters.ticket(for: other.identity))
            return
        }
        let ticket =
            access.isOutsideTransaction
            ? core.saveWaiters.ticket(for: other.identity)
            : core.saveWaiters.ticket(
                for: other.identity, heldUpBy: other.insertingSaveID, in: core.id,
                connectionCount: core.writerCount)
        guard let ticket else {
            throw DatabaseError(
                .conflict,
                "Another save of this object is under way outside this transaction, and waits for it. Save it in one place, or wait for the other save first.",
                table: table.description.table)
        }
        let limit =
            core.configuration.timeouts.lock
            ?? min(core.configuration.pool.checkoutTimeout, SaveWaiters.patience)
        deadline = deadline ?? PoolClock.now + limit
        try await core.saveWaiters.wait(with: ticket, until: deadline ?? .zero)
    }
}
