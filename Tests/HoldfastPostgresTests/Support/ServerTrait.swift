import Synchronization
import Testing

/// Lets a bounded number of tests at the server at the same time: it has a bounded number of connections.
struct ServerTrait: SuiteTrait, TestTrait, TestScoping {
    private static let gate = Gate(width: 8)

    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil, TestServer.isAvailable else { return try await function() }
        await Self.gate.enter()
        defer { Self.gate.leave() }
        try await function()
    }

    private final class Gate: Sendable {
        private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

        init(width: Int) { state = Mutex((width, [])) }

        func enter() async {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.free == 0 {
                        state.waiting.append(continuation)
                        return false
                    }
                    state.free -= 1
                    return true
                }
                if isFree { continuation.resume() }
            }
        }

        func leave() {
            let next = state.withLock { state in
                if state.waiting.isEmpty {
                    state.free += 1
                    return nil as CheckedContinuation<Void, Never>?
                }
                return state.waiting.removeFirst()
            }
            next?.resume()
        }
    }
}

extension Trait where Self == ServerTrait {
    /// The test uses the server.
    static var server: ServerTrait { ServerTrait() }
}
