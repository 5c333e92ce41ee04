internal import CPostgres
import Holdfast
import Synchronization

/// One libpq connection, owned: whoever works with it holds its lock, and who waits for the server is suspended.
///
/// The task that runs a statement sends and takes results itself; in between, the reactor's thread reads what arrives
/// and resumes the task. The connection is in pipeline mode and non-blocking all the time.
final class Channel: Sendable {
    /// The event that a task waits for.
    enum Interest {
        /// A result can be taken.
        case result
        /// A result can be taken, or more can be sent.
        case progress
        /// More can be sent.
        case room
    }

    /// The cause of the cancellation of a statement.
    enum CancelReason {
        case task, timeout
    }

    /// An item that libpq hands out for a command.
    enum Arrival {
        case result(ServerResult)
        /// After the last result of the command.
        case end
    }

    /// The items that were read while the run's task did something else.
    struct Prefetch {
        var arrivals: [Arrival] = []
        /// Whether a result was read, and not yet the end of its command.
        var expectsEnd = false
        /// Whether nothing more comes in this run.
        var isComplete = false
        /// How many more Syncs are to be read.
        private var syncsDue = 0

        /// A Sync was sent, up to whose answer is to be read.
        mutating func expectSync() {
            syncsDue += 1
            isComplete = false
        }

        /// The answer to a Sync was read: the end, unless there is to be another one.
        mutating func noteSync() {
            syncsDue -= 1
            (expectsEnd, isComplete) = (false, syncsDue <= 0)
        }
    }

    /// How far the cancellation of the present run has come.
    struct Cancellation {
        enum Phase {
            /// Nothing was under way; the run ends before it sends anything more.
            case requested
            /// A thread is talking to the server.
            case sending
            /// The server has it, or could not be reached.
            case returned(Bool)
        }

        var reason: CancelReason
        var phase: Phase
    }

    /// How long the server may take to answer after a cancellation before the connection is given up.
    static let cancelGrace = Duration.seconds(5)

    // Unchecked: the pointer and the continuation are touched only under the channel's lock.
    struct State: @unchecked Sendable {
        /// The connection; nil once it is closed.
        var session: OpaquePointer?
        var id: UInt64 = 0
        /// Whether the session is known to be over, though libpq may still have a last result of it.
        var isLost = false
        /// Whether the kernel will report the socket.
        var isArmed = false
        /// Whether something is left to be sent.
        var needsFlush = false
        var phase = ChannelPhase.idle
        /// Whether a cancellation of the run sends nothing to the server, and leaves it the grace to answer.
        var ignoresCancellation = false
        var prefetch = Prefetch()
        var deadline = MonotonicTime.distantFuture
        /// When the idle socket is to be watched; a connection that is used again before never is.
        var idleWatch = MonotonicTime.distantFuture
        var briefReads = BriefWaits()
        var briefWrites = BriefWaits()
        var cancellation: Cancellation?
        /// Receives the notifications; nil if they are of no interest.
        var receive: (@Sendable ((channel: String, payload: String)?) -> Void)?
        var waiter: (interest: Interest, continuation: UnsafeContinuation<Void, Never>)?
        var cancelWaiter: UnsafeContinuation<Void, Never>?
    }

    let reactor: Reactor
    /// The log that libpq points at for its notices.
    private let notices: NoticeLog
    let state: Mutex<State>

    /// Takes over `session`, which is connected, non-blocking and in pipeline mode; it is finished by ``finish()``.
    init(session: consuming LibpqSession, reactor: Reactor, notices: NoticeLog) throws(DatabaseError) {
        self.reactor = reactor
        self.notices = notices
        self.state = Mutex(State(session: session.take()))
        guard let id = reactor.register(self) else {
            finish()
            throw DatabaseError(.closed, "The database was closed while a connection was being opened.")
        }
        state.withLock { $0.id = id }
    }

    deinit { finish() }

    /// Whether the session can be used.
    var isUsable: Bool { state.withLock { $0.session != nil && !$0.isLost } }

