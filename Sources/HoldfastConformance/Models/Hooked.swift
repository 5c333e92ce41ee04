import Holdfast
import Synchronization

/// The log of called hooks, in order.
final class HookLog: Sendable {
    private let state = Mutex<[String]>([])

    var entries: [String] { state.withLock { $0 } }

    func add(_ entry: String) { state.withLock { $0.append(entry) } }

    /// Returns the calls since the last time, and empties the log.
    func take() -> [String] {
        state.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }
}

/// The error of a hook that fails on purpose.
struct HookFailure: Error, Equatable { var hook: String }

/// A class that has every hook, writes down their calls, and fails in one of them when told to.
@Table
final class Hooked {
    var id: Int64?
    var name: String
    var fetches = 0
    @Transient var log = HookLog()
    @Transient var failing: String?

    init(_ name: String, log: HookLog) {
        self.name = name
        self.log = log
    }

    func willSave() throws {
        name = name.lowercased()
        try call("willSave")
    }

    func didSave(in transaction: Transaction) async throws {
        try await transaction.save(Note("saved \(name)"))
        try call("didSave")
    }

    func willDelete(in transaction: Transaction) async throws { try call("willDelete") }

    func didDelete(in transaction: Transaction) async throws {
        try await transaction.save(Note("deleted \(name)"))
        try call("didDelete")
    }

    func didFetch() throws {
        if name == "unreadable" { throw HookFailure(hook: "didFetch") }
        fetches += 1
    }

    func afterCommit() { log.add("afterCommit \(name)") }

    private func call(_ hook: String) throws {
        log.add("\(hook) \(name)")
        if failing == hook { throw HookFailure(hook: hook) }
    }
}
