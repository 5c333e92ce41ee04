// MARK: - Requests

extension PoolState {
    /// Serves `request`, or lets it wait, or refuses it because the pool is closing.
    ///
    /// - Returns: The ticket to cancel it with, if it waits.
    mutating func request(
        _ request: Request, for purpose: LeasePurpose, now: Duration
    ) -> (ticket: Int?, action: Action) {
        var action = Action()
        if isClosing {
            action.failures = [.init(request: request, refusal: .closed)]
            return (nil, action)
        }
        if let (slot, connection) = leaseIdle(for: purpose, now: now) {
            action.grant = .init(request: request, purpose: purpose, slot: slot, connection: connection)
            return (nil, action)
        }
        let ticket = waiters.append(Waiter(request: request, purpose: purpose, since: now))
        openOnDemand(&action)
        setTimer(&action)
        return (ticket, action)
    }

    /// Fails the request with `ticket`, if it still waits.
    ///
    /// A connection that is being opened for the cancelled request will serve another.
    mutating func cancel(_ ticket: Int) -> Action {
        var action = Action()
        guard let waiter = waiters.remove(ticket) else { return action }
        action.failures = [.init(request: waiter.request, refusal: .cancelled)]
        drainIfDone(&action)
        return action
    }
}

// MARK: - Connections

extension PoolState {
    /// A connection that an action asked for is there.
    mutating func opened(_ slot: Int, _ connection: Connection, now: Duration) -> Action {
        var action = Action()
        let end = end(ofNext: now)
        guard slots.opened(slot, connection, for: waiters.first?.purpose, until: end, now: now) else { return action }
        openFailure = nil
        settle(slot, connection, &action)
        return action
    }

    /// A connection that an action asked for could not be had.
    ///
    /// Whoever waits goes on waiting while there is a connection, in use or being opened, that can serve it in the
    /// end: a server at its limit, or a changed password, must not fail those whom the connections at hand can
    /// serve. If there is none, all fail with `error`: each further attempt would cost the next in line another
    /// connect timeout, only to learn the same. The attempt is not repeated but at the next event that calls for a
    /// connection, so a server that is down is not hammered.
    mutating func openFailed(_ slot: Int, _ error: DatabaseError) -> Action {
        var action = Action()
        guard slots.openFailed(slot) else { return action }
        openFailure = error
        if slots.leasedCount == 0 && slots.openingCount == 0 {
            while let waiter = waiters.popFirst() {
                action.failures.append(.init(request: waiter.request, refusal: .cannotOpen(error)))
            }
        }
        drainIfDone(&action)
        return action
    }

    /// A leased connection is given back; unless it is healthy, and not too old, it is closed, and replaced if anyone
    /// waits.
    mutating func released(_ slot: Int, isHealthy: Bool, now: Duration) -> Action {
        var action = Action()
        if isHealthy, !isOld(slot, now: now) {
            guard let connection = slots.passOn(slot, to: waiters.first?.purpose, now: now) else { return action }
            settle(slot, connection, &action)
        } else if let connection = slots.closeLeased(slot) {
            action.closes = [.init(slot: slot, connection: connection)]
            openOnDemand(&action)
        }
        return action
    }

    /// A connection that an action asked to close is closed.
    mutating func closed(_ slot: Int) -> Action {
        var action = Action()
        guard slots.closed(slot) else { return action }
        openOnDemand(&action)
        drainIfDone(&action)
        return action
    }
}

// MARK: - Time and end

extension PoolState {
    /// Fails who has waited for too long, and closes what was idle for too long.
    mutating func tick(now: Duration) -> Action {
        var action = Action()
        wake = nil  // Clocks may wake a task early, so what is still to come is asked for again.
        while let waiter = waiters.first, waiter.since + checkoutTimeout <= now {
            _ = waiters.popFirst()
            let refusal = PoolRefusal.timedOut(after: now - waiter.since, statistics(now: now))
            action.failures.append(.init(request: waiter.request, refusal: refusal))
        }
        if let idleTimeout { closeIdle(since: now - idleTimeout, &action) }
        if maximumLifetime != nil {
            for (slot, connection) in slots.closeOld(now: now) {
                action.closes.append(.init(slot: slot, connection: connection))
            }
        }
        setTimer(&action)
        drainIfDone(&action)
        return action
    }

    /// Refuses what is requested from now on.
    ///
    /// Waiting tasks still get connections; a connection that nobody waits for is closed.
    mutating func close() -> Action {
        var action = Action()
        isClosing = true
        closeIdle(since: nil, &action)
        drainIfDone(&action)
        return action
    }

    /// Refuses who waits, too: those who hold connections are not waited for any more.
    mutating func giveUp() -> Action {
        var action = close()
        while let waiter = waiters.popFirst() {
            action.failures.append(.init(request: waiter.request, refusal: .closed))
        }
        drainIfDone(&action)
        return action
    }

    /// How the pool stands.
    func statistics(now: Duration) -> PoolStatistics {
        PoolStatistics(
            maximum: slots.maximum, idle: slots.idleCount, opening: slots.openingCount, closing: slots.closingCount,
            waiting: waiters.count, holders: slots.holders(now: now), openFailure: openFailure?.code,
            isOfOneWriter: isOfOneWriter, openFailureMessage: openFailure?.message)
    }
}

// MARK: - Steps

extension PoolState {
    /// Tells what became of a connection: the next in line has it, or it is idle, which a closing pool ends.
    private mutating func settle(_ slot: Int, _ connection: Connection, _ action: inout Action) {
        if let waiter = waiters.popFirst() {
            action.grant = .init(
                request: waiter.request, purpose: waiter.purpose, slot: slot, connection: connection)
            action.cancelsOpens = isOpeningInVain
        } else if isClosing {
            closeIdle(since: nil, &action)
        } else {
            setTimer(&action)
        }
    }

    /// When the next connection has lived for long enough: some up to an eighth sooner than others, since those that
    /// were opened together are not to be replaced together.
    private mutating func end(ofNext now: Duration) -> Duration {
        guard let maximumLifetime else { return .zero }
        openedCount &+= 1
        return now + maximumLifetime - maximumLifetime / 64 * (openedCount &* 3 & 7)
    }

    private mutating func closeIdle(since limit: Duration?, _ action: inout Action) {
        for (slot, connection) in slots.closeIdle(since: limit) {
            action.closes.append(.init(slot: slot, connection: connection))
        }
    }

    /// Opens a connection for each waiter that has none under way, as far as the maximum allows.
    private mutating func openOnDemand(_ action: inout Action) {
        while slots.openingCount < waiters.count, let slot = slots.open() { action.opens.append(slot) }
    }

    /// Asks for a tick when the next waiter or idle connection times out, unless one comes sooner anyway.
    private mutating func setTimer(_ action: inout Action) {
        var next = waiters.first.map { $0.since + checkoutTimeout }
        if let idleTimeout, let expiry = slots.oldestIdle.map({ $0 + idleTimeout }) {
            next = next.map { min($0, expiry) } ?? expiry
        }
        if maximumLifetime != nil, let end = slots.firstEnd { next = next.map { min($0, end) } ?? end }
        guard let next else { return }
        if let time = wake?.time, time <= next { return }
        wakeCount += 1
        wake = PoolWake(time: next, number: wakeCount)
        action.wake = wake
    }

    private mutating func drainIfDone(_ action: inout Action) {
        guard isClosing, !isDrained, waiters.isEmpty else { return }
        action.cancelsOpens = isOpeningInVain
        guard slots.isEmpty else { return }
        isDrained = true
        action.isDrained = true
    }
}
