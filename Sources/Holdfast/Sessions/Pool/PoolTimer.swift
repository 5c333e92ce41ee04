import Synchronization

/// The one timer of a pool: a task that sleeps until the time that was set last.
///
/// All requests of a pool have the same timeout, so the one that came first is the next to time out, and one timer
/// does for all. With a task for each, a cancelled sleep would stay in the runtime's queue until its time is over.
final class PoolTimer: Sendable {
    private struct State {
        var number = 0
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Runs `body` at the time of `wake`, in place of what was set with a lower number.
    func set(_ wake: PoolWake, _ body: @escaping @Sendable () -> Void) {
        let task = Task.detached {
            // A timeout that means "never" can be more than the runtime's timers hold; an early tick does no harm.
            let time = min(wake.time, PoolClock.now + .seconds(86_400))
            do { try await PoolClock.sleep(until: time) } catch { return }
            body()
        }
        // Actions are performed outside the pool's lock, so two may come here in the wrong order.
        let obsolete = state.withLock { state in
            guard wake.number > state.number else { return Optional(task) }
            state.number = wake.number
            return state.task.exchange(task)
        }
        obsolete?.cancel()
    }

    /// Forgets what was set, and sets nothing any more.
    func cancel() {
        let task = state.withLock { state in
            state.number = .max
            return state.task.take()
        }
        task?.cancel()
    }

    deinit { cancel() }
}

extension Optional where Wrapped: Sendable {
    /// Puts `value` in the place of what was there.
    fileprivate mutating func exchange(_ value: Wrapped) -> Wrapped? {
        defer { self = value }
        return self
    }
}
