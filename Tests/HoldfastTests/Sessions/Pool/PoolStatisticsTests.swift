import Testing

@testable import Holdfast

@Suite struct PoolStatisticsTests {
    @Test func `a timeout tells how long it took and who holds the connections`() {
        var pool = TestedPool(maximum: 4, checkoutTimeout: .seconds(30))
        let purposes: [LeasePurpose] = [
            "stream", LeasePurpose("transaction", at: CallSite("App/Import.swift", 42)), "save", "find",
        ]
        for (slot, purpose) in purposes.enumerated() {
            _ = pool.state.request("holder", for: purpose, now: pool.now)
            _ = pool.opened(slot, "c\(slot)")
            pool.now = pool.now + .milliseconds(250)
        }
        _ = pool.request("late")
        let error = pool.tick(after: .seconds(30)).failures.first?.refusal.error
        #expect(
            error?.description == """
                poolTimeout: No connection became free within 30 s: 4 of at most 4 connections are in use (stream \
                for 31 s, transaction at App/Import.swift:42 for 30.8 s, save for 30.5 s, and 1 more). End \
                transactions and streams sooner, or allow more connections.
                """)
    }

    @Test func `a timeout tells what is opened and closed, and why it is not open yet`() {
        var pool = TestedPool(maximum: 3, checkoutTimeout: .milliseconds(100))
        pool.lease(2)
        _ = pool.request("b")
        _ = pool.state.openFailed(2, DatabaseError(.authenticationFailed, "No."))
        _ = pool.released(0, isHealthy: false)
        let report = pool.state.statistics(now: pool.now)
        #expect(
            report.description == """
                1 of at most 3 connections are in use (find for 0 ms), 1 operation waiting, 1 being opened, 1 being \
                closed, and the latest attempt to open one failed (authenticationFailed: No.)
                """)
    }

    @Test func `a connection that opens clears the failure before it`() {
        var pool = TestedPool(maximum: 2)
        _ = pool.request("a")
        _ = pool.state.openFailed(0, DatabaseError(.cannotConnect, "No."))
        pool.lease(1)
        #expect(pool.state.statistics(now: pool.now).openFailure == nil)
    }

    @Test(arguments: [
        (Duration.milliseconds(3), "3 ms"), (.microseconds(999_600), "1000 ms"), (.seconds(1), "1 s"),
        (.milliseconds(1_250), "1.3 s"), (.milliseconds(59_960), "60 s"), (.zero, "0 ms"),
    ])
    func `durations are in seconds, short ones in milliseconds`(duration: Duration, text: String) {
        #expect(PoolStatistics.seconds(duration) == text)
    }
}
