/// What a query does with rows that another transaction has locked, where it locks rows itself.
///
/// ```swift
/// try await tx.query(Job.self).where { $0.doneAt == nil }.limit(5).locked(.skipLocked).fetch()
/// // SELECT … LIMIT 5 FOR UPDATE OF t0 SKIP LOCKED
/// ```
///
/// See ``Query/locked(_:)``.
public enum RowLock: Hashable, Sendable {
    /// It waits until the other transaction has ended, and then looks at the row again.
    case waiting
    /// It passes over them, as if they did not meet the query.
    case skipLocked
    /// It throws ``DatabaseError/Code/lockTimeout`` at once.
    case noWait
}
