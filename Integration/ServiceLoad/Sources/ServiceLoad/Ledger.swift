/// What one client has asked for, and what became of it.
struct Ledger: Sendable {
    /// The codes of projects whose creation was acknowledged.
    var created: [String] = []
    /// The codes of projects whose creation was refused, so that it must not have happened.
    var refusedCreations: [String] = []
    /// The client's own project, and the numbers that it has written there.
    var project: Int?
    var acknowledged = 0
    /// Numbers of which nobody knows, since the last acknowledged one.
    var unknown: [Int] = []
    var edits = 0
    /// Requests that all instances refused, and those whose answer was lost.
    var refused = 0
    var lost = 0
    /// Requests that another instance has answered after one had refused them.
    var movedOn = 0
    /// Answers that no disturbance explains.
    var unexpected: [String] = []
    /// The times of answers, in seconds.
    var reads: [Double] = []
    var writes: [Double] = []

    mutating func add(_ other: Ledger) {
        created += other.created
        refusedCreations += other.refusedCreations
        edits += other.edits
        refused += other.refused
        lost += other.lost
        movedOn += other.movedOn
        unexpected += other.unexpected
        reads += other.reads
        writes += other.writes
    }

    /// A sentence for people.
    func report(in duration: Duration) -> String {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        let rate = Int(Double(reads.count + writes.count) / seconds)
        return "\(reads.count + writes.count) answers in \(Int(seconds)) s, \(rate)/s; "
            + "pages \(Self.times(reads)), changes \(Self.times(writes)); "
            + "\(movedOn) moved on, \(refused) refused, \(lost) lost"
    }

    private static func times(_ seconds: [Double]) -> String {
        let sorted = seconds.sorted()
        func at(_ share: Double) -> String {
            guard !sorted.isEmpty else { return "–" }
            let value = sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
            return "\((value * 10_000).rounded() / 10)"
        }
        return "p50 \(at(0.5)) p99 \(at(0.99)) max \(at(1)) ms"
    }
}
