/// How long a connection's brief statements take: whether it is worth a thread's while to wait for the answer.
///
/// On a network with a round trip of more than some microseconds it is not, so nothing waits there but a probe now and then.
struct BriefWaits {
    /// The longest time that a thread waits, in nanoseconds.
    static let limit = 500_000

    /// The average time that was waited, in nanoseconds, recent ones counting most.
    private var average: Int64 = 0
    private var skipped = 0

    /// Whether to wait: as long as answers come well within the limit, and else to look every hundredth time.
    mutating func isWorthIt() -> Bool {
        if average < Int64(Self.limit / 2) { return true }
        skipped += 1
        guard skipped >= 100 else { return false }
        skipped = 0
        return true
    }

    mutating func note(_ nanoseconds: Int64) { average += (nanoseconds - average) / 8 }
}
