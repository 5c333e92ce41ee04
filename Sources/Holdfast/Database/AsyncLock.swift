import DequeModule
import Synchronization

/// Lets one operation after the other into a transaction, in the order in which they came.
///
/// Child tasks share a transaction, and a connection runs one statement at a time.
final class AsyncLock: Sendable {
    private struct State {
        var isLocked = false
        var waiters: Deque<CheckedContinuation<Void, Never>> = []
    }

    private let state = Mutex(State())

    func withLock<Output>(_ operation: nonisolated(nonsending) () async throws -> Output) async rethrows -> Output {
        await lock()
        defer { unlock() }
        return try await operation()
    }

    /// Runs `operation` if that takes no wait; what is left of it keeps the lock until it has ended.
    func withLockIfFree(_ operation: () throws -> RunProgress) rethrows -> RunProgress {
        guard lockIfFree() else { return .notBegun }
        var isOver = true
        defer { if isOver { unlock() } }
        return try operation().around { rest in
            isOver = false
            nonisolated(nonsending) func locked(_ consume: (any RowSource) throws -> Void) async throws {
                defer { unlock() }
                try await rest(consume)
            }
            return locked
        }
    }

    private func lockIfFree() -> Bool {
        state.withLock { state in
            defer { state.isLocked = true }
            return !state.isLocked
        }
    }

    private func lock() async {
        guard !lockIfFree() else { return }
        await withCheckedContinuation { waiter in
            let isFree = state.withLock { state in
                if state.isLocked {
                    state.waiters.append(waiter)
                    return false
                }
                state.isLocked = true
                return true
            }
            if isFree { waiter.resume() }
        }
    }

    /// Hands the lock to the longest waiting operation, if there is one.
    private func unlock() {
        let next = state.withLock { state in
            let next = state.waiters.popFirst()
            if next == nil { state.isLocked = false }
            return next
        }
        next?.resume()
    }
}
