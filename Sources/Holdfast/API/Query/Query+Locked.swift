extension Query {
    /// Locks the rows of the objects until the transaction ends: others can read them, and wait to change them.
    ///
    /// ```swift
    /// try await db.transaction { tx in
    ///     let account = try await tx.query(Account.self).where { $0.hasKey(id) }.locked().one()
    ///     // SELECT … FROM "account" AS t0 WHERE t0."id" = $1 … FOR UPDATE OF t0
    ///     guard account.balance >= amount else { throw Refused() }
    ///     account.balance -= amount
    ///     try await tx.save(account)
    /// }
    /// ```
    ///
    /// A query that waited for another transaction gives the rows as that has left them, and none that don't meet its
    /// conditions any more. Rows that relations lead to are not locked.
    ///
    /// On SQLite, which has one writer at a time, a transaction that may write has all rows to itself: nothing more is
    /// sent, there is nothing to wait for or to pass over, and all three kinds of lock mean the same.
    ///
    /// Updates and deletions by a query lock what they change in any case. They take `.skipLocked` and `.noWait`, also
    /// outside of a transaction: a queue takes its jobs by `updateReturning(_:)`.
    ///
    /// - Parameter lock: What becomes of rows that others have locked.
    /// - Throws: When it runs, ``DatabaseError/Code/unsupported`` outside of a transaction, where the lock would end at
    ///   once, and for counts, groups, distinct objects and streams; ``DatabaseError/Code/readOnly`` in a transaction
    ///   that only reads; and ``DatabaseError/Code/lockTimeout`` for `.noWait`, if another has locked a row.
    public func locked(_ lock: RowLock = .waiting) -> Query { changed { $0.lock = lock } }

    /// Throws where rows that the query reads would be locked in vain.
    func requireLockable(by access: DatabaseAccess) throws {
        guard specification.lock != nil else { return }
        guard case .transaction(let scope) = access.kind else {
            throw DatabaseError(
                .unsupported,
                "A query locks rows outside of a transaction, where the lock would end with the query. Lock them in the transaction that changes them.",
                table: Model.ownDescription.table)
        }
        if scope.session.isReadOnly { throw DatabaseAccess.readOnly }
    }
}
