extension Database {
    /// Runs a closure in each transaction of this process that changes objects of a type, before it is committed.
    ///
    /// ```swift
    /// let audit = db.beforeCommit(of: Account.self) { events, tx in
    ///     for event in events {
    ///         guard event.kind != .deleted else { throw AccountsStay() }
    ///         try await tx.save(AuditEntry(kind: "\(event.kind)", of: event.key))
    ///     }
    /// }
    /// ```
    ///
    /// - The closure gets the events of the whole transaction, in their order, and the transaction, which it can read
    ///   and write by. If it throws, the transaction is rolled back, and whoever committed gets the error.
    /// - Bulk updates and deletions, and SQL, which may have changed objects that nobody can name, are one event more,
    ///   of kind ``ObjectEventKind/reload``.
    /// - Writes outside of a transaction get one of their own, which costs `BEGIN` and `COMMIT` for each.
    /// - Closures run one after the other, in the order in which they were made, on the isolation of whoever commits.
    ///   Each runs once for a transaction, and sees what earlier ones have changed.
    /// - A transaction that began before the closure was given, in which not everything was noted, has a
    ///   ``ObjectEventKind/reload`` as well. Other processes, other `Database` values and `migrate` are not asked.
    ///
    /// For a check that belongs to a class, and holds wherever it is used, use its hooks:
    /// ``TableHooks/didSave(in:)``.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - check: Checks, or writes more; an error of its own refuses the commit.
    /// - Returns: The guard. Keep it: the checks end when it is released, or by ``CommitGuard/end()``.
    public func beforeCommit<Model: TableObject>(
        of type: Model.Type, _ check: @escaping @Sendable ([ObjectEvent<Model>], Transaction) async throws -> Void
    ) -> CommitGuard {
        let check = CommitCheck(rows: ListenedRows(of: Model.ownDescription)) { changes, tx in
            try await check(changes.map(ObjectEvent.init), tx)
        }
        return CommitGuard(check, core.observations)
    }
}
