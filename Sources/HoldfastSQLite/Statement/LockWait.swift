import Holdfast

/// The wait of one run for a lock that another connection holds: short sleeps that grow, up to a limit.
///
/// The library's own busy timeout is off, as it would also wait where that is not allowed.
struct LockWait {
    /// Whether this thread may sleep.
    let isAllowed: Bool
    private let limit: Duration?
    private var deadline: MonotonicTime?
    private var sleeps = 0

    /// No waiting: this thread may not.
    static let none = LockWait(isAllowed: false, limit: .zero)

    /// Waits up to `limit` for each lock; nil for no limit.
    static func upTo(_ limit: Duration?) -> LockWait { LockWait(isAllowed: true, limit: limit) }

    /// Waits until `deadline`, for all locks together.
    static func until(_ deadline: MonotonicTime) -> LockWait {
        var wait = LockWait(isAllowed: true, limit: nil)
        wait.deadline = deadline
        return wait
    }

    private init(isAllowed: Bool, limit: Duration?) {
        self.isAllowed = isAllowed
        self.limit = limit
    }

    /// Sleeps before the next attempt; false when the time is up.
    mutating func pause() -> Bool {
        guard isAllowed else { return false }
        let now = MonotonicTime.now
        if let limit, deadline == nil { deadline = now.advanced(by: limit) }
        if let deadline, now >= deadline { return false }
        let steps = [1, 2, 3, 5, 8, 12, 20, 25]
        MonotonicTime.sleep(milliseconds: Int.random(in: 1...steps[min(sleeps, steps.count - 1)]))
        sleeps += 1
        return true
    }

    /// The lock was had: the next one may take as long again.
    mutating func succeed() {
        if sleeps > 0 { self = LockWait(isAllowed: isAllowed, limit: limit) }
    }
}

/// Thrown where a run met a lock on a thread that may not wait, before anything was done: to be done again on another.
struct MustWait: Error {}
