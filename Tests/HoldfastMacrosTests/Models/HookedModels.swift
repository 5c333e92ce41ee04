import Holdfast

@Table
final class Hooked {
    var id: Int64?
    var email = "A"

    func willSave() throws { email = email.lowercased() }
}

@Table
struct HookedStruct {
    var id: Int64?
    var email = "A"

    mutating func willSave() { email = email.lowercased() }
    func didSave(in transaction: Transaction) async throws {}
    func willDelete(in _: Transaction) throws {}
    func didDelete(in transaction: Transaction) async {}
    mutating func didFetch() throws {}
    func afterCommit() {}
}

@Table
struct Stated: TableHooks {
    var id: Int64?

    func afterCommit() {}
}

@Table
struct HookedElsewhere {
    var id: Int64?
}

extension HookedElsewhere: TableHooks {
    func afterCommit() {}
}

/// Methods that only share the name of a hook.
@Table
struct NotHooked {
    var id: Int64?

    func didSave(to path: String) {}
    func willSave(_ force: Bool) -> Bool { force }
}
