import Synchronization

/// The outputs that a thread of the driver hands to the task that waits for them, one after the other.
///
/// Objects are made of them while further rows are read: decision 0017.
final class OutputQueue<Output: Sendable>: Sendable {
    private struct State {
        var outputs: [Output] = []
        /// How it ended, once nothing more comes.
        var end: Result<Void, any Error>?
        var waiter: UnsafeContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func put(_ output: Output) { wake { $0.outputs.append(output) } }

    func end(_ result: Result<Void, any Error>) { wake { $0.end = result } }

    private func wake(_ change: (inout sending State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits for the next output, in a cancelled task too; nil at the end.
    ///
    /// - Throws: What the thread failed with, after the outputs before that.
    func next() async throws -> Output? {
        await wait { !$0.outputs.isEmpty || $0.end != nil }
        let (output, end) = state.withLock { state in
            state.outputs.isEmpty ? (nil, state.end) : (state.outputs.removeFirst(), nil)
        }
        try end?.get()
        return output
    }

    /// Waits until the thread is done, in a cancelled task too: for who wants no more of its outputs, nor to know how
    /// it ended, but needs what the thread uses.
    func waitForEnd() async {
        while state.withLock({ $0.end == nil }) { await wait { $0.end != nil } }
    }

    /// Waits for a condition; or for less, if that is the next thing to come.
    private func wait(for isThere: (borrowing State) -> Bool) async {
        await withUnsafeContinuation { continuation in
            let mustWait = state.withLock { state in
                let mustWait = !isThere(state)
                if mustWait { state.waiter = continuation }
                return mustWait
            }
            if !mustWait { continuation.resume() }
        }
    }
}
