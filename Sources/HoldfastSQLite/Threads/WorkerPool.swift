import Holdfast

/// Threads of our own, for what may wait: for the disk, for a lock, for a long statement.
///
/// There are as many as jobs run at once, which is at most one for each connection, and they end when they have had
/// nothing to do for a while.
final class WorkerPool: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var idle = 0
        var isStopped = false
    }

    private let monitor = Monitor(State())

    deinit { stop() }

    /// Runs `job` on a thread that may block.
    func run<Output>(_ job: @escaping @Sendable () throws -> sending Output) async throws -> sending Output {
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Output, any Error>) in
            let isTaken = submit {
                do { continuation.resume(returning: try job()) } catch { continuation.resume(throwing: error) }
            }
            if !isTaken {
                continuation.resume(
                    throwing: DatabaseError(.engine, "The system refused to start a thread; raise its limit on threads."))
            }
        }
    }

    /// Lets the threads end once they have done what was submitted.
    func stop() {
        monitor.withLock { $0.isStopped = true }
        monitor.broadcast()
    }

    /// Whether `job` will run; false if no thread could be started for it.
    private func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
        let needsThread = monitor.withLock { state in
            if state.idle <= state.jobs.count { return true }
            state.jobs.append(job)
            return false
        }
        guard needsThread else { monitor.signal(); return true }
        return startThread { [monitor] in
            job()
            Self.work(monitor)
        }
    }

    /// Does jobs until there have been none for some seconds. Holds the monitor but not the pool, which so can go.
    private static func work(_ monitor: Monitor<State>) {
        while true {
            monitor.withLock { $0.idle += 1 }
            let patience = MonotonicTime.now.advanced(by: .seconds(10))
            let job = monitor.wait(until: patience) { state -> Optional<Optional<@Sendable () -> Void>> in
                if !state.jobs.isEmpty {
                    state.idle -= 1
                    return .some(state.jobs.removeFirst())
                }
                return state.isStopped ? .some(nil) : nil
            }
            guard case .some(.some(let job)) = job else { break }
            job()
        }
    }
}
