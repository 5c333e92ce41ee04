internal import CPostgres
import Holdfast
import Synchronization

/// Runs, their deadlines, and how they are cancelled.
///
/// A cancellation is a message on a connection of its own, and may reach the server after the statement has ended. So a
/// run ends only when the message is out, the statement has drained, and one more round trip, during which the server
/// drops a cancellation that came too late, has passed; where that can't be had, the connection is given up.
extension Channel {
    /// How many threads of the process talk to servers about cancellations.
    private static let cancellersAtWork = Atomic<Int>(0)
    private static let maximumCancellers = 64
    /// How long a connection is idle before its socket is watched.
    private static let idleTime = Duration.milliseconds(20)

    /// Begins a run that is cancelled at `deadline`.
    ///
    /// - Parameter ignoresCancellation: Whether the server is let finish in any case: then a cancellation only gives
    ///   the connection up, if the server has not answered by the end of the grace.
    func begin(deadline: MonotonicTime, ignoresCancellation: Bool = false) throws(DatabaseError) {
        try withSession { session, state throws(DatabaseError) in
            if state.isLost { throw .connectionLost() }
            guard state.phase.begin() else {
                throw DatabaseError(.conflict, "Two tasks used one connection at the same time. Give each a lease.")
            }
            state.ignoresCancellation = ignoresCancellation
            state.idleWatch = .distantFuture
            reactor.runsUnderWay.add(1, ordering: .relaxed)
            state.cancellation =
                ignoresCancellation || deadline > .now ? nil : Cancellation(reason: .timeout, phase: .requested)
            state.deadline = state.cancellation == nil ? deadline : .distantFuture
        }
        if deadline != .distantFuture { reactor.wake(at: deadline) }
    }

    /// Ends a run: from here on, nothing is cancelled.
    ///
    /// - Returns: What it was cancelled for, if it was, and whether the session can still be used.
    @discardableResult
    func end() -> (reason: CancelReason?, isUsable: Bool) {
        let (reason, isUsable, watch) = state.withLock { state -> (CancelReason?, Bool, MonotonicTime) in
            let reason = state.cancellation?.reason
            if state.phase.isAtWork { reactor.runsUnderWay.subtract(1, ordering: .relaxed) }
            state.phase.end()
            state.prefetch = Prefetch()
            state.deadline = .distantFuture
            state.cancellation = nil
            let isUsable = state.session != nil && !state.isLost
            guard isUsable, !state.isArmed else { return (reason, isUsable, .distantFuture) }
            // To hear of the server's end; but not between two statements, where it costs a call to the kernel for
            // each.
            state.idleWatch = .after(Self.idleTime)
            return (reason, true, state.idleWatch)
        }
        if watch != .distantFuture { reactor.wake(at: watch) }
        return (reason, isUsable)
    }

    /// Lets a run stand in which something was sent whose answer is taken later: after ``resume(deadline:)``.
    ///
    /// - Returns: Whether it stands; if it was cancelled, the answer has to be taken now.
    func park() -> Bool {
        state.withLock { state in
            guard state.cancellation == nil, !state.isLost, state.phase.park() else { return false }
            state.deadline = .distantFuture
            reactor.runsUnderWay.subtract(1, ordering: .relaxed)
            return true
        }
    }

    /// Stops the clock of a run while its task takes rows; the reactor reads meanwhile what arrives: until
    /// ``resume(deadline:)``.
    func pause() {
        state.withLock { state in
            state.phase.pause()
            (state.deadline, state.prefetch.expectsEnd) = (.distantFuture, false)
            if let session = state.session, !state.isLost { arm(&state, session) }
        }
    }

    /// Goes on with a run that stood; at `deadline` it is cancelled, unless it was already.
    func resume(deadline: MonotonicTime) {
        let next = state.withLock { state -> MonotonicTime in
            if state.phase == .standing { reactor.runsUnderWay.add(1, ordering: .relaxed) }
            if state.cancellation == nil {
                state.deadline = deadline
            } else if state.phase == .paused {
                state.deadline = .after(Self.cancelGrace)
            }
            state.phase.resume()
            return state.deadline
        }
        if next != .distantFuture { reactor.wake(at: next) }
    }

    /// Says that the server has more to do in this run, after what was waited for.
    func goOn() {
        let deadline = state.withLock { state in
            state.phase.send()
            // A cancellation that was noted when nothing was under way.
            if case .requested? = state.cancellation?.phase, !state.ignoresCancellation { startCancelling(&state) }
            return state.deadline
        }
        if deadline != .distantFuture { reactor.wake(at: deadline) }
    }

    /// Cancels the present run, unless its answer is there already.
    func cancelUnlessAnswered() {
        let isAnswered = state.withLock { state in
            guard let session = state.session, !state.isLost else { return true }
            consume(&state, session)
            return state.isLost || PQisBusy(session) == 0
        }
        if !isAnswered { cancel(.task) }
    }

    /// The reason why the present run was cancelled, if it was.
    var cancelReason: CancelReason? { state.withLock { $0.cancellation?.reason } }

    /// Cancels the present run, if there is one: its statement, or what it would send next.
    func cancel(_ reason: CancelReason) {
        let (deadline, waiters) = state.withLock { state in
            let waiters = cancel(reason, &state)
            return (state.deadline, waiters)
        }
        if deadline != .distantFuture { reactor.wake(at: deadline) }
        for waiter in waiters { waiter.resume() }
    }

