import Testing

@testable import Holdfast

/// A state of named connections and requests, with a clock that stands still until told.
struct TestedPool {
    var state: PoolState<String, String>
    var now = Duration.seconds(1_000)
    typealias Action = PoolAction<String, String>

    init(
        maximum: Int, checkoutTimeout: Duration = .seconds(30), idleTimeout: Duration? = .seconds(300),
        maximumLifetime: Duration? = nil
    ) {
        state = PoolState(
            maximum: maximum, checkoutTimeout: checkoutTimeout, idleTimeout: idleTimeout,
            maximumLifetime: maximumLifetime)
    }

    mutating func request(_ name: String) -> Action {
        state.request(name, for: "find", now: now).action
    }

    mutating func waiting(_ name: String) throws -> Int {
        try #require(state.request(name, for: "find", now: now).ticket)
    }

    mutating func opened(_ slot: Int, _ name: String) -> Action { state.opened(slot, name, now: now) }

    mutating func released(_ slot: Int, isHealthy: Bool = true) -> Action {
        state.released(slot, isHealthy: isHealthy, now: now)
    }

    mutating func tick(after duration: Duration) -> Action {
        now = now + duration
        return state.tick(now: now)
    }

    /// Leases `count` new connections: slots 0 and up.
    mutating func lease(_ count: Int) {
        for slot in 0..<count {
            _ = request("holder \(slot)")
            _ = opened(slot, "c\(slot)")
        }
    }
}

extension PoolAction {
    /// Whether there is nothing to do, but perhaps to set the timer.
    var isIdle: Bool { grant == nil && opens.isEmpty && closes.isEmpty && failures.isEmpty && !isDrained }
}

@Suite struct PoolStateTests {
    let lost = DatabaseError(.cannotConnect, "No.")

    @Test func `the first request opens a connection and gets it`() {
        var pool = TestedPool(maximum: 2)
        #expect(pool.request("a").opens == [0])
        let action = pool.opened(0, "c0")
        #expect(action.grant?.request == "a")
        #expect(action.grant?.connection == "c0")
        #expect(pool.state.slots.leasedCount == 1)
    }

    @Test func `connections grow with demand up to the maximum`() {
        var pool = TestedPool(maximum: 2)
        #expect(pool.request("a").opens == [0])
        #expect(pool.request("b").opens == [1])
        #expect(pool.request("c").opens == [])
        #expect(pool.state.slots.openingCount == 2)
    }

    @Test func `a maximum below one counts as one`() {
        var pool = TestedPool(maximum: 0)
        #expect(pool.request("a").opens == [0])
        #expect(pool.request("b").opens == [])
    }

    @Test func `a released connection goes to who waits for longest`() {
        var pool = TestedPool(maximum: 1)
        pool.lease(1)
        for name in ["b", "c", "d"] { _ = pool.request(name) }
        #expect(pool.released(0).grant?.request == "b")
        #expect(pool.released(0).grant?.request == "c")
        #expect(pool.released(0).grant?.request == "d")
        #expect(pool.released(0).isIdle)
        #expect(pool.state.slots.idleCount == 1)
    }

    @Test func `the connection that was used last is used next`() {
        var pool = TestedPool(maximum: 3)
        pool.lease(3)
        for slot in [0, 2, 1] { _ = pool.released(slot) }
        #expect(pool.request("a").grant?.connection == "c1")
        #expect(pool.request("b").grant?.connection == "c2")
        #expect(pool.state.leaseIdle(for: "find", now: pool.now)?.connection == "c0")
        #expect(pool.state.leaseIdle(for: "find", now: pool.now) == nil)
    }

    @Test func `a request served by a release leaves its new connection idle`() {
        var pool = TestedPool(maximum: 2)
        pool.lease(1)
        #expect(pool.request("b").opens == [1])
        #expect(pool.released(0).grant?.request == "b")
        #expect(pool.opened(1, "c1").isIdle)
        #expect(pool.state.slots.idleCount == 1)
    }

    @Test func `a cancelled request fails once, and is skipped`() throws {
        var pool = TestedPool(maximum: 1)
        pool.lease(1)
        let ticket = try pool.waiting("b")
        _ = pool.request("c")
        let action = pool.state.cancel(ticket)
        #expect(action.failures.map(\.request) == ["b"])
        #expect(action.failures.first?.refusal.error.code == .cancelled)
        #expect(pool.state.cancel(ticket).isIdle)
        #expect(pool.released(0).grant?.request == "c")
    }

