import Holdfast

/// An object with hooks in a graph: it writes down their calls, adds objects, and fails when told to.
@Table
final class Watched {
    var id: Int64?
    var name: String
    var next: Watched?
    @Relation(deleteRule: .cascade) var parts: [Watched] = []
    @Transient var log = HookLog()
    /// The object that `willSave` appends to the parts.
    @Transient var addition: Watched?
    @Transient var failing: String?

    init(_ name: String, log: HookLog) {
        self.name = name
        self.log = log
    }

    func willSave() throws {
        if let addition {
            parts.append(addition)
            self.addition = nil
        }
        try call("willSave")
    }

    func didSave(in transaction: Transaction) async throws { try call("didSave") }

    func willDelete(in transaction: Transaction) async throws {
        try await transaction.save(Note("will delete \(name)"))
        try call("willDelete")
    }

    func didDelete(in transaction: Transaction) async throws {
        try await transaction.save(Note("deleted \(name)"))
        try call("didDelete")
    }

    func afterCommit() { log.add("afterCommit \(name)") }

    private func call(_ hook: String) throws {
        log.add("\(hook) \(name)")
        if failing == hook { throw HookFailure(hook: hook) }
    }
}
