import Synchronization

/// Saves that wait until another save of the same object has ended; and those that have yet to get a connection.
///
/// A save inside a transaction waits with a connection in its hands. Where the save it waits for has yet to get one, and
/// all connections are in such hands, neither would ever end.
final class SaveWaiters: Sendable {
    /// A place among those who wait for an object: taken at once, waited at later.
    struct Place {
        let object: ObjectIdentifier
        fileprivate let ticket: Int
    }

    private enum Waiter {
        /// It took its place, and has yet to begin to wait.
        case coming
        case waiting(CheckedContinuation<Void, any Error>)
    }

    private struct State {
        var waiters: [ObjectIdentifier: [Int: Waiter]] = [:]
        var lastTicket = 0
        var queued: Set<UInt32> = []
        /// For each save that waits with a connection, the one that it waits for.
        var heldUp: [Int: UInt32] = [:]

        mutating func remove(_ place: Place) -> Waiter? {
            let waiter = waiters[place.object]?.removeValue(forKey: place.ticket)
            if waiter != nil { heldUp[place.ticket] = nil }
            if waiters[place.object]?.isEmpty == true { waiters[place.object] = nil }
            return waiter
        }
    }

    private let state = Mutex(State())

    /// Takes a place among those who wait for an object, which must be known to be in flight on this isolation.
    ///
    /// Without suspension: so that ``finished(_:)`` can't come between what was found out of the object and the wait.
    func place(at object: ObjectIdentifier) -> Place {
        state.withLock { state in
            state.lastTicket += 1
            state.waiters[object, default: [:]][state.lastTicket] = .coming
            return Place(object: object, ticket: state.lastTicket)
        }
    }

    /// Takes a place for a save inside a transaction, which holds one of so many connections.
    ///
    /// - Parameters:
    ///   - inserter: The save that is waited for.
    ///   - connectionCount: How many connections there can be that write.
    /// - Returns: Nil if every connection would be held by a save that waits for one which needs a connection.
    func place(at object: ObjectIdentifier, heldUpBy inserter: UInt32, connectionCount: Int) -> Place? {
        state.withLock { state in
            if state.queued.contains(inserter) {
                let heldCount = state.heldUp.values.count { state.queued.contains($0) }
                if heldCount + 1 >= connectionCount { return nil }
            }
            state.lastTicket += 1
            state.waiters[object, default: [:]][state.lastTicket] = .coming
            state.heldUp[state.lastTicket] = inserter
            return Place(object: object, ticket: state.lastTicket)
        }
    }

    /// Waits as ``wait(at:)`` does, until a point in time.
    ///
    /// - Throws: ``DatabaseError/Code/lockTimeout`` if that comes first.
    func wait(at place: Place, until deadline: Duration) async throws {
        let timer = Task.detached { [self] in
            let latest = PoolClock.now + .seconds(86_400)
            var time = min(deadline, latest)
            // It may have yet to begin to wait.
            repeat {
                guard (try? await PoolClock.sleep(until: time)) != nil else { return }
                time = PoolClock.now + .milliseconds(10)
            } while !fail(place, Self.timedOut)
        }
        defer { timer.cancel() }
        try await wait(at: place)
    }

    /// Waits until ``finished(_:)`` is called for the object, or has been since the place was taken.
    ///
    /// - Throws: ``DatabaseError/Code/cancelled`` if the task is cancelled.
    func wait(at place: Place) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    guard case .coming = state.waiters[place.object]?[place.ticket] else { return .success(()) }
                    // A cancellation that came before the lock found nobody who waits.
                    if Task.isCancelled {
                        _ = state.remove(place)
                        return .failure(Self.cancelled)
                    }
                    state.waiters[place.object]?[place.ticket] = .waiting(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            fail(place, Self.cancelled)
        }
    }

    /// Ends a wait.
    ///
    /// - Returns: Whether it had begun.
    @discardableResult
    private func fail(_ place: Place, _ error: DatabaseError) -> Bool {
        let waiter = state.withLock { state in
            guard case .waiting(let continuation) = state.waiters[place.object]?[place.ticket] else {
                return nil as CheckedContinuation<Void, any Error>?
            }
            _ = state.remove(place)
            return continuation
        }
        waiter?.resume(throwing: error)
        return waiter != nil
    }

    /// Whether any save waits.
    var hasWaiters: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Lets those go on who wait for one of the objects.
    func finished(_ objects: some Sequence<ObjectIdentifier>) {
        let ready = state.withLock { state in
            guard !state.waiters.isEmpty else { return [(key: Int, value: Waiter)]() }
            let ready = objects.flatMap { state.waiters.removeValue(forKey: $0) ?? [:] }
            if !state.heldUp.isEmpty { for (ticket, _) in ready { state.heldUp[ticket] = nil } }
            return ready
        }
        for case (_, .waiting(let continuation)) in ready.sorted(by: { $0.key < $1.key }) { continuation.resume() }
    }

    // MARK: Saves in the queue for a connection

    /// Says that a save is about to ask for its connection.
    func queue(_ save: UInt32) { _ = state.withLock { $0.queued.insert(save) } }

    /// Says that a save has its connection, or needs none any more.
    func leaveQueue(_ save: UInt32) { _ = state.withLock { $0.queued.remove(save) } }

    private static let timedOut = DatabaseError(
        .lockTimeout,
        "Another save of this object, outside this transaction, did not end in time. Save it in one place, or wait for the other save first."
    )
    private static let cancelled = DatabaseError(
        .cancelled, "The task was cancelled while it waited for another save of an object; nothing was done.")
}
