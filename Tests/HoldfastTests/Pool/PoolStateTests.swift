import Testing

@testable import Holdfast

/// A state of named connections and requests, with a clock that stands still until told.
struct TestedPool {
    var state: PoolState<String, String>
    var now = ContinuousClock.now
    typealias Action = PoolAction<String, String>

    init(maximum: Int, checkoutTimeout: Duration = .seconds(30), idleTimeout: Duration? = .seconds(300)) {
        state = PoolState(maximum: maximum, checkoutTimeout: checkoutTimeout, idleTimeout: idleTimeout)
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
        now = now.advanced(by: duration)
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
        #expect(pool.state.takeIdle(for: "find", now: pool.now)?.connection == "c0")
        #expect(pool.state.takeIdle(for: "find", now: pool.now) == nil)
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

    @Test func `a broken connection is replaced at once where there is room`() {
        var pool = TestedPool(maximum: 2)
        pool.lease(2)
        _ = pool.released(1, isHealthy: false)
        _ = pool.request("b")
        #expect(pool.state.closed(1).opens == [1])
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

// MARK: - Time

extension PoolStateTests {
    @Test func `a request fails after the checkout timeout, and those behind it wait on`() throws {
        var pool = TestedPool(maximum: 1, checkoutTimeout: .seconds(10))
        pool.lease(1)
        let first = pool.now
        _ = pool.request("b")
        #expect(pool.tick(after: .seconds(4)).failures.isEmpty)
        _ = pool.request("c")
        let action = pool.tick(after: .seconds(6))
        #expect(action.failures.map(\.request) == ["b"])
        #expect(action.failures.first?.refusal.error.code == .poolTimeout)
        #expect(action.wake?.instant == first.advanced(by: .seconds(14)))
    }

    @Test func `a request asks for a tick at its deadline, unless there is one before`() {
        var pool = TestedPool(maximum: 1, checkoutTimeout: .seconds(10))
        #expect(pool.request("a").wake?.instant == pool.now.advanced(by: .seconds(10)))
        pool.now = pool.now.advanced(by: .seconds(1))
        #expect(pool.request("b").wake == nil)
    }

    @Test func `an early tick asks for another`() {
        var pool = TestedPool(maximum: 1, checkoutTimeout: .seconds(10))
        let deadline = pool.request("a").wake?.instant
        #expect(pool.tick(after: .seconds(9)).wake?.instant == deadline)
    }

    @Test func `a waiter's deadline takes the place of a later idle timeout`() throws {
        var pool = TestedPool(maximum: 2, checkoutTimeout: .seconds(10), idleTimeout: .seconds(300))
        pool.lease(1)
        _ = pool.tick(after: .seconds(20))
        let idle = try #require(pool.released(0).wake)
        #expect(idle.instant == pool.now.advanced(by: .seconds(300)))
        _ = pool.request("b")
        let waiting = try #require(pool.request("c").wake)
        #expect(waiting.instant == pool.now.advanced(by: .seconds(10)))
        #expect(waiting.number > idle.number)
    }

    @Test func `connections that were idle for too long are closed, the others kept`() {
        var pool = TestedPool(maximum: 3, idleTimeout: .seconds(60))
        pool.lease(3)
        _ = pool.released(2)
        _ = pool.tick(after: .seconds(30))
        _ = pool.released(0)
        let action = pool.tick(after: .seconds(30))
        #expect(action.closes.map(\.connection) == ["c2"])
        #expect(action.wake?.instant == pool.now.advanced(by: .seconds(30)))
        #expect(pool.tick(after: .seconds(30)).closes.map(\.connection) == ["c0"])
        #expect(pool.tick(after: .seconds(900)).wake == nil, "One leased connection needs no timer.")
    }

    @Test func `use makes an idle connection young again`() {
        var pool = TestedPool(maximum: 1, idleTimeout: .seconds(60))
        pool.lease(1)
        _ = pool.released(0)
        pool.now = pool.now.advanced(by: .seconds(59))
        _ = pool.request("b")
        _ = pool.released(0)
        #expect(pool.tick(after: .seconds(59)).closes.isEmpty)
        #expect(pool.tick(after: .seconds(1)).closes.count == 1)
    }

    @Test func `without an idle timeout connections stay`() {
        var pool = TestedPool(maximum: 1, idleTimeout: nil)
        pool.lease(1)
        _ = pool.tick(after: .seconds(60))
        #expect(pool.released(0).wake == nil)
        #expect(pool.tick(after: .seconds(1_000_000)).isIdle)
    }
}

// MARK: - Closing

extension PoolStateTests {
    @Test func `an empty pool drains at once, and only once`() {
        var pool = TestedPool(maximum: 1)
        #expect(pool.state.close().isDrained)
        #expect(pool.state.isDrained)
        #expect(pool.state.close().isIdle)
    }

    @Test func `a closing pool refuses requests`() {
        var pool = TestedPool(maximum: 2)
        pool.lease(1)
        _ = pool.state.close()
        let action = pool.request("late")
        #expect(action.failures.first?.refusal.error.code == .closed)
        #expect(action.opens.isEmpty)
    }

    @Test func `idle connections are closed first, and leased ones when they come back`() {
        var pool = TestedPool(maximum: 2)
        pool.lease(2)
        _ = pool.released(1)
        #expect(pool.state.close().closes.map(\.connection) == ["c1"])
        #expect(!pool.state.closed(1).isDrained)
        #expect(pool.released(0).closes.map(\.connection) == ["c0"])
        #expect(pool.state.closed(0).isDrained)
    }

    @Test func `who waits when the pool closes is still served`() {
        var pool = TestedPool(maximum: 1)
        pool.lease(1)
        _ = pool.request("b")
        #expect(pool.state.close().failures.isEmpty)
        #expect(pool.released(0, isHealthy: false).closes.count == 1)
        #expect(pool.state.closed(0).opens == [0])
        #expect(pool.opened(0, "new").grant?.request == "b")
        #expect(pool.released(0).closes.count == 1)
        #expect(pool.state.closed(0).isDrained)
    }

    @Test func `a connection that nobody needs any more is closed once it is open`() throws {
        var pool = TestedPool(maximum: 1)
        let ticket = try pool.waiting("a")
        _ = pool.state.close()
        #expect(!pool.state.cancel(ticket).isDrained)
        #expect(pool.opened(0, "c0").closes.map(\.connection) == ["c0"])
        #expect(pool.state.closed(0).isDrained)
    }

    @Test func `a pool whose last waiter fails drains`() {
        var pool = TestedPool(maximum: 1)
        _ = pool.request("a")
        _ = pool.state.close()
        let action = pool.state.openFailed(0, lost)
        #expect(action.failures.map(\.request) == ["a"])
        #expect(action.isDrained)
    }
}
