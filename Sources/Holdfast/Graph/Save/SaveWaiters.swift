import Synchronization

/// Saves that wait until another save of the same object has ended; and those that have yet to get a connection.
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

        mutating func remove(_ place: Place) -> Waiter? {
            let waiter = waiters[place.object]?.removeValue(forKey: place.ticket)
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
            let waiter = state.withLock { state in
                guard case .waiting(let continuation) = state.waiters[place.object]?[place.ticket] else {
                    return nil as CheckedContinuation<Void, any Error>?
                }
                _ = state.remove(place)
                return continuation
            }
            waiter?.resume(throwing: Self.cancelled)
        }
    }

    /// Whether any save waits.
    var hasWaiters: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Lets those go on who wait for one of the objects.
    func finished(_ objects: some Sequence<ObjectIdentifier>) {
        let ready = state.withLock { state in
            state.waiters.isEmpty ? [] : objects.flatMap { state.waiters.removeValue(forKey: $0) ?? [:] }
        }
        for case (_, .waiting(let continuation)) in ready.sorted(by: { $0.key < $1.key }) { continuation.resume() }
    }

    // MARK: Saves in the queue for the only writer

    /// Says that a save is about to ask for its connection.
    func queue(_ save: UInt32) { _ = state.withLock { $0.queued.insert(save) } }

    /// Says that a save has its connection, or needs none any more.
    func leaveQueue(_ save: UInt32) { _ = state.withLock { $0.queued.remove(save) } }

    /// Whether a save has yet to get its connection.
    func isQueued(_ save: UInt32) -> Bool { state.withLock { $0.queued.contains(save) } }

    private static let cancelled = DatabaseError(
        .cancelled, "The task was cancelled while it waited for another save of an object; nothing was done.")
}
