import Synchronization

/// A point at which concurrent parts of a case wait for each other, but not for long: where an engine lets one of them
/// in at a time, the others can't come.
final class Meeting: Sendable {
    private let size: Int
    private let arrived = Mutex(0)
    private let signal = Signal()

    init(_ size: Int) { self.size = size }

    /// Waits until all have arrived once, or half a second.
    func arrive() async {
        let count = arrived.withLock { arrived in
            arrived += 1
            return arrived
        }
        if count == size { return signal.give() }
        guard count < size else { return }
        let timer = Task {
            try? await Task.sleep(for: .milliseconds(500))
            signal.give()
        }
        await signal.wait()
        timer.cancel()
    }

    /// Runs `body` for each member, all at the same time.
    func run(_ body: @escaping @Sendable (Meeting, Int) async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            for member in 0..<size { group.addTask { try await body(self, member) } }
            try await group.waitForAll()
        }
    }
}
