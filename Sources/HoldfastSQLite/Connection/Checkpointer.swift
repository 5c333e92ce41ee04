import CSQLite
import Holdfast
import Synchronization

/// Copies the write-ahead log into the database file, on a thread and connection of its own, so that no commit has to.
///
/// It is woken each time the log has grown by another thousand pages. It then copies what it can without being in
/// anyone's way. A writer that never rests would never let it finish, and the log can't start over before it is copied
/// whole; so where the log has become long, it asks the writer to give way while it copies the few pages that are left.
final class Checkpointer: Sendable {
    private struct State {
        var isWanted = false
        /// The writer waits for the checkpoint to end.
        var isWriterWaiting = false
        var isStopped = false
        var isThreadRunning = false
    }

    /// The length of the log, in pages, at which it is copied.
    private let threshold: Int
    private let path: String
    /// Those of the files that are attached, by their names, each with a thread of its own.
    private let attached: [String: Checkpointer]
    private let synchronous: SQLiteSynchronous
    private let monitor = Monitor(State())
    /// The length of the log at which the thread is woken next.
    private let trigger: Atomic<Int>
    /// Whether anything was committed through this driver.
    private let hasCommits = Atomic<Bool>(false)
    private let turnIsWanted = Atomic<Bool>(false)
    /// Whether the log was copied whole since this was last asked, or is new.
    private let mayRestart = Atomic<Bool>(true)

    init(
        path: String, attached: [String: String] = [:], synchronous: SQLiteSynchronous, threshold: Int = 1000
    ) {
        self.path = path
        self.attached = attached.mapValues {
            Checkpointer(path: $0, synchronous: synchronous, threshold: threshold)
        }
        self.synchronous = synchronous
        self.threshold = threshold
        self.trigger = Atomic(threshold)
    }

    /// To be called after each commit, by the thread that made it.
    ///
    /// - Parameter schema: The name of the file, of those that one connection has: `main`, or an attached one.
    func committed(pages: Int, to schema: UnsafePointer<CChar>) {
        if attached.isEmpty { return committed(pages: pages) }
        (attached[String(cString: schema)] ?? self).committed(pages: pages)
    }

    /// To be called after each commit to its own file.
    func committed(pages: Int) {
        if !hasCommits.load(ordering: .relaxed) { hasCommits.store(true, ordering: .relaxed) }
        if pages < threshold {
            trigger.store(threshold, ordering: .relaxed)
        } else if pages >= trigger.load(ordering: .relaxed) {
            trigger.store(pages + threshold, ordering: .relaxed)
            // The disk is slower than the writer: it has to wait now, or the log would grow for as long as it writes.
            if pages >= 8 * threshold { turnIsWanted.store(true, ordering: .relaxed) }
            wake()
        }
    }

    /// Whether the next commit may be the first of a new log, which waits for the disk even at `normal`; says so once.
    func takeRestart() -> Bool {
        mayRestart.load(ordering: .relaxed) && mayRestart.exchange(false, ordering: .relaxed)
    }

    /// Whether the writer should give way before it writes again.
    var wantsTurn: Bool { turnIsWanted.load(ordering: .relaxed) }

    /// Waits until the checkpoint for which the writer has to give way is done, but no longer than two seconds.
    ///
    /// To be called by the writer, outside of transactions, on a thread that may wait.
    func giveWay() {
        guard wantsTurn else { return }
        monitor.withLock { $0.isWriterWaiting = true }
        monitor.broadcast()
        _ = monitor.wait(until: .now.advanced(by: .seconds(2))) { state -> Void? in
            wantsTurn && !state.isStopped ? nil : ()
        }
        monitor.withLock { $0.isWriterWaiting = false }
    }

    /// Lets the threads end.
    func stop() {
        for other in attached.values { other.stop() }
        monitor.withLock { $0.isStopped = true }
        monitor.broadcast()
    }

