import Holdfast
import Synchronization

/// A thread that stops runs whose time is up.
///
/// It starts with the first deadline, and ends with ``stop()``.
final class Deadlines: Sendable {
    private struct State {
        var watched: [Interrupter] = []
        var isThreadRunning = false
        var isStopped = false
        /// A deadline came that the thread may not have seen.
        var hasNews = false
    }

    private let monitor = Monitor(State())
    /// When the thread looks next, in nanoseconds: who has an earlier deadline has to wake it.
    private let nextLook = Atomic<Int64>(.max)

    /// Lets `interrupter` be asked for its deadlines, until it is forgotten.
    func watch(_ interrupter: Interrupter) {
        monitor.withLock { $0.watched.append(interrupter) }
    }

    func forget(_ interrupter: Interrupter) {
        monitor.withLock { $0.watched.removeAll { $0 === interrupter } }
    }

    /// Sees to it that the interrupter that now has `deadline` is asked in time.
    ///
    /// Costs a load where the thread looks earlier anyway, as it does where all have the same timeout.
    func expect(_ deadline: MonotonicTime) {
        guard deadline.nanoseconds < nextLook.load(ordering: .sequentiallyConsistent) else { return }
        let startsThread = monitor.withLock { state in
            state.hasNews = true
            if state.isThreadRunning || state.isStopped { return false }
            state.isThreadRunning = true
            return true
        }
        guard startsThread else { monitor.signal(); return }
        if !startThread(watchDeadlines) {
            monitor.withLock { $0.isThreadRunning = false }  // the next deadline tries again
        }
    }

    /// Ends the thread.
    func stop() {
        monitor.withLock { $0.isStopped = true }
        monitor.broadcast()
    }

    private func watchDeadlines() {
        while true {
            // From here on whoever sets a deadline gives news, so that none is missed between the look and the wait.
            nextLook.store(.max, ordering: .sequentiallyConsistent)
            let watched: [Interrupter]? = monitor.withLock { state in
                state.hasNews = false
                return state.isStopped ? nil : state.watched
            }
            guard let watched else { return }
            let now = MonotonicTime.now
            let next = watched.lazy.map { $0.checkDeadline(now) }.min() ?? .distantFuture
            let deadline: MonotonicTime? = next == .distantFuture ? nil : next
            _ = monitor.wait(until: deadline) { state -> Void? in
                if state.hasNews || state.isStopped { return () }
                nextLook.store(next.nanoseconds, ordering: .sequentiallyConsistent)
                return nil
            }
        }
    }
}