    /// Cancels the present run, if there is one, under the lock; returns who is to be resumed.
    private func cancel(_ reason: CancelReason, _ state: inout State) -> Waiters {
        guard state.phase.hasRun, state.cancellation == nil else { return [] }
        state.cancellation = Cancellation(reason: reason, phase: .requested)
        state.deadline = state.ignoresCancellation ? .after(Self.cancelGrace) : .distantFuture
        if state.phase.isServerBusy, !state.ignoresCancellation { startCancelling(&state) }
        return state.isLost ? takeWaiters(&state) : []
    }

    /// Checks the deadlines, as the reactor asks from time to time; returns the channel's next one.
    func checkDeadline(now: MonotonicTime) -> MonotonicTime {
        let (deadline, waiters) = state.withLock { state in
            if state.idleWatch <= now {
                state.idleWatch = .distantFuture
                if let session = state.session, !state.isLost, state.phase == .idle { arm(&state, session) }
            }
            guard state.deadline <= now else { return (min(state.deadline, state.idleWatch), Waiters()) }
            if state.cancellation == nil {
                // Under the same lock: by now the run may be another one otherwise, which has more time.
                let waiters = cancel(.timeout, &state)
                return (state.deadline, waiters)
            }
            state.deadline = .distantFuture
            // Whether the server has answered shows when the task goes on.
            if state.phase == .paused { return (.distantFuture, Waiters()) }
            // It didn't answer to the cancellation either.
            state.isLost = true
            return (.distantFuture, takeWaiters(&state))
        }
        for waiter in waiters { waiter.resume() }
        return deadline
    }

    /// Returns once no cancellation can hit a later statement: immediately where there was none.
    func settle() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let mustWait = state.withLock { state in
                state.phase.settle()
                guard !state.isLost, case .sending? = state.cancellation?.phase else { return false }
                state.cancelWaiter = continuation
                return true
            }
            if !mustWait { continuation.resume() }
        }
        let wasSent = state.withLock { state -> Bool in
            guard !state.isLost, let session = state.session else { return false }
            switch state.cancellation?.phase {
            case nil, .requested:
                return false
            case .sending, .returned(false):
                // It may still be on its way.
                state.isLost = true
                return false
            case .returned(true):
                if PQpipelineSync(session) == 0 { state.isLost = true }
                flush(&state, session)
                return !state.isLost
            }
        }
        if wasSent { await absorb() }
    }

    /// Waits for the answer to the round trip that takes up a late cancellation.
    private func absorb() async {
        while true {
            await wait(for: .result)
            let isOver = state.withLock { state -> Bool in
                guard !state.isLost, let session = state.session else { return true }
                while PQisBusy(session) == 0 {
                    guard let raw = PQgetResult(session) else {
                        // Nothing is outstanding, though a round trip should be: don't trust the connection.
                        if PQtransactionStatus(session) != PQTRANS_ACTIVE { state.isLost = true }
                        if state.isLost { return true }
                        continue
                    }
                    let result = ServerResult(raw)
                    if PQstatus(session) == CONNECTION_BAD { state.isLost = true }
                    if state.isLost || PQresultStatus(result.raw) == PGRES_PIPELINE_SYNC { return true }
                }
                return false
            }
            if isOver { return }
        }
    }

    private typealias Waiters = [UnsafeContinuation<Void, Never>]

    private func takeWaiters(_ state: inout State) -> Waiters {
        defer { (state.waiter, state.cancelWaiter) = (nil, nil) }
        return [state.waiter?.continuation, state.cancelWaiter].compactMap(\.self)
    }

    /// Sends the cancellation on a thread of its own: `PQcancel` connects, and blocks.
    private func startCancelling(_ state: inout State) {
        guard let session = state.session, let request = CancelRequest(session) else {
            state.isLost = true
            return
        }
        state.cancellation?.phase = .sending
        state.deadline = .after(Self.cancelGrace)
        // libpq waits for the server to close the connection, without a limit: where many peers swallow that, the run
        // ends after the grace, and the threads must not become ever more.
        guard Self.cancellersAtWork.add(1, ordering: .relaxed).newValue <= Self.maximumCancellers else {
            Self.cancellersAtWork.subtract(1, ordering: .relaxed)
            state.cancellation?.phase = .returned(false)
            return
        }
        let hasThread = startThread { [self] in
            let wasSent = request.send()
            Self.cancellersAtWork.subtract(1, ordering: .relaxed)
            let waiter = self.state.withLock { state -> UnsafeContinuation<Void, Never>? in
                guard case .sending? = state.cancellation?.phase else { return nil }
                state.cancellation?.phase = .returned(wasSent)
                defer { state.cancelWaiter = nil }
                return state.cancelWaiter
            }
            waiter?.resume()
        }
        if !hasThread {
            Self.cancellersAtWork.subtract(1, ordering: .relaxed)
            state.cancellation?.phase = .returned(false)
        }
    }
}

/// An owned `PGcancel`: what is needed to cancel a connection's statement from elsewhere.
// Unchecked: libpq says that it may be used on any thread, and it is freed once, by the last owner.
private final class CancelRequest: @unchecked Sendable {
    private let raw: OpaquePointer

    init?(_ session: OpaquePointer) {
        guard let raw = PQgetCancel(session) else { return nil }
        self.raw = raw
    }

    deinit { PQfreeCancel(raw) }

    /// Connects, asks for the cancellation, and waits until the server has taken note of it.
    func send() -> Bool {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
            PQcancel(raw, message.baseAddress, Int32(message.count)) == 1
        }
    }
}
