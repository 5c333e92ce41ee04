import Synchronization

/// Stops a run that may not have begun yet, from any thread.
final class RunCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var stop: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func cancel() {
        let stop = state.withLock { state in
            state.isCancelled = true
            return state.stop
        }
        stop?()
    }

    /// Tells how to stop the run that has begun.
    ///
    /// - Returns: Whether it is to stop already.
    func begin(_ stop: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            state.stop = stop
            return state.isCancelled
        }
    }
}
