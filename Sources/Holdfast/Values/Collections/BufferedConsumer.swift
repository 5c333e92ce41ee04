import Synchronization

/// Whoever consumes what comes by itself: a buffer, and the tasks that wait for it.
final class BufferedConsumer<Element: Sendable>: Sendable {
    private struct State {
        var buffer: BoundedBuffer<Element>
        var waiters: [CheckedContinuation<Void, Never>] = []
        var isClosed = false
    }

    private let state: Mutex<State>

    /// - Parameter gap: The element that says that others are missing.
    init(limit: Int, gap: Element) { state = Mutex(State(buffer: BoundedBuffer(limit: limit, gap: gap))) }

    func receive(_ element: Element) { wake { if !$0.isClosed { $0.buffer.append(element) } } }

    func receiveGap() { wake { if !$0.isClosed { $0.buffer.appendGap() } } }

    func close() { wake { $0.isClosed = true } }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func next() async throws -> Element? {
        while !Task.isCancelled {
            let (element, isClosed) = state.withLock { ($0.buffer.next(), $0.isClosed) }
            if let element { return element }
            if isClosed { throw DatabaseError(.closed, "The database was closed, so that nothing more comes.") }
            await wait()
        }
        return nil
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.buffer.isEmpty || state.isClosed || Task.isCancelled { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            // All wait again but the one whose task was cancelled.
            wake { _ in }
        }
    }
}
