import Foundation
import Synchronization
import Testing

/// Measures how long tests take with everything that their databases need; prints it when the process exits.
struct TimeTrait: TestTrait, SuiteTrait, TestScoping {
    private struct Span {
        let start: ContinuousClock.Instant
        var end: ContinuousClock.Instant
        var count = 0
    }

    private static let spans = Mutex<[String: Span]>([:])
    private static let prints: Void = { atexit { TimeTrait.report() } }()

    let name: String
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        _ = Self.prints
        let start = ContinuousClock.now
        Self.spans.withLock { if $0[name] == nil { $0[name] = Span(start: start, end: start) } }
        try await function()
        Self.spans.withLock {
            $0[name]?.end = .now
            $0[name]?.count += 1
        }
    }

    private static func report() {
        for (name, span) in spans.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            let (seconds, attoseconds) = (span.end - span.start).components
            let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
            let each = milliseconds / Double(max(span.count, 1))
            print(String(format: "%@: %d tests in %.1f s, %.1f ms each", name, span.count, milliseconds / 1e3, each))
        }
    }
}

extension Trait where Self == TimeTrait {
    static func timed(_ name: String) -> Self { TimeTrait(name: name) }
}