    @Test func `cancelling what was served does nothing`() throws {
        var pool = TestedPool(maximum: 1)
        let ticket = try pool.waiting("a")
        _ = pool.opened(0, "c0")
        #expect(pool.state.cancel(ticket).isIdle)
        #expect(pool.state.slots.leasedCount == 1)
    }

    @Test func `a broken connection is closed, and not replaced before anyone waits`() {
        var pool = TestedPool(maximum: 1)
        pool.lease(1)
        let action = pool.released(0, isHealthy: false)
        #expect(action.closes.map(\.connection) == ["c0"])
        #expect(action.opens == [])
        #expect(pool.request("b").opens == [], "The old connection still counts.")
        #expect(pool.state.closed(0).opens == [0])
        #expect(pool.opened(0, "new").grant?.request == "b")
    }

    @Test func `a broken connection is replaced immediately where there is room`() {
        var pool = TestedPool(maximum: 2)
        pool.lease(2)
        _ = pool.released(1, isHealthy: false)
        _ = pool.request("b")
        #expect(pool.state.closed(1).opens == [1])
    }

    @Test func `a connection is parked only when nobody waits, the timer is set, and the pool stays open`() {
        var pool = TestedPool(maximum: 2, checkoutTimeout: .seconds(600), idleTimeout: .seconds(300))
        pool.lease(2)
        #expect(pool.state.parked(0, now: pool.now) == false, "The timer is set for a checkout timeout, later.")
        #expect(pool.released(0).wake != nil)
        #expect(pool.state.parked(1, now: pool.now) == true)
        #expect(pool.state.parked(1, now: pool.now) == false, "It is idle already.")
        #expect(pool.request("a").grant?.connection == "c1")
        #expect(pool.request("b").grant?.connection == "c0")
        _ = pool.request("c")
        #expect(pool.state.parked(0, now: pool.now) == false)
        #expect(pool.released(0).grant?.request == "c")
        _ = pool.state.close()
        #expect(pool.state.parked(0, now: pool.now) == false)
        #expect(pool.state.slots.leasedCount == 2)
    }

    @Test func `what is released twice, or never was leased, is refused`() {
        var pool = TestedPool(maximum: 2)
        pool.lease(1)
        _ = pool.released(0)
        #expect(pool.released(0).isIdle)
        #expect(pool.released(0, isHealthy: false).isIdle)
        #expect(pool.released(7).isIdle)
        #expect(pool.opened(0, "again").isIdle)
        #expect(pool.state.closed(0).isIdle)
        #expect(pool.state.slots.idleCount == 1)
    }
}

// MARK: - Failures to connect

extension PoolStateTests {
    @Test func `all waiters fail when no connection is left that could serve them`() {
        var pool = TestedPool(maximum: 2)
        for name in ["a", "b", "c"] { _ = pool.request(name) }
        #expect(pool.state.openFailed(0, lost).isIdle, "The other one may still succeed.")
        let action = pool.state.openFailed(1, lost)
        #expect(action.failures.map(\.request) == ["a", "b", "c"])
        #expect(action.failures.allSatisfy { $0.refusal.error.code == .cannotConnect })
        #expect(pool.request("d").opens.count == 1, "The next request tries again.")
    }

    @Test func `waiters wait on while a connection is in use`() {
        var pool = TestedPool(maximum: 2)
        pool.lease(1)
        #expect(pool.request("b").opens == [1])
        #expect(pool.state.openFailed(1, lost).isIdle)
        #expect(pool.released(0).grant?.request == "b")
    }

    @Test func `the next request tries again for those who wait`() {
        var pool = TestedPool(maximum: 3)
        pool.lease(1)
        #expect(pool.request("b").opens == [1])
        _ = pool.state.openFailed(1, lost)
        #expect(pool.request("c").opens.count == 2)
    }

    @Test func `waiters fail when the last connection breaks and can't be replaced`() {
        var pool = TestedPool(maximum: 1)
        pool.lease(1)
        _ = pool.request("b")
        _ = pool.released(0, isHealthy: false)
        #expect(pool.state.closed(0).opens == [0])
        #expect(pool.state.openFailed(0, lost).failures.map(\.request) == ["b"])
    }
}
