import Testing

@testable import Holdfast

@Suite struct PoolStateTimeTests {
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
        #expect(action.wake?.time == first + .seconds(14))
    }

    @Test func `a request asks for a tick at its deadline, unless there is one before`() {
        var pool = TestedPool(maximum: 1, checkoutTimeout: .seconds(10))
        #expect(pool.request("a").wake?.time == pool.now + .seconds(10))
        pool.now = pool.now + .seconds(1)
        #expect(pool.request("b").wake == nil)
    }

    @Test func `an early tick asks for another`() {
        var pool = TestedPool(maximum: 1, checkoutTimeout: .seconds(10))
        let deadline = pool.request("a").wake?.time
        #expect(pool.tick(after: .seconds(9)).wake?.time == deadline)
    }

    @Test func `a waiter's deadline takes the place of a later idle timeout`() throws {
        var pool = TestedPool(maximum: 2, checkoutTimeout: .seconds(10), idleTimeout: .seconds(300))
        pool.lease(1)
        _ = pool.tick(after: .seconds(20))
        let idle = try #require(pool.released(0).wake)
        #expect(idle.time == pool.now + .seconds(300))
        _ = pool.request("b")
        let waiting = try #require(pool.request("c").wake)
        #expect(waiting.time == pool.now + .seconds(10))
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
        #expect(action.wake?.time == pool.now + .seconds(30))
        #expect(pool.tick(after: .seconds(30)).closes.map(\.connection) == ["c0"])
        #expect(pool.tick(after: .seconds(900)).wake == nil, "One leased connection needs no timer.")
    }

    @Test func `connections that have lived for long enough are closed when nobody uses them`() throws {
        var pool = TestedPool(maximum: 2, idleTimeout: nil, maximumLifetime: .seconds(640))
        pool.lease(2)
        let start = pool.now
        _ = pool.released(0)
        // Up to an eighth sooner, and not all at once: after 610 and 580 seconds.
        let action = pool.tick(after: .seconds(600))
        #expect(action.closes.isEmpty)
        #expect(action.wake?.time == start + .seconds(610))
        // One that is in use is closed when it is given back, and replaced if somebody waits.
        let waiting = pool.request("b")
        #expect(waiting.grant?.connection == "c0")
        _ = pool.request("c")
        let old = pool.released(1)
        #expect(old.closes.map(\.connection) == ["c1"])
        #expect(pool.state.closed(1).opens == [1])
        #expect(pool.opened(1, "c2").grant?.request == "c")
        _ = pool.released(0)
        #expect(pool.tick(after: .seconds(10)).closes.map(\.connection) == ["c0"])
    }

    @Test func `use makes an idle connection young again`() {
        var pool = TestedPool(maximum: 1, idleTimeout: .seconds(60))
        pool.lease(1)
        _ = pool.released(0)
        pool.now = pool.now + .seconds(59)
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

extension PoolStateTimeTests {
    @Test func `an empty pool drains immediately, and only once`() {
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

    @Test func `what is being opened for nobody is given up when the pool closes`() throws {
        var pool = TestedPool(maximum: 2)
        let first = try pool.waiting("a")
        #expect(!pool.state.cancel(first).cancelsOpens)
        #expect(pool.state.close().cancelsOpens)
        var other = TestedPool(maximum: 2)
        _ = other.request("a")
        let second = try other.waiting("b")
        #expect(!other.state.close().cancelsOpens)
        #expect(!other.opened(0, "c0").cancelsOpens)
        #expect(other.state.cancel(second).cancelsOpens)
        #expect(!other.state.openFailed(1, DatabaseError(.cancelled, "No.")).isDrained)
        _ = other.released(0)
        #expect(other.state.closed(0).isDrained)
    }

    @Test func `a pool whose last waiter fails drains`() {
        var pool = TestedPool(maximum: 1)
        _ = pool.request("a")
        _ = pool.state.close()
        let action = pool.state.openFailed(0, DatabaseError(.cannotConnect, "No."))
        #expect(action.failures.map(\.request) == ["a"])
        #expect(action.isDrained)
    }
}
