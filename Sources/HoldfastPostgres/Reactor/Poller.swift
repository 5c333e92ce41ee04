internal import CPostgres
import Holdfast

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The kernel's readiness queue: epoll on Linux, kqueue elsewhere.
///
/// A socket is reported once per ``arm(_:id:writable:)``, so that whoever works with a connection is not disturbed.
final class Poller: Sendable {
    private let handle: holdfast_poller

    /// Opens a queue.
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect`` if the process has no descriptors left.
    init() throws(DatabaseError) {
        handle = holdfast_poller_open()
        if handle.fd < 0 {
            let message = "The system gave no descriptor to wait for sockets with (errno \(errno))."
            throw DatabaseError(.cannotConnect, message + " Raise the limit of open files.")
        }
    }

    deinit { holdfast_poller_close(handle) }

    /// Asks to be told once, under `id`, when `socket` can be read from or, if `writable`, written to.
    ///
    /// - Returns: Whether the kernel accepted it; it refuses only when out of memory or descriptors.
    func arm(_ socket: Int32, id: UInt64, writable: Bool) -> Bool {
        holdfast_poller_arm(handle, socket, id, writable) == 0
    }

    /// Asks not to be told of `socket`, until it is armed again.
    func disarm(_ socket: Int32, id: UInt64) { holdfast_poller_disarm(handle, socket, id) }

    /// Forgets `socket`; to be called before it is closed.
    func remove(_ socket: Int32) { holdfast_poller_remove(handle, socket) }

    /// Ends the current or next ``wait(into:milliseconds:)``.
    func wake() { holdfast_poller_wake(handle) }

    /// Waits for events, and returns how many were written to `events`; nil if the queue itself failed.
    func wait(into events: UnsafeMutableBufferPointer<holdfast_event>, milliseconds: Int32) -> Int? {
        let count = holdfast_poller_wait(handle, events.baseAddress, Int32(clamping: events.count), milliseconds)
        return count < 0 ? nil : Int(count)
    }
}
