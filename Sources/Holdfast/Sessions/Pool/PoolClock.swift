/// The time of pools: how long ago the first of them looked at it, by a clock that never goes back.
///
/// A `Duration` has a layout that the compiler knows. A `ContinuousClock.Instant` has not: to keep one per lease in
/// the pool's state, and a `CheckedContinuation` per waiter, made a lease take twice the time.
enum PoolClock {
    private static let start = ContinuousClock.now

    static var now: Duration { start.duration(to: .now) }

    /// Sleeps until `time`; throws `CancellationError` alone.
    static func sleep(until time: Duration) async throws {
        try await Task.sleep(until: start.advanced(by: time), clock: .continuous)
    }
}