    /// Waits until the thread has ended, and empties the log if nobody else uses it.
    ///
    /// To be called on a thread that may wait, when the connections of this driver are closed.
    func finish() {
        stop()
        for other in attached.values { other.finish() }
        _ = monitor.wait(until: nil) { $0.isThreadRunning ? nil : () }
        // The last connection of all has emptied the log already; where others are open, they may be in the way.
        guard hasCommits.load(ordering: .relaxed), let database = openDatabase() else { return }
        _ = copy(database, SQLITE_CHECKPOINT_TRUNCATE)
    }

    private func wake() {
        let startsThread = monitor.withLock { state in
            state.isWanted = true
            if state.isThreadRunning || state.isStopped { return false }
            state.isThreadRunning = true
            return true
        }
        guard startsThread else { monitor.broadcast(); return }
        if !startThread(work) {
            monitor.withLock { $0.isThreadRunning = false }  // the next thousand pages try again
        }
    }

    private func work() {
        var database: DatabaseHandle?
        defer {
            database = nil  // closed before the end is reported
            monitor.withLock { $0.isThreadRunning = false }
            monitor.broadcast()
        }
        while true {
            let goesOn = monitor.wait(until: nil) { state -> Bool? in
                if state.isStopped { return false }
                defer { state.isWanted = false }
                return state.isWanted ? true : nil
            }
            guard goesOn == true else { return }
            // Another file may have taken the place of the one that was there before.
            if database?.findsItsFile() != true { database = openDatabase() }
            if let database { checkpoint(database) }
            // With the lock, so that a writer that is about to wait does not miss it.
            monitor.withLock { _ in turnIsWanted.store(false, ordering: .relaxed) }
            monitor.broadcast()
        }
    }

    /// A connection to checkpoint with.
    ///
    /// An error that keeps it from opening keeps those of the database from it too, and is reported there.
    private func openDatabase() -> DatabaseHandle? {
        do throws(ResultCode) {
            let database = try DatabaseHandle(path: path, flags: SQLITE_OPEN_READWRITE)
            sqlite3_wal_autocheckpoint(database.pointer, 0)
            try database.execute("PRAGMA synchronous = \(synchronous.rawValue)")
            // A connection knows of the log once it has read the file; before, a checkpoint does nothing.
            return try database.execute("PRAGMA journal_mode") == "wal" ? database : nil
        } catch {
            return nil
        }
    }

    private func checkpoint(_ database: DatabaseHandle) {
        var log = copy(database, SQLITE_CHECKPOINT_PASSIVE)
        if log.pages >= 2 * threshold {
            // The log did not start over after the last checkpoint, since a writer added to it meanwhile. That would
            // happen again now, so the writer is asked to give way.
            turnIsWanted.store(true, ordering: .relaxed)
            // A writer in the middle of a transaction comes here when that ends. One that waits has no lock, so what is
            // in the way then is a reader, or another process: there will be another time.
            let patience = MonotonicTime.now.advanced(by: .milliseconds(500))
            var isWriterWaiting = false
            repeat {
                let soon = MonotonicTime.now.advanced(by: .milliseconds(20))
                isWriterWaiting = monitor.wait(until: soon) { $0.isWriterWaiting || $0.isStopped ? true : nil } == true
                log = copy(database, SQLITE_CHECKPOINT_FULL)
            } while !log.isCopied && !isWriterWaiting && MonotonicTime.now < patience
        }
        if log.isCopied { mayRestart.store(true, ordering: .relaxed) }
    }

    /// Copies what `mode` allows to, without waiting for any lock.
    private func copy(_ database: DatabaseHandle, _ mode: Int32) -> (pages: Int, isCopied: Bool) {
        var (logged, copied): (Int32, Int32) = (0, 0)
        // What fails here fails for the connections of the database as well, and is reported there.
        let status = sqlite3_wal_checkpoint_v2(database.pointer, nil, mode, &logged, &copied)
        return (Int(logged), status == SQLITE_OK && copied == logged && logged >= 0)
    }
}
