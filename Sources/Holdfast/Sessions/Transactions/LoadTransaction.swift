import Synchronization

/// The transaction of one load from a server: it begins in the round trip of the first statements, and ends in that of
/// the last ones, as far as they are known to be the last.
final class LoadTransaction: Sendable {
    /// For how long after its beginning a connection that is lost counts as one that was lost before.
    private static let timeToNotice = Duration.seconds(1)

    private struct State {
        /// The statement that begins the transaction; nil once it was sent.
        var begin: Statement?
        var began: ContinuousClock.Instant?
        var hasReceived = false
        var hasRunOther = false
        var isEndAskedFor = false
        var hasEnded = false
    }

    private let state: Mutex<State>

    init(begin: Statement) { state = Mutex(State(begin: begin)) }

    /// Whether it can be done again on another connection, where its own was lost: nothing of it was taken yet, and it
    /// has not been at work for so long that its own statements may be why.
    var canRunAgainAfterLoss: Bool {
        state.withLock { state in
            guard !state.hasReceived else { return false }
            return state.began.map { ContinuousClock.now - $0 < Self.timeToNotice } ?? true
        }
    }
    /// Whether it can be done again from its beginning, where the engine refused to go on: it has run nothing but
    /// statements of the load, and whoever loads begins anew.
    var canRunAgainAfterRefusal: Bool { state.withLock { !$0.hasRunOther } }

    /// Whether there is nothing to commit: it has ended, or nothing was sent.
    var isOver: Bool { state.withLock { $0.hasEnded || $0.begin != nil } }

    /// Takes what has to be run before the next statement, if that has not been.
    ///
    /// - Parameter alone: Whether it is run by itself: then a connection that is lost meanwhile was lost before.
    /// - Throws: If it has ended, since another statement would see another state of the database.
    func takeBegin(alone: Bool) throws -> Statement? {
        try state.withLock { state in
            if state.hasEnded {
                throw DatabaseError(
                    .engine, "A statement of a load came after its last one. Please report this as a defect.")
            }
            guard let begin = state.begin else { return nil }
            (state.begin, state.began) = (nil, alone ? nil : ContinuousClock.now)
            return begin
        }
    }

    /// Notes that rows were taken.
    func noteReceived() { state.withLock { $0.hasReceived = true } }

    /// Notes that something is run that must not be run again.
    func noteOther() { state.withLock { ($0.hasReceived, $0.hasRunOther) = (true, true) } }

    /// Notes that its end is asked for, to be run after all else.
    ///
    /// - Returns: Whether it was not asked for before.
    func noteEndAskedFor() -> Bool {
        state.withLock { state in
            defer { state.isEndAskedFor = true }
            return !state.isEndAskedFor
        }
    }

    /// Notes that it has ended.
    func noteEnded() { state.withLock { $0.hasEnded = true } }
}
