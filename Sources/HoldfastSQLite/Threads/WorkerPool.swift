import Holdfast

/// Threads of our own, for what may wait: for the disk, for a lock, for a long statement.
///
/// There are as many as jobs run concurrently, which is at most one for each connection, and they end when they have
/// had nothing to do for a while.
final class WorkerPool: Sendable {
    private struct Job: Sendable {
        let run: @Sendable () -> Void
        /// Runs in its place if there is no thread.
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var threads = 0
        /// The threads that wait for a job, or are about to.
        var waiting = 0
        var isStopped = false
    }

    private let monitor = Monitor(State())
    private let patience: Duration

    /// Creates a pool without threads.
    ///
    /// - Parameter patience: How long a thread stays without work before it ends.
    init(patience: Duration = .seconds(10)) { self.patience = patience }

    deinit { stop() }

    /// Runs `job` on a thread that may block.
    func run<Output>(_ job: @escaping @Sendable () throws -> sending Output) async throws -> sending Output {
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Output, any Error>) in
            submit {
                do { continuation.resume(returning: try job()) } catch { continuation.resume(throwing: error) }
            } orFail: {
                continuation.resume(throwing: $0)
            }
        }
    }

    /// Lets the threads end once they have done what was submitted.
    func stop() {
        monitor.withLock { $0.isStopped = true }
        monitor.broadcast()
    }

    /// Runs `job` on a thread that may block; or else, if there is no thread for it and none could be started, `fail`.
    func submit(_ job: @escaping @Sendable () -> Void, orFail fail: @escaping @Sendable (any Error) -> Void) {
        let needsThread = monitor.withLock { state in
            state.jobs.append(Job(run: job, fail: fail))
            if state.waiting >= state.jobs.count { return false }
            state.waiting += 1
            state.threads += 1
            return true
        }
        guard needsThread else { return monitor.signal() }
        let isStarted = startThread { [monitor, patience] in
            while let job = Self.nextJob(monitor, patience) {
                job.run()
                monitor.withLock { $0.waiting += 1 }
            }
        }
        guard !isStarted else { return }
        let orphans = monitor.withLock { state in
            state.waiting -= 1
            state.threads -= 1
            // Where there are other threads, one of them takes the job when it is done with its own.
            guard state.threads == 0 else { return [Job]() }
            defer { state.jobs = [] }
            return state.jobs
        }
        let error = DatabaseError(.engine, "The system refused to start a thread; raise its limit on threads.")
        for job in orphans { job.fail(error) }
    }

    /// The next job, or nil for a thread that is to end.
    ///
    /// Holds the monitor but not the pool, which so can go.
    private static func nextJob(_ monitor: Monitor<State>, _ patience: Duration) -> Job? {
        _ = monitor.wait(until: .now.advanced(by: patience)) { state -> Void? in
            state.jobs.isEmpty && !state.isStopped ? nil : ()
        }
        // Tried once more, as a job may have come just when the time was up.
        return monitor.withLock { state in
            state.waiting -= 1
            if state.jobs.isEmpty {
                state.threads -= 1
                return nil
            }
            return state.jobs.removeFirst()
        }
    }
}