    /// Calls `body` with the connection, under the lock.
    ///
    /// - Throws: ``DatabaseError/Code/connectionLost`` if there is none any more.
    func withSession<Output: Sendable>(
        _ body: (OpaquePointer, inout State) throws(DatabaseError) -> Output
    ) throws(DatabaseError) -> Output {
        try state.withLock { state throws(DatabaseError) in
            guard let session = state.session else { throw .connectionLost() }
            return try body(session, &state)
        }
    }

    /// Waits on this thread for an answer that is expected immediately: handing the wait to the reactor and being
    /// resumed takes longer than many an answer does.
    ///
    /// - Returns: Whether what it waits for has come; false also if waiting here is not worth it.
    func waitHere(for interest: Interest, _ kind: BriefWaits.Kind) -> Bool {
        guard reactor.runsUnderWay.load(ordering: .relaxed) <= 1 else { return false }
        enum Step {
            case end(hasCome: Bool)
            case wait(Int32, BriefWaits.Wait)
        }
        let step = state.withLock { state -> Step in
            guard let session = state.session, !state.isLost, !state.needsFlush else { return .end(hasCome: false) }
            if state.isArmed {
                reactor.disarm(PQsocket(session), id: state.id)
                state.isArmed = false
                // The reactor may be about to read the answer, after which the socket has nothing to tell.
                consume(&state, session)
            }
            // Or it has read it.
            if isSatisfied(interest, session, state) { return .end(hasCome: true) }
            let wait = kind == .read ? state.briefReads.next() : state.briefWrites.next()
            return wait.map { .wait(PQsocket(session), $0) } ?? .end(hasCome: false)
        }
        switch step {
        case .end(let hasCome): return hasCome
        case .wait(let socket, let wait): return waitHere(on: socket, wait, for: interest, kind)
        }
    }

    private func waitHere(
        on socket: Int32, _ wait: BriefWaits.Wait, for interest: Interest, _ kind: BriefWaits.Kind
    ) -> Bool {
        let start = MonotonicTime.now
        let isReady = holdfast_wait_readable(socket, start.nanoseconds, wait.polling, wait.limit)
        let elapsed = MonotonicTime.now.nanoseconds - start.nanoseconds
        return state.withLock { state in
            switch kind {
            case .read: state.briefReads.note(wait, took: elapsed)
            case .write: state.briefWrites.note(wait, took: elapsed)
            }
            guard let session = state.session, !state.isLost else { return true }
            if isReady { consume(&state, session) }
            return isSatisfied(interest, session, state)
        }
    }

