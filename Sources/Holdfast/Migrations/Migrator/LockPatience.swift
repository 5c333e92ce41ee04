/// The pauses after which a migration tries again that could not get its locks: they grow, and end at a limit.
struct LockPatience {
    private let limit: Duration?
    private let start: ContinuousClock.Instant
    /// How often it was tried.
    private(set) var attempts = 0

    /// The first pause and the longest, in milliseconds.
    private static let (first, longest) = (100, 5_000)
    /// The pause in milliseconds after an attempt that has waited by itself, as a lock timeout can be very short.
    private static let shortest = 20

    init(limit: Duration?, start: ContinuousClock.Instant = .now) { (self.limit, self.start) = (limit, start) }

    /// How long to wait after a failure; nil if the limit has been reached.
    ///
    /// - Parameter hasWaited: Whether the engine has waited already, so that another attempt can follow soon.
    mutating func nextPause(at now: ContinuousClock.Instant = .now, hasWaited: Bool = false) -> Duration? {
        if let limit, now - start >= limit { return nil }
        let pause = hasWaited ? Self.shortest : min(Self.first << min(attempts, 16), Self.longest)
        attempts += 1
        // Those who wait for the same lock do not come back together.
        return .milliseconds(Int.random(in: pause / 2...pause))
    }
}
