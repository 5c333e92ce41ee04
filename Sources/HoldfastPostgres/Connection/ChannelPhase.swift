/// Where a connection stands with its run: the use that a task makes of it from one `begin` to the next `end`.
///
/// It only says who has something to do. Whether the session still lives, whether the run is being cancelled and what
/// has arrived is kept apart, since each can be so in every phase.
///
/// ```
///        begin            send               pause
///  idle ──────▶ working ───────▶ underWay ───────────▶ paused
///   ▲              ▲  └──────────◀──┘ │ ▲   resume ◀─────┘
///   │ end          │     settle       │ │
///   └── from all   │             park ▼ │ resume
///                  │               standing
/// ```
enum ChannelPhase: Hashable, Sendable {
    /// No run is under way.
    case idle
    /// The run's task works, and the server has nothing to do for it.
    case working
    /// The server has something to do that a cancellation could end, and the run's task waits for it or is about to.
    case underWay
    /// The server has something to do, while the run's task does something else; what arrives is read meanwhile.
    case paused
    /// The server has something to do that nobody waits for: its answer is taken by a later use of the connection.
    case standing

    /// Whether there is a run.
    var hasRun: Bool { self != .idle }

    /// Whether the run counts among those for which tasks are at work.
    var isAtWork: Bool {
        switch self {
        case .working, .underWay, .paused: true
        case .idle, .standing: false
        }
    }

    /// Whether the server has something to do that a cancellation could end.
    var isServerBusy: Bool {
        switch self {
        case .underWay, .paused, .standing: true
        case .idle, .working: false
        }
    }

    /// Begins a run.
    ///
    /// - Returns: False, and nothing has changed, if there is one.
    mutating func begin() -> Bool {
        guard self == .idle else { return false }
        self = .working
        return true
    }

    /// Something was sent to the server.
    mutating func send() { if self == .working { self = .underWay } }

    /// The server has answered everything, or is not heard any more.
    mutating func settle() { if hasRun, self != .standing { self = .working } }

    /// The task does something else, until ``resume()``.
    mutating func pause() { if isAtWork { self = .paused } }

    /// Lets the run stand, until ``resume()``.
    ///
    /// - Returns: False, and nothing has changed, unless the run's task was at it.
    mutating func park() -> Bool {
        guard self == .working || self == .underWay else { return false }
        self = .standing
        return true
    }

    /// The run's task goes on.
    mutating func resume() { if self == .paused || self == .standing { self = .underWay } }

    /// Ends the run, if there is one.
    mutating func end() { self = .idle }
}
