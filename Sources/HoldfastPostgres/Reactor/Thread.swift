internal import CPostgres

/// Starts threads for the calls that block: those of libpq that resolve names, connect, or cancel.
enum Thread {
    /// Runs `body` on a thread of its own, and returns whether there was one to be had.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let context = Unmanaged.passRetained(Body(body))
        let status = holdfast_spawn(
            { context in
                guard let context else { return }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            }, context.toOpaque())
        if status != 0 { context.release() }
        return status == 0
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

/// A clock that never goes back, in nanoseconds.
enum Clock {
    /// A time that never comes.
    static let never = Int64.max

    static var now: Int64 { holdfast_now() }

    /// The time `duration` from now; ``never`` for nil.
    static func after(_ duration: Duration?) -> Int64 {
        guard let duration else { return never }
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? now : never }
        let (end, beyond) = now.addingReportingOverflow(whole &+ attoseconds / 1_000_000_000)
        return beyond ? never : end
    }
}