    /// Suspends the task until what it waits for has come, or the session is over.
    ///
    /// - Parameter kind: What was sent, if its answer is expected to come within microseconds; nil if not.
    func wait(for interest: Interest, brief kind: BriefWaits.Kind? = nil) async {
        if let kind, waitHere(for: interest, kind) { return }
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isOver = state.withLock { state -> Bool in
                guard let session = state.session, !isSatisfied(interest, session, state) else { return true }
                state.waiter = (interest, continuation)
                arm(&state, session)
                if !state.isLost { return false }
                state.waiter = nil
                return true
            }
            if isOver { continuation.resume() }
        }
    }

    /// Handles the reactor's report that the socket can be read from or written to.
    func socketIsReady() {
        let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            state.isArmed = false
            guard let session = state.session, !state.isLost else { return nil }
            consume(&state, session)
            guard let waiter = state.waiter else {
                if state.phase == .paused, !state.isLost { prefetch(&state, session) }
                // Idle: stay informed of the server's end. A running task will ask for itself.
                if state.phase == .idle, state.idleWatch == .distantFuture { arm(&state, session) }
                return nil
            }
            if isSatisfied(waiter.interest, session, state) {
                state.waiter = nil
                return waiter.continuation
            }
            arm(&state, session)
            return nil
        }
        waiter?.resume()
    }

    /// Sends what libpq has buffered and reads what has arrived, without blocking.
    func consume(_ state: inout State, _ session: OpaquePointer) {
        repeat {
            if PQconsumeInput(session) == 0 { state.isLost = true }
        } while !state.isLost && holdfast_tls_pending(session) > 0
        flush(&state, session)
        if state.phase == .idle || state.receive != nil { deliverNotifications(state, session) }
        if state.isLost { state.receive.take()?(nil) }
    }

    private func deliverNotifications(_ state: State, _ session: OpaquePointer) {
        while let notification = PQnotifies(session) {
            let (channel, payload) = (notification.pointee.relname, notification.pointee.extra)
            state.receive?((channel.map { String(cString: $0) } ?? "", payload.map { String(cString: $0) } ?? ""))
            PQfreemem(notification)
        }
    }

    /// Watches the idle connection, and hands over its notifications from now on, on the reactor's thread.
    func receiveNotifications(
        _ receive: @escaping @Sendable ((channel: String, payload: String)?) -> Void
    ) throws(DatabaseError) {
        try withSession { session, state throws(DatabaseError) in
            state.receive = receive
            state.idleWatch = .distantFuture
            consume(&state, session)
            if !state.isLost { arm(&state, session) }
            if state.isLost { throw .connectionLost() }
        }
    }

    /// Sends what libpq has buffered, as far as the socket takes it.
    func flush(_ state: inout State, _ session: OpaquePointer) {
        state.needsFlush = PQflush(session) == 1
    }

    /// Takes a result that is there; nil if there is none yet.
    func takeArrival(_ state: inout State, _ session: OpaquePointer) -> Arrival? {
        if !state.prefetch.arrivals.isEmpty { return state.prefetch.arrivals.removeFirst() }
        guard PQisBusy(session) == 0 else { return nil }
        guard let raw = PQgetResult(session) else { return .end }
        if PQresultStatus(raw) == PGRES_PIPELINE_SYNC { state.prefetch.noteSync() }
        return .result(ServerResult(raw))
    }

    /// Takes results that have arrived while their task does something else, and goes on reading: otherwise, libpq
    /// would keep them in a buffer that it never makes smaller.
    private func prefetch(_ state: inout State, _ session: OpaquePointer) {
        while !state.prefetch.isComplete, PQisBusy(session) == 0 {
            guard let raw = PQgetResult(session) else {
                // Besides at the end of a command, libpq returns NULL whenever nothing is outstanding, as often as one
                // asks.
                guard state.prefetch.expectsEnd else { break }
                state.prefetch.arrivals.append(.end)
                state.prefetch.expectsEnd = false
                continue
            }
            state.prefetch.arrivals.append(.result(ServerResult(raw)))
            state.prefetch.expectsEnd = true
            switch PQresultStatus(raw) {
            case PGRES_PIPELINE_SYNC: state.prefetch.noteSync()
            // After a COPY, not before the task has seen it.
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: state.prefetch.isComplete = true
            default: if PQstatus(session) == CONNECTION_BAD { state.prefetch.isComplete = true }
            }
        }
        arm(&state, session)
    }

    private func isSatisfied(_ interest: Interest, _ session: OpaquePointer, _ state: State) -> Bool {
        if state.isLost { return true }
        let hasResult = !state.prefetch.arrivals.isEmpty || PQisBusy(session) == 0
        return switch interest {
        case .result: hasResult
        case .progress: hasResult || !state.needsFlush
        case .room: !state.needsFlush
        }
    }

    /// Asks the kernel to report the socket.
    func arm(_ state: inout State, _ session: OpaquePointer) {
        if state.isArmed && !state.needsFlush { return }
        state.isArmed = reactor.arm(PQsocket(session), id: state.id, writable: state.needsFlush)
        if !state.isArmed { state.isLost = true }
    }

    /// Closes the connection; what was open is rolled back by the server.
    ///
    /// Safe to call more than once.
    ///
    /// It doesn't wait: a non-blocking connection sends its goodbye if the socket takes it, and closes.
    func finish() {
        let over = state.withLock { state in
            let before = state
            (state.session, state.waiter, state.cancelWaiter, state.isLost) = (nil, nil, nil, true)
            state.receive = nil
            state.phase.end()
            state.prefetch = Prefetch()
            return before
        }
        if over.phase.isAtWork { reactor.runsUnderWay.subtract(1, ordering: .relaxed) }
        let session = LibpqSession(over.session)
        session.use { reactor.unregister(over.id, socket: PQsocket($0)) }
        over.receive?(nil)
        over.waiter?.continuation.resume()
        over.cancelWaiter?.resume()
    }
}
