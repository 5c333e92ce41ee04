internal import CPostgres
import Holdfast
import Synchronization

/// One thread that waits for the sockets of all connections of a driver, and for their deadlines.
///
/// It reads what arrives and resumes who waits for it. It runs no statement, decodes nothing, and never blocks but in
/// the kernel's readiness queue.
final class Reactor: Sendable {
    private struct State {
        var channels: [UInt64: Channel] = [:]
        var lastID: UInt64 = 0
        var isStopping = false
        var hasStopped = false
        var whenStopped: [CheckedContinuation<Void, Never>] = []
    }

    private let poller: Poller
    private let state = Mutex(State())
    /// How many runs of its connections are under way.
    let runsUnderWay = Atomic<Int>(0)
    /// When the thread wakes up next by itself, or earlier: never later than the earliest deadline of a channel.
    private let nextWake = Atomic<Int64>(MonotonicTime.distantFuture.nanoseconds)

    /// Starts the thread.
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect`` if the system has no descriptor or thread left.
    init() throws(DatabaseError) {
        poller = try Poller()
        if !startThread({ [self] in run() }) {
            throw DatabaseError(.cannotConnect, "The system gave no thread to wait for connections on.")
        }
    }

    /// Makes `channel` known, and returns the identity of its events; nil once the reactor was stopped.
    func register(_ channel: Channel) -> UInt64? {
        state.withLock { state in
            if state.isStopping { return nil }
            state.lastID += 1
            state.channels[state.lastID] = channel
            return state.lastID
        }
    }

    /// Forgets a channel whose socket is about to be closed.
    func unregister(_ id: UInt64, socket: Int32) {
        if socket >= 0 { poller.remove(socket) }
        _ = state.withLock { $0.channels.removeValue(forKey: id) }
    }

    /// Asks to be told once when `socket` is readable or, if `writable`, can be written to.
    func arm(_ socket: Int32, id: UInt64, writable: Bool) -> Bool {
        poller.arm(socket, id: id, writable: writable)
    }

    /// Asks not to be told of `socket`, until it is armed again.
    func disarm(_ socket: Int32, id: UInt64) { poller.disarm(socket, id: id) }

    /// Sees to it that deadlines are looked at no later than at `deadline`.
    func wake(at deadline: MonotonicTime) {
        var planned = nextWake.load(ordering: .acquiring)
        while deadline.nanoseconds < planned {
            let (done, original) = nextWake.compareExchange(
                expected: planned, desired: deadline.nanoseconds, ordering: .acquiringAndReleasing)
            if done { return poller.wake() }
            planned = original
        }
    }

    /// Ends the thread: immediately where nothing else keeps it, without waiting.
    func stop() {
        state.withLock { $0.isStopping = true }
        poller.wake()
    }

    /// Ends the thread, and returns when it has ended.
    ///
    /// Connections that are still open are lost.
    func stopAndWait() async {
        stop()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasStopped { state.whenStopped.append(continuation) }
                return state.hasStopped
            }
            if isOver { continuation.resume() }
        }
    }

    private func run() {
        withUnsafeTemporaryAllocation(of: holdfast_event.self, capacity: 64) { events in
            while !state.withLock({ $0.isStopping }) {
                guard let count = poller.wait(into: events, milliseconds: milliseconds()) else { break }
                for event in events[..<count] where event.id != HOLDFAST_WAKE_ID {
                    state.withLock { $0.channels[event.id] }?.socketIsReady()
                }
                if MonotonicTime.now.nanoseconds >= nextWake.load(ordering: .acquiring) { checkDeadlines() }
            }
        }
        let (channels, waiting) = state.withLock { state in
            state.isStopping = true
            state.hasStopped = true
            defer { (state.channels, state.whenStopped) = ([:], []) }
            return (Array(state.channels.values), state.whenStopped)
        }
        for channel in channels { channel.finish() }
        for continuation in waiting { continuation.resume() }
    }

    /// How long the thread may sleep.
    private func milliseconds() -> Int32 {
        let next = nextWake.load(ordering: .acquiring)
        if next == MonotonicTime.distantFuture.nanoseconds { return -1 }
        let rest = next - MonotonicTime.now.nanoseconds
        return rest <= 0 ? 0 : Int32(clamping: rest / 1_000_000 + 1)
    }

    private func checkDeadlines() {
        // Deadlines that are set from here on wake the thread again; those set before are seen below.
        nextWake.store(MonotonicTime.distantFuture.nanoseconds, ordering: .sequentiallyConsistent)
        let now = MonotonicTime.now
        let next = state.withLock { Array($0.channels.values) }.map { $0.checkDeadline(now: now) }.min()
        if let next { wake(at: next) }
    }
}
