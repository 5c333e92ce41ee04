extension Duration {
    /// Longer than anything waits: a century.
    package static let forever = Duration.seconds(86_400 * 365 * 100)

    /// The duration, or a century where it is longer than that, back or forth.
    ///
    /// What a caller gives may be the longest there is, and means "for ever". The clocks of the runtime trap where a
    /// time is beyond what they hold, and so does the arithmetic of durations.
    package var bounded: Duration { min(max(self, .zero - .forever), .forever) }
}

extension Optional<Duration> {
    /// The duration, bounded as ``Swift/Duration/bounded`` is.
    var bounded: Duration? { map(\.bounded) }
}
