/// Where a session stands with its transaction.
///
/// ```sql
/// BEGIN;           -- open
/// SELECT 1 / 0;    -- failed, on PostgreSQL
/// ROLLBACK;        -- idle
/// ```
@_spi(Driver) public enum TransactionStatus: Sendable {
    /// No transaction is open.
    case idle
    /// A transaction is open and usable.
    case open
    /// A transaction is open, and an error made it unusable until it rolls back.
    case failed
}
