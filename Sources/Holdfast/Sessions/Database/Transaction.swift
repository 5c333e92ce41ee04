/// A transaction, or a savepoint inside one: all of its changes are committed, or none.
///
/// It is passed to the closure of ``Database/transaction(isolation:maxRetries:fileID:line:_:)``. Child tasks of the
/// closure may use it; their operations run one after the other.
///
/// After an error of the engine, nothing more runs in it until it rolls back: each operation throws
/// ``DatabaseError/Code/transactionAborted``. To continue after an error, run the operation that may fail in
/// a nested transaction.
public struct Transaction: DatabaseContext {
    let scope: TransactionScope

    public var _access: DatabaseAccess { DatabaseAccess(kind: .transaction(scope), site: scope.site) }

    /// Runs `body` in a savepoint: if it throws, its changes are undone, and this transaction continues.
    ///
    /// ```swift
    /// try await db.transaction { tx in
    ///     try await tx.save(order)
    ///     do {
    ///         try await tx.transaction { nested in try await nested.save(coupon) }
    ///     } catch let error as DatabaseError where error.code == .uniqueViolation {
    ///         // the order is still part of the transaction
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: The errors of `body`; if it swallowed an error of the engine, that error.
    @discardableResult
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    public func transaction<Output>(
        _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        let outer = scope.current
        return try await outer.lock.withLock {
            guard outer.isLive else { throw DatabaseAccess.ended }
            let session = outer.session
            let inner = TransactionScope(session: session, depth: outer.depth + 1, site: outer.site)
            try await session.beginSavepoint(inner.depth)
            let output: Output
            do {
                output = try await TransactionScope.$innermost.binding(inner) {
                    try await body(Transaction(scope: inner))
                }
                if let error = session.abortedBy { throw error }
                try await inner.lock.withLock {
                    inner.end()
                    try await session.releaseSavepoint(inner.depth)
                }
            } catch {
                await inner.lock.withLockEvenIfCancelled {
                    inner.end()
                    await session.rollbackToSavepoint(inner.depth)
                }
                for undo in inner.takeEffects().undo.reversed() { undo() }
                throw error
            }
            outer.append(inner.takeEffects())
            return output
        }
    }
}
