import Logging

extension Database {
    /// Runs `body` in a transaction, which is committed when it returns and rolled back when it throws or is cancelled.
    ///
    /// ```swift
    /// try await db.transaction { tx in
    ///     try await tx.save(order)
    ///     try await tx.save(lines)
    /// }
    /// // BEGIN …; INSERT …; COMMIT
    /// ```
    ///
    /// If it rolls back, objects are as before too: keys and timestamps that were written into them are taken back,
    /// and what was changed is dirty again. Structs are values and stay as they are.
    ///
    /// On PostgreSQL, a transaction that met others in its way fails with ``DatabaseError/Code/serializationFailure`` or
    /// ``DatabaseError/Code/deadlock``. Then `body` is run again from its beginning, up to twenty times, after a short random
    /// while that grows; so let it do nothing but use the transaction, and fetch inside it what it changes. It is not run again
    /// if it has saved what it would change a second time: an object with changes that was made or loaded before the
    /// transaction began, or a struct that has a key, none of whose type it has fetched.
    ///
    /// - Parameters:
    ///   - isolation: How much the transaction sees of others. An engine may give more than asked.
    ///   - maxRetries: How often `body` is run again, whatever it has saved; 0 for never. Nil, the default, is for up to twenty
    ///     times, as far as that does nothing twice.
    ///   - fileID: The caller's file, for the log and for who holds a connection.
    ///   - line: The caller's line.
    ///   - body: What to do; runs on the caller's isolation.
    /// - Throws: What `body` throws; the error of the engine, if `body` swallowed one;
    ///   ``DatabaseError/Code/cancelled`` if the task was cancelled before COMMIT;
    ///   ``DatabaseError/Code/nestedCheckout`` inside another transaction of this database.
    @discardableResult
    public func transaction<Output>(
        isolation: IsolationLevel = .serializable, maxRetries: Int? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        try await run(
            isolation, maxRetries: maxRetries ?? Self.retryLimit, isGuarded: maxRetries == nil,
            for: LeasePurpose("transaction", at: CallSite(fileID, line)), body)
    }

    /// Runs `body` in a read-only transaction: everything it reads is of one snapshot, and it blocks no one.
    ///
    /// - Throws: ``DatabaseError/Code/readOnly`` if `body` writes; else as ``transaction(isolation:maxRetries:fileID:line:_:)``.
    @discardableResult
    public func read<Output>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        try await run(
            .repeatableRead, isReadOnly: true, for: LeasePurpose("read", at: CallSite(fileID, line)), body)
    }

    /// How often a transaction is run again by itself: see decision 0028.
    private static var retryLimit: Int { 20 }

    /// Runs `body` in a transaction.
    ///
    /// - Parameters:
    ///   - isGuarded: Whether it is run again only where that does nothing twice.
    ///   - purpose: The operation that it belongs to, which may be another one of the library's.
    func run<Output>(
        _ isolation: IsolationLevel, maxRetries: Int = 0, isGuarded: Bool = false, isReadOnly: Bool = false,
        for purpose: LeasePurpose,
        _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        var retries = 0
        while true {
            let attempt = isGuarded ? TransactionAttempt(isRepetition: retries > 0) : nil
            do {
                return try await runOnce(isolation, isReadOnly: isReadOnly, purpose: purpose, attempt, body)
            } catch let error as DatabaseError
                where error.code == .serializationFailure || error.code == .deadlock
            {
                if attempt?.isRepeatable == false { throw error.notRepeated }
                guard retries < maxRetries else { throw error }
                retries += 1
                core.configuration.logger.debug(
                    "A transaction is run again.", metadata: ["code": "\(error.code)", "retry": "\(retries)"])
                // Waiting a random while, longer each time, keeps two transactions from meeting again and again.
                let limit = min(1 << retries, 64)
                try await pause(.milliseconds(Int.random(in: 1...limit)))
            }
        }
    }

    private func pause(_ duration: Duration) async throws {
        do {
            try await Task.sleep(for: duration)
        } catch {
            throw Self.cancelled
        }
    }

    private func runOnce<Output>(
        _ isolation: IsolationLevel, isReadOnly: Bool, purpose: LeasePurpose, _ attempt: TransactionAttempt?,
        _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        let (session, lease) = try await core.begin(
            isolation, isReadOnly: isReadOnly, purpose: purpose, attempt: attempt)
        defer { lease.release() }
        let scope = TransactionScope(session: session, depth: 0)
        let output: Output
        do {
            output = try await CurrentLease.holding(lease, of: core.id) { try await body(Transaction(scope: scope)) }
            if Task.isCancelled { throw Self.cancelled }
            // A task that outlives the closure may still be at work: it is let finish, and no other let in.
            try await scope.lock.withLock {
                scope.end()
                try await session.commit()
            }
        } catch {
            await scope.lock.withLockEvenIfCancelled {
                scope.end()
                await session.rollback()
            }
            for undo in scope.takeEffects().undo.reversed() { undo() }
            throw error
        }
        var calls = CommitCalls()
        for complete in scope.takeEffects().complete { complete(&calls) }
        return output
    }

    private static let cancelled = DatabaseError(
        .cancelled, "The task was cancelled; its transaction was rolled back.")
}

extension DatabaseError {
    /// The error of a transaction that is not run again, as that could do something twice.
    fileprivate var notRepeated: DatabaseError {
        var error = self
        error.message +=
            " It was not run again by itself after that, since it saves objects from outside of it, which may have been changed inside: "
            + "fetch or reload them in the transaction, or set maxRetries."
        return error
    }
}
