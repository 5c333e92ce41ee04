/// Moments in an object's life at which a model can act.
///
/// Declare the methods you need in the body of a `@Table` type; the macro sees them and adds this conformance. In an
/// extension, write the conformance yourself. Hooks run for single objects and for each object of a batch.
///
/// ```swift
/// @Table final class Account {
///     var id: Int64?
///     var email: String
///     func willSave() throws { email = email.lowercased() }
/// }
/// ```
public protocol TableHooks: TableObject {
    /// Before the object is encoded: what it changes is saved too. Throwing ends the save before anything was sent.
    mutating func willSave() throws
    /// After the object was written, inside the transaction. Throwing rolls back.
    func didSave(in transaction: Transaction) async throws
    /// Before the object is deleted, inside the transaction. Throwing rolls back.
    func willDelete(in transaction: Transaction) async throws
    /// After the object was deleted, inside the transaction. Throwing rolls back.
    func didDelete(in transaction: Transaction) async throws
    /// After the object was fetched or reloaded. What it changes counts as a change.
    mutating func didFetch() throws
    /// After the transaction that saved or deleted the object was committed; once, and never after a rollback.
    func afterCommit()
    /// Whether any of them is declared: the class at the top of a hierarchy conforms for the sake of its subclasses.
    static var _hasHooks: Bool { get }
}

extension TableHooks {
    public static var _hasHooks: Bool { true }
    public mutating func willSave() throws {}
    public func didSave(in transaction: Transaction) async throws {}
    public func willDelete(in transaction: Transaction) async throws {}
    public func didDelete(in transaction: Transaction) async throws {}
    public mutating func didFetch() throws {}
    public func afterCommit() {}
}
