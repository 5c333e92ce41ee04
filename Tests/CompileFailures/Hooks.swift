// swift-format-ignore-file
import Holdfast

@Table struct Fine {
    var id: Int64?
    mutating func willSave() throws { id = id ?? 1 }
    func didSave(in transaction: Transaction) async throws {}
    func afterCommit() {}
}

@Table struct Wrong {
    var id: Int64?
    func willSave() async throws {}  // expected-error: 'willSave' is a hook that would never be called as it is declared here: write 'mutating func willSave() throws'
    func didSave() throws {}  // expected-error: 'didSave' is a hook that would never be called as it is declared here: write 'func didSave(in transaction: Transaction) async throws'
    private func willDelete(in transaction: Transaction) {}  // expected-error: 'willDelete' is a hook that would never be called
    static func didDelete(in transaction: Transaction) {}  // expected-error: 'didDelete' is a hook that would never be called
    func afterCommit() throws {}  // expected-error: 'afterCommit' is a hook that would never be called as it is declared here: write 'func afterCommit()'
}

// A hook of a public model is public, as Swift says itself; it is not passed over.
@Table public final class Hidden {  // expected-error: method 'willSave()' must be declared public because it matches a requirement in public protocol 'TableHooks'
    var id: Int64?
    func willSave() throws {}
}
