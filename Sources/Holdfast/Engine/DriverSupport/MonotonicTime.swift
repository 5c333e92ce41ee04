#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A moment on the clock that is never set back, for the deadlines of drivers.
package struct MonotonicTime: Comparable, Sendable {
    /// Nanoseconds since some moment before the program started.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Later than every other.
    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    package static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The moment `duration` later; the distant future where that can't be told.
    package func advanced(by duration: Duration) -> MonotonicTime {
        if duration >= .forever { return .distantFuture }
        let (seconds, attoseconds) = duration.bounded.components
        let (sum, overflows) = nanoseconds.addingReportingOverflow(
            seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        guard !overflows else { return duration < .zero ? self : .distantFuture }
        return MonotonicTime(nanoseconds: sum)
    }

    /// The moment `duration` from now; the distant future for nil.
    package static func after(_ duration: Duration?) -> MonotonicTime {
        duration.map { now.advanced(by: $0) } ?? .distantFuture
    }

    /// Blocks this thread, which must be one of our own.
    package static func sleep(milliseconds: Int) {
        var time = timespec(tv_sec: time_t(milliseconds / 1000), tv_nsec: milliseconds % 1000 * 1_000_000)
        var left = timespec()
        while nanosleep(&time, &left) == -1, errno == EINTR { time = left }
    }
}
