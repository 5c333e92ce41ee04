import Synchronization

/// Lets one operation after the other into a transaction, in the order in which they came.
///
/// Child tasks share a transaction, and a connection runs one statement at a time.
final class AsyncLock: Sendable {
    private struct State {
        var isLocked = false
        /// Each is resumed with true if it has the lock now, and with false if its task was cancelled.
        var waiters = WaiterQueue<CheckedContinuation<Bool, Never>>()
    }

    /// The number of a waiter that can be cancelled; written and read under the lock.
    private final class Ticket: Sendable {
        let number = Atomic<Int>(-1)
    }

    private let state = Mutex(State())

    /// Runs `operation` when its turn has come.
    ///
    /// - Throws: ``DatabaseError/Code/cancelled`` if the task is cancelled while it waits; what `operation` throws.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func withLock<Output>(_ operation: nonisolated(nonsending) () async throws -> Output) async throws -> Output {
        guard await lock(Ticket()) else { throw Self.cancelled }
        defer { unlock() }
        return try await operation()
    }

    /// Runs `operation` when its turn has come, in a cancelled task too: what ends a transaction has to be done.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func withLockEvenIfCancelled<Output>(
        _ operation: nonisolated(nonsending) () async throws -> Output
    ) async rethrows -> Output {
        _ = await lock(nil)
        defer { unlock() }
        return try await operation()
    }

    /// Takes the lock if that needs no wait; it has to be given back by ``unlock()``.
    func lockIfFree() -> Bool {
        state.withLock { state in
            defer { state.isLocked = true }
            return !state.isLocked
        }
    }

    /// Waits for the lock; where there is a ticket, no longer than until the task is cancelled.
    ///
    /// - Returns: Whether the caller has the lock.
    private func lock(_ makeTicket: @autoclosure () -> Ticket?) async -> Bool {
        if lockIfFree() { return true }
        guard let ticket = makeTicket() else { return await wait(nil) }
        return await withTaskCancellationHandler {
            await wait(ticket)
        } onCancel: {
            let waiter = state.withLock { $0.waiters.remove(ticket.number.load(ordering: .relaxed)) }
            waiter?.resume(returning: false)
        }
    }

    private func wait(_ ticket: Ticket?) async -> Bool {
        await withCheckedContinuation { waiter in
            let hasLock: Bool? = state.withLock { state in
                guard state.isLocked else {
                    state.isLocked = true
                    return true
                }
                // A cancellation that came before found no ticket to cancel.
                if ticket != nil, Task.isCancelled { return false }
                let number = state.waiters.append(waiter)
                ticket?.number.store(number, ordering: .relaxed)
                return nil
            }
            if let hasLock { waiter.resume(returning: hasLock) }
        }
    }

    /// Hands the lock to the longest waiting operation, if there is one.
    func unlock() {
        let next = state.withLock { state in
            let next = state.waiters.popFirst()
            if next == nil { state.isLocked = false }
            return next
        }
        next?.resume(returning: true)
    }

    private static let cancelled = DatabaseError(
        .cancelled,
        "The task was cancelled while it waited for another operation of its transaction; nothing was done.")
}
