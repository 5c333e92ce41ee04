/// How long brief statements of one kind take on a connection: whether it is worth a thread's while to wait for the
/// answer, and how.
///
/// On a network with a round trip of more than some microseconds it is not, so nothing waits there but a probe now and
/// then. Whether to sleep meanwhile depends on the machine: where the server has a core of its own, being woken takes
/// longer than many an answer; where it has to share ours, it can't answer as long as we look for that. So what took
/// less is done, and the other tried now and then.
struct BriefWaits {
    /// The kind of statements that are sent: writes wait for the disk, reads don't.
    enum Kind {
        case read, write
    }

    /// A wait, in nanoseconds.
    struct Wait {
        /// The time for which the answer is polled for before the thread sleeps; 0 for not at all.
        var polling: Int
        /// How long it lasts at most.
        var limit: Int
    }

    /// The longest time that a thread waits, in nanoseconds, where answers come soon.
    ///
    /// More than the 4 ms between two ticks of a usual kernel's clock: a timer that is due before the next tick has to
    /// be set in the hardware, and taken back, for every wait, which in a virtual machine took as long as the
    /// statement.
    static let limit = 5_000_000
    /// The longest time that a thread waits, in nanoseconds, where answers don't come soon, or where that isn't known
    /// yet.
    static let probeLimit = 500_000
    /// The longest time for which it polls, in nanoseconds.
    static let pollingLimit = 150_000
    /// The longest average for which a thread waits, in nanoseconds.
    private static let worthwhile: Int64 = 250_000

    private var waiting = Average(upTo: 4 * worthwhile)
    private var polling = Average(upTo: worthwhile)
    private var sleeping = Average(upTo: worthwhile)
    private var wasLate = true
    private var skipped = 0
    /// Whether polling was the better way the last time, the number of answers since the other was tried, and that
    /// after which it is tried again.
    private var polled = true
    private var untried = 0
    private var patience = 100

    /// How to wait for the next answer; nil for not at all.
    mutating func next() -> Wait? {
        if waiting.nanoseconds >= Self.worthwhile {
            skipped += 1
            guard skipped >= 100 else { return nil }
            skipped = 0
        }
        // It costs a core, so it has to gain something.
        var polls = polling.nanoseconds <= sleeping.nanoseconds * 7 / 8
        if polls != polled { (polled, untried, patience) = (polls, 0, 100) }
        untried += 1
        if untried >= patience {
            // The longer one way has been the better, the rarer is the other tried.
            (untried, patience) = (0, min(2 * patience, 800))
            polls.toggle()
        }
        return Wait(polling: polls ? Self.pollingLimit : 0, limit: wasLate ? Self.probeLimit : Self.limit)
    }

    /// Takes note of how long it took, in nanoseconds.
    mutating func note(_ wait: Wait, took nanoseconds: Int64) {
        wasLate = nanoseconds >= Self.probeLimit
        waiting.note(wasLate ? 4 * Self.worthwhile : nanoseconds)
        if wait.polling > 0 { polling.note(nanoseconds) } else { sleeping.note(nanoseconds) }
    }

    /// The average duration of something, recent times counting most.
    private struct Average {
        /// The longest time that counts: longer ones count as this, since the next ones may be as before.
        let limit: Int64
        private(set) var nanoseconds: Int64 = 0

        init(upTo limit: Int64) { self.limit = limit }

        mutating func note(_ time: Int64) { nanoseconds += (min(time, limit) - nanoseconds) / 8 }
    }
}
