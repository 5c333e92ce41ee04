import Synchronization

/// Saves that wait until another save of the same object has ended; and those that have yet to get a connection.
final class SaveWaiters: Sendable {
    private struct State {
        var waiters: [ObjectIdentifier: [(ticket: Int, continuation: CheckedContinuation<Void, any Error>)]] = [:]
        var lastTicket = 0
        var queued: Set<UInt32> = []
    }

    private let state = Mutex(State())

    /// Waits until ``finished(_:)`` is called for the object, which must be known to be in flight on this isolation.
    ///
    /// - Throws: ``DatabaseError/Code/cancelled`` if the task is cancelled.
    func wait(for object: ObjectIdentifier) async throws {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isWaiting = state.withLock { state in
                    // A cancellation that came before the lock found nobody who waits.
                    if Task.isCancelled { return false }
                    state.waiters[object, default: []].append((ticket, continuation))
                    return true
                }
                if !isWaiting { continuation.resume(throwing: Self.cancelled) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let index = state.waiters[object]?.firstIndex { $0.ticket == ticket }
                let waiter = index.flatMap { state.waiters[object]?.remove(at: $0) }
                if state.waiters[object]?.isEmpty == true { state.waiters[object] = nil }
                return waiter?.continuation
            }
            waiter?.resume(throwing: Self.cancelled)
        }
    }

    /// Whether any save waits.
    var hasWaiters: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Lets those go on who wait for one of the objects.
    func finished(_ objects: some Sequence<ObjectIdentifier>) {
        let ready = state.withLock { state in
            state.waiters.isEmpty ? [] : objects.flatMap { state.waiters.removeValue(forKey: $0) ?? [] }
        }
        for waiter in ready { waiter.continuation.resume() }
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
