import Holdfast

/// An object whose hooks use the transaction of whoever called them, which they know by a task-local value.
@Table
final class Bystander {
    var id: Int64?
    var name: String

    init(_ name: String) { self.name = name }

    func didSave(in transaction: Transaction) async throws { try await use("saved", transaction) }
    func willDelete(in transaction: Transaction) async throws { try await use("will delete", transaction) }
    func didDelete(in transaction: Transaction) async throws { try await use("deleted", transaction) }

    private func use(_ hook: String, _ lent: Transaction) async throws {
        guard let caller = Caller.transaction else { return }
        try await caller.save(Note("\(hook) \(name)"))
        let title = "\(hook) \(name), child"
        async let child: Void = caller.save(Note(title))
        try await child
        var count = 0
        for try await _ in caller.query(Note.self).stream() { count += 1 }
        try await caller.transaction { nested in
            try await nested.save(Note("\(hook) \(name), nested"))
            try await caller.save(Note("\(hook) \(name), outer in nested"))
        }
        if hook == "saved", name.count < 3 { try await caller.save(Bystander(name + "+")) }
        try expect(try await lent.count(Note.self) >= count + 2, "Notes are missing.")
    }

    /// A caller that the application passes to its functions.
    enum Caller {
        @TaskLocal static var transaction: Transaction?
    }
}
