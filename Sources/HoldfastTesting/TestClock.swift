public import Foundation
import Holdfast
import Synchronization

/// A clock that a test sets, in place of that of the database.
///
/// ```swift
/// let clock = TestClock()
/// let db = try await Database.open(.sqlite(.inMemory).with { $0.expiry.clock = { clock.now } })
/// clock.advance(by: .seconds(3_600))    // what expires within the hour is gone
/// ```
///
/// By ``DatabaseTrait/database(_:models:clock:configure:prepare:fileID:line:column:)``, a test's database has one:
/// ``TestDatabase/clock``.
public final class TestClock: Sendable {
    private let time: Mutex<Date>

    /// Creates a clock that stands at `time`, rounded to the microsecond.
    public init(_ time: Date = Date()) { self.time = Mutex(Self.rounded(time)) }

    /// The time at which the clock stands.
    public var now: Date { time.withLock { $0 } }

    /// Sets the clock, also back.
    public func set(to time: Date) { self.time.withLock { $0 = Self.rounded(time) } }

    /// Puts the clock forward; back, if `duration` is negative.
    public func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.bounded.components
        time.withLock { $0 = Self.rounded($0 + (Double(seconds) + Double(attoseconds) / 1e18)) }
    }

    /// The instant as columns hold it: a date that a test computes from ``now`` and saves is reached exactly.
    private static func rounded(_ time: Date) -> Date {
        let seconds = time.timeIntervalSinceReferenceDate.rounded(.down)
        let microseconds = ((time.timeIntervalSinceReferenceDate - seconds) * 1_000_000).rounded()
        return Date(timeIntervalSinceReferenceDate: seconds + microseconds / 1_000_000)
    }
}
