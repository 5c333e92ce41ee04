/// Methods of a model that Holdfast calls when it saves, deletes or fetches an object.
///
/// Declare the methods you need in the body of a `@Table` type; the macro adds this conformance. In an extension, write
/// the conformance yourself. Hooks run for single objects and for each object of a batch.
///
/// ```swift
/// @Table final class Account {
///     var id: Int64?
///     var email: String
///     func willSave() throws { email = email.lowercased() }
/// }
/// ```
public protocol TableHooks: TableObject {
    /// Called before the object is encoded, so that the save includes its changes. Throwing ends the save before
    /// anything is sent.
    ///
    /// It is called once for each object that the save was given, changed or not, and for each object that the save
    /// reaches and will write: a new or changed one, also if the hook of another one or the other side of a relation
    /// has changed it. What is only reached is neither called nor written.
    mutating func willSave() throws
    /// Called after the object was written, inside the transaction. Throwing rolls back. An object of which nothing had
    /// to be written is not called.
    func didSave(in transaction: Transaction) async throws
    /// Called before the object is deleted, inside the transaction. Throwing rolls back.
    ///
    /// ```swift
    /// func willDelete(in transaction: Transaction) async throws {
    ///     try await transaction.sql("DELETE FROM session WHERE account_id = \(id)").execute()
    /// }
    /// ```
    func willDelete(in transaction: Transaction) async throws
    /// Called after the object was deleted, inside the transaction. Throwing rolls back.
    func didDelete(in transaction: Transaction) async throws
    /// Called after the object was fetched or reloaded. Properties that it sets become dirty.
    mutating func didFetch() throws
    /// Called once after the transaction that saved or deleted the object has committed; never after a rollback.
    func afterCommit()
    /// Whether any of them is declared. A class at the top of a hierarchy may conform only so that its subclasses can
    /// override them.
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
