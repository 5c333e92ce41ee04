import Synchronization

/// The first of several results; those that come later are dropped.
final class Race<Output: Sendable>: Sendable {
    private enum State {
        case running
        case awaited(CheckedContinuation<Output, any Error>)
        case finished(Result<Output, any Error>)
    }

    private let state = Mutex(State.running)

    func finish(_ result: Result<Output, any Error>) {
        let waiter: CheckedContinuation<Output, any Error>? = state.withLock { state in
            switch state {
            case .running:
                state = .finished(result)
                return nil
            case .awaited(let waiter):
                state = .finished(result)
                return waiter
            case .finished: return nil
            }
        }
        waiter?.resume(with: result)
    }

    /// Waits for the first result.
    func value() async throws -> Output {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<Output, any Error>? = state.withLock { state in
                if case .finished(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
