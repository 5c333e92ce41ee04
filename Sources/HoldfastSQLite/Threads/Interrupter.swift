import CSQLite
import Holdfast
import Synchronization

/// Stops what a connection runs, from another thread, and never what it runs next.
///
/// `sqlite3_interrupt` stops whatever statement runs at that moment, and is forgotten if none does. So it is called
/// with a lock held under which the run it is meant for is known to be the current one; and it is called again every
/// millisecond until that run ends, as it may have come just before the statement began.
final class Interrupter: Sendable {
    /// Why a run is stopped.
    enum Reason: Sendable {
        case cancelled
        case timedOut
    }

    /// One use of the connection.
    struct Run: Sendable {
        fileprivate let number: UInt64
    }

    // Sendable: the pointer is only passed to a function that any thread may call, with the lock held.
    private struct State: @unchecked Sendable {
        var database: OpaquePointer?
        var run: UInt64 = 0
        var isRunning = false
        var reason: Reason?
        var deadline = MonotonicTime.distantFuture
    }

    private let state: Mutex<State>
    private let isStopped = Atomic<Bool>(false)
    private let deadlines: Deadlines

    /// Creates the interrupter of `database`, which stays open until ``invalidate()``.
    init(_ database: OpaquePointer, deadlines: Deadlines) {
        self.state = Mutex(State(database: database))
        self.deadlines = deadlines
        deadlines.watch(self)
    }

    /// Whether the current run is to stop: asked between steps.
    var isInterrupted: Bool { isStopped.load(ordering: .relaxed) }

    /// Why the current run is to stop.
    var reason: Reason? { state.withLock { $0.reason } }

    /// Begins a run, that ends by itself at `deadline`.
    func begin(until deadline: MonotonicTime) -> Run {
        let number = state.withLock { state in
            state.run &+= 1
            state.isRunning = true
            state.reason = nil
            state.deadline = deadline
            isStopped.store(false, ordering: .relaxed)
            return state.run
        }
        if deadline != .distantFuture { deadlines.expect(deadline) }
        return Run(number: number)
    }

    /// Ends `run`: it can't be stopped any more.
    func end(_ run: Run) {
        state.withLock { state in
            guard state.run == run.number else { return }
            state.isRunning = false
            state.deadline = .distantFuture
        }
    }

    /// Stops `run` if it is still the current one.
    func cancel(_ run: Run) {
        let next: MonotonicTime? = state.withLock { state in
            guard state.isRunning, state.run == run.number else { return nil }
            interrupt(&state, .cancelled)
            return state.deadline
        }
        if let next { deadlines.expect(next) }
    }

    /// Stops the current run, if there is one.
    func cancelCurrent() {
        let next: MonotonicTime? = state.withLock { state in
            guard state.isRunning else { return nil }
            interrupt(&state, .cancelled)
            return state.deadline
        }
        if let next { deadlines.expect(next) }
    }

    /// Stops the current run if its time is up, and says when to ask again.
    func checkDeadline(_ now: MonotonicTime) -> MonotonicTime {
        state.withLock { state in
            if state.isRunning, state.deadline <= now { interrupt(&state, .timedOut) }
            return state.deadline
        }
    }

    /// To be called before the database is closed.
    func invalidate() {
        state.withLock { $0.database = nil }
        deadlines.forget(self)
    }

    private func interrupt(_ state: inout State, _ reason: Reason) {
        if state.reason == nil { state.reason = reason }
        isStopped.store(true, ordering: .relaxed)
        if let database = state.database { sqlite3_interrupt(database) }
        state.deadline = MonotonicTime.now.advanced(by: .milliseconds(1))
    }
}
