import FaultyProxy
import Foundation
@_spi(Driver) import Holdfast
import Synchronization
import Testing

@testable import HoldfastPostgres

/// Servers that take connections and then say nothing: nobody waits for them longer than he wants to.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server, .timeLimit(.minutes(3)), .serialized)
struct HangingConnectTests {
    /// The time in which everything here has to end, beside the ten minutes that connecting may take.
    private static let moment = Duration.seconds(10)

    /// Ends what hangs.
    private final class Release: Sendable {
        let isGiven = Atomic<Bool>(false)
    }

    /// The configuration of a database behind a proxy whose connections hang from a number on.
    private func hanging(
        from first: Int, until release: Release = Release()
    ) throws -> (FaultyProxy, DatabaseConfiguration) {
        let count = Mutex(0)
        let (proxy, url) = try TestServer.proxy {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return { number >= first && !release.isGiven.load(ordering: .relaxed) ? .stalls : .none }
        }
        let configuration = DatabaseConfiguration.postgres(url: url).with {
            $0.timeouts.connect = .seconds(600)
            $0.pool.checkoutTimeout = .seconds(600)
            $0.timeouts.start = .seconds(600)
        }
        return (proxy, configuration)
    }

    /// The descriptors and the threads of this process; nil where the system does not tell.
    private func resources() -> (descriptors: Int, threads: Int)? {
        guard let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"),
            let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        else { return nil }
        return (descriptors.count, threads.count)
    }

    @Test func `opening can be cancelled, and leaves nothing behind`() async throws {
        let release = Release()
        let (proxy, configuration) = try hanging(from: 1, until: release)
        defer { proxy.stop() }
        func openInVain() async throws {
            let opening = Task { _ = try await Database.open(configuration) }
            try await Task.sleep(for: .milliseconds(50))
            opening.cancel()
            let error = await #expect(throws: DatabaseError.self) { try await opening.value }
            #expect(error?.code == .cancelled)
        }
        let start = ContinuousClock.now
        try await openInVain()
        let before = resources()
        for _ in 0..<20 { try await openInVain() }
        #expect(ContinuousClock.now - start < Self.moment)
        // The proxy has threads and descriptors of its own for what hangs.
        release.isGiven.store(true, ordering: .relaxed)
        // The threads have a moment to notice. Tests of other suites come and go meanwhile.
        if let before {
            try await eventually("descriptors and threads are left behind") {
                guard let now = resources() else { return true }
                return now.descriptors < before.descriptors + 15 && now.threads < before.threads + 15
            }
        }
    }

    @Test func `a later checkout can be cancelled while its connection hangs, and the database closed`() async throws {
        let (proxy, configuration) = try hanging(from: 2)
        defer { proxy.stop() }
        let db = try await Database.open(configuration)
        let start = ContinuousClock.now
        try await db.transaction { _ in
            let waiting = Task.detached { _ = try await db.sql("SELECT 1").fetch() }
            try await Task.sleep(for: .milliseconds(200))
            waiting.cancel()
            let error = await #expect(throws: DatabaseError.self) { try await waiting.value }
            #expect(error?.code == .cancelled)
            #expect(db.poolStatistics.opening == 1)
        }
        try await db.close()
        #expect(ContinuousClock.now - start < Self.moment)
    }

    @Test func `closing with a deadline ends who waits for a connection that hangs`() async throws {
        let (proxy, configuration) = try hanging(from: 2)
        defer { proxy.stop() }
        let db = try await Database.open(configuration)
        let start = ContinuousClock.now
        let goOn = AsyncStream<Void>.makeStream()
        let holder = Task {
            try await db.transaction { _ in for await _ in goOn.stream {} }
        }
        try await Task.sleep(for: .milliseconds(100))
        let waiting = Task.detached { _ = try await db.sql("SELECT 1").fetch() }
        try await Task.sleep(for: .milliseconds(200))
        try await db.close(within: .milliseconds(300))
        #expect(ContinuousClock.now - start < Self.moment)
        let error = await #expect(throws: DatabaseError.self) { try await waiting.value }
        #expect(error?.code == .closed)
        goOn.continuation.finish()
        _ = await holder.result
        #expect(db.poolStatistics.opening == 0)
    }

    @Test func `a listener that connects in vain keeps no database from being closed`() async throws {
        let (proxy, configuration) = try hanging(from: 2)
        defer { proxy.stop() }
        let db = try await Database.open(configuration)
        let start = ContinuousClock.now
        let listening = Task { _ = try await db.notifications(on: "channel") }
        try await Task.sleep(for: .milliseconds(200))
        try await db.close()
        await #expect(throws: DatabaseError.self) { try await listening.value }
        #expect(ContinuousClock.now - start < Self.moment)
    }

    @Test func `a closure that never gives a password is waited for no longer than the timeout`() async throws {
        let url = try #require(TestServer.url)
        let never = AsyncStream<Void>.makeStream()
        defer { never.continuation.finish() }
        let start = ContinuousClock.now
        let configuration = DatabaseConfiguration.postgres(url: url) {
            // In a task of its own, it does not hear of a cancellation.
            await Task.detached { for await _ in never.stream {} }.value
            return ""
        }
        let late = await #expect(throws: DatabaseError.self) {
            _ = try await Database.open(configuration.with { $0.timeouts.connect = .milliseconds(200) })
        }
        #expect(late?.code == .cannotConnect)
        let opening = Task { _ = try await Database.open(configuration.with { $0.timeouts.connect = .seconds(600) }) }
        try await Task.sleep(for: .milliseconds(100))
        opening.cancel()
        let error = await #expect(throws: DatabaseError.self) { try await opening.value }
        #expect(error?.code == .cancelled)
        #expect(ContinuousClock.now - start < Self.moment)
    }

    private func eventually(_ what: Comment, _ condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + Self.moment
        while !condition() {
            guard ContinuousClock.now < deadline else {
                Issue.record(what)
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
