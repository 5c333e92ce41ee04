import CSQLite
import Holdfast
import Synchronization

/// Copies the write-ahead log into the database file, on a thread and a connection of its own, so that no commit has to.
///
/// It is woken each time the log has grown by another thousand pages. It then copies what it can without being in
/// anyone's way; where a busy writer never lets it finish, so that the log could not start over, it holds the writer
/// up for the few pages that are left.
final class Checkpointer: Sendable {
    private struct State {
        var isWanted = false
        var isStopped = false
        var isThreadRunning = false
    }

    /// The length of the log, in pages, at which it is copied.
    private let threshold: Int
    private let path: String
    private let synchronous: SQLiteSynchronous
    private let monitor = Monitor(State())
    /// The length of the log at which the thread is woken next.
    private let trigger: Atomic<Int>
    /// Whether the log was copied whole since this was last asked, or is new.
    private let mayRestart = Atomic<Bool>(true)

    init(path: String, synchronous: SQLiteSynchronous, threshold: Int = 1000) {
        self.path = path
        self.synchronous = synchronous
        self.threshold = threshold
        self.trigger = Atomic(threshold)
    }

    /// To be called after each commit, by the thread that made it.
    func committed(pages: Int) {
        if pages < threshold {
            trigger.store(threshold, ordering: .relaxed)
        } else if pages >= trigger.load(ordering: .relaxed) {
            trigger.store(pages + threshold, ordering: .relaxed)
            wake()
        }
    }

    /// Whether the next commit may be the first of a new log, which waits for the disk even with normal synchronization.
    /// Says so once.
    func takeRestart() -> Bool {
        mayRestart.load(ordering: .relaxed) && mayRestart.exchange(false, ordering: .relaxed)
    }

    /// Ends the thread.
    func stop() {
        monitor.withLock { $0.isStopped = true }
        monitor.broadcast()
    }

    private func wake() {
        let startsThread = monitor.withLock { state in
            state.isWanted = true
            if state.isThreadRunning || state.isStopped { return false }
            state.isThreadRunning = true
            return true
        }
        guard startsThread else { monitor.signal(); return }
        if !startThread(work) {
            monitor.withLock { $0.isThreadRunning = false }  // the next thousand pages try again
        }
    }

    private func work() {
        var database: DatabaseHandle?
        while true {
            let goesOn = monitor.wait(until: nil) { state -> Bool? in
                if state.isStopped { return false }
                defer { state.isWanted = false }
                return state.isWanted ? true : nil
            }
            guard goesOn == true else { return }
            if database == nil { database = openDatabase() }
            if let database { checkpoint(database) }
        }
    }

    /// A connection to checkpoint with. What is wrong where there is none shows in the connections of the database.
    private func openDatabase() -> DatabaseHandle? {
        guard let database = try? DatabaseHandle(path: path, flags: SQLITE_OPEN_READWRITE) else { return nil }
        sqlite3_wal_autocheckpoint(database.pointer, 0)
        guard (try? database.execute("PRAGMA synchronous = \(synchronous.rawValue)")) != nil else { return nil }
        return database
    }

    private func checkpoint(_ database: DatabaseHandle) {
        var (logged, copied): (Int32, Int32) = (0, 0)
        sqlite3_busy_timeout(database.pointer, 0)
        sqlite3_wal_checkpoint_v2(database.pointer, nil, SQLITE_CHECKPOINT_PASSIVE, &logged, &copied)
        if copied < logged, logged >= 2 * threshold {
            // Takes the writer's lock, for as long as it takes to copy the rest; waits for readers no longer than that.
            sqlite3_busy_timeout(database.pointer, 20)
            sqlite3_wal_checkpoint_v2(database.pointer, nil, SQLITE_CHECKPOINT_FULL, &logged, &copied)
        }
        if copied == logged { mayRestart.store(true, ordering: .relaxed) }
    }
}
