import Synchronization

/// The text of a statement, with an identity by which connections cache what they prepared.
public final class Statement: Sendable {
    /// The text, with the dialect's placeholders.
    public let sql: String
    /// The same for the same object only: what caches of prepared statements are keyed by.
    public let id: Int
    /// Whether it reads or changes few rows by key, so that running it at once costs less than handing it on.
    public let isBrief: Bool
    /// Whether connections should keep it prepared.
    public let isCached: Bool

    /// Whether it runs to its end even in a cancelled task: COMMIT, ROLLBACK and what belongs to them.
    public let ignoresCancellation: Bool

    private static let lastID = Atomic<Int>(0)

    /// Creates a statement of `sql`.
    ///
    /// - Parameters:
    ///   - sql: The text, with the dialect's placeholders.
    ///   - isBrief: Whether it touches few rows, by key.
    ///   - isCached: Whether it will be run again, so that preparing it once pays.
    ///   - ignoresCancellation: Whether it runs to its end even in a cancelled task.
    public init(_ sql: String, isBrief: Bool = false, isCached: Bool = true, ignoresCancellation: Bool = false) {
        self.sql = sql
        self.isBrief = isBrief
        self.isCached = isCached
        self.ignoresCancellation = ignoresCancellation
        self.id = Self.lastID.add(1, ordering: .relaxed).newValue
    }
}
