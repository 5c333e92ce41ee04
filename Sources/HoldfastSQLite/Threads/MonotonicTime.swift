#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A moment on the clock that is never set back.
struct MonotonicTime: Comparable, Sendable {
    /// Nanoseconds since some moment before the program started.
    let nanoseconds: Int64

    /// Later than every other.
    static let distantFuture = MonotonicTime(nanoseconds: .max)

    static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The moment `duration` later; the distant future where that can't be told.
    func advanced(by duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        let (product, overflowsProduct) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (interval, overflowsInterval) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        let (sum, overflowsSum) = nanoseconds.addingReportingOverflow(interval)
        guard !overflowsProduct, !overflowsInterval, !overflowsSum else {
            return duration < .zero ? self : .distantFuture
        }
        return MonotonicTime(nanoseconds: sum)
    }

    /// Blocks this thread, which must be one of our own.
    static func sleep(milliseconds: Int) {
        var time = timespec(tv_sec: time_t(milliseconds / 1000), tv_nsec: milliseconds % 1000 * 1_000_000)
        var left = timespec()
        while nanosleep(&time, &left) == -1, errno == EINTR { time = left }
    }
}
