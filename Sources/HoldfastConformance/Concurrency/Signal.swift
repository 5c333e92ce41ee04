import Synchronization

/// Something that happens once, for which tasks wait: what brings concurrent parts of a case into an order.
final class Signal: Sendable {
    private struct State {
        var isGiven = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Lets everyone go on who waits, now or later.
    func give() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            state.isGiven = true
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for it; a cancelled task waits too.
    func wait() async {
        await withCheckedContinuation { waiter in
            let isGiven = state.withLock { state in
                if !state.isGiven { state.waiters.append(waiter) }
                return state.isGiven
            }
            if isGiven { waiter.resume() }
        }
    }
}
