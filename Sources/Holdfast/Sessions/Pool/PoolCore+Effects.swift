import Logging
import Synchronization

/// What is not the usual case: waiting, opening, closing.
extension PoolCore {
    /// Lends a connection as soon as it is this request's turn.
    func waitForLease(purpose: LeasePurpose) async throws -> Lease {
        do { return try await nextLease(purpose) } catch let error as DatabaseError { throw error.called(by: purpose) }
    }

    private func nextLease(_ purpose: LeasePurpose) async throws -> Lease {
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
    func perform(_ action: State.Action) {
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
