#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Holdfast

/// A value behind a lock, with a condition that threads of our own wait for.
///
/// Tasks may lock it briefly, but never wait.
// Sendable: the value is only reached with the mutex held, and both pointers are constant.
final class Monitor<State>: @unchecked Sendable {
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ state: sending State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
        pthread_cond_init(condition, nil)
        #else
        let attributes = UnsafeMutablePointer<pthread_condattr_t>.allocate(capacity: 1)
        pthread_condattr_init(attributes)
        pthread_condattr_setclock(attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, attributes)
        pthread_condattr_destroy(attributes)
        attributes.deallocate()
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout State) -> sending Result) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Wakes one of the threads that wait.
    func signal() { pthread_cond_signal(condition) }

    /// Wakes all threads that wait.
    func broadcast() { pthread_cond_broadcast(condition) }

    /// Blocks this thread until `body` returns something, or until `deadline`.
    ///
    /// It is tried immediately, and after each signal.
    func wait<Result>(until deadline: MonotonicTime?, _ body: (inout State) -> Result?) -> Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            guard let deadline else { pthread_cond_wait(condition, mutex); continue }
            let left = deadline.nanoseconds - MonotonicTime.now.nanoseconds
            guard left > 0 else { return nil }
            #if canImport(Darwin)
            var interval = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
            pthread_cond_timedwait_relative_np(condition, mutex, &interval)
            #else
            let nanoseconds = deadline.nanoseconds
            var time = timespec(
                tv_sec: time_t(nanoseconds / 1_000_000_000),
                tv_nsec: Int(nanoseconds % 1_000_000_000)
            )
            pthread_cond_timedwait(condition, mutex, &time)
            #endif
        }
    }
}
