/// What the change log keeps of the rows of a table.
///
/// ```swift
/// @Table(log: true) final class Person { … }           // which rows change, and which columns of them
/// @Table(log: .oldValues) final class Account { … }    // and what the columns held before
/// ```
public struct TableLog: Hashable, Sendable, ExpressibleByBooleanLiteral {
    enum Contents: Hashable, Sendable { case nothing, changes, oldValues }

    let contents: Contents

    /// No changes are logged.
    public static let none = TableLog(contents: .nothing)
    /// Each row that was inserted, updated or deleted is logged with its key, and an update with the names of the
    /// columns that it changed.
    public static let changes = TableLog(contents: .changes)
    /// Updates and deletions are logged with the values that they replaced or removed, too.
    public static let oldValues = TableLog(contents: .oldValues)

    private init(contents: Contents) { self.contents = contents }

    /// Creates ``changes`` from `true`, and ``none`` from `false`.
    public init(booleanLiteral value: Bool) { self = value ? .changes : .none }
}
