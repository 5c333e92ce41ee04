import Logging

extension Database {
    /// Runs `body` in a transaction that commits when it returns and rolls back when it throws or is cancelled.
    ///
    /// ```swift
    /// try await db.transaction { tx in
    ///     try await tx.save(order)
    ///     try await tx.save(lines)
    /// }
    /// // BEGIN …; INSERT …; COMMIT
    /// ```
    ///
    /// After a rollback, objects are as before too: keys and timestamps that a save had set are restored, and changed
    /// properties are dirty again. Structs are values and stay as they are.
    ///
    /// On PostgreSQL, a transaction that conflicts with others fails with ``DatabaseError/Code/serializationFailure``
    /// or ``DatabaseError/Code/deadlock``. Then `body` is retried from its beginning, up to twenty times, after a
    /// random delay that grows. It should therefore use only the transaction, and fetch the objects that it changes. It
    /// is not retried if it has saved something that it would change a second time: an object with changes that was
    /// created or loaded before the transaction began, or a struct with a key of whose type it has fetched nothing.
    ///
    /// - Parameters:
    ///   - isolation: The isolation from other transactions. An engine may isolate more than asked.
    ///   - maxRetries: The number of retries, whatever `body` has saved; 0 for none. Nil, the default, allows up to
    ///     twenty if a retry changes nothing twice.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    ///   - body: The operations; runs on the caller's isolation.
    /// - Throws: The errors of `body`; the error of the engine, if `body` swallowed one;
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

    /// Runs `body` in a read-only transaction: all its reads see one snapshot, and it blocks no writer.
    ///
    /// ```swift
    /// let (count, projects) = try await db.read { tx in
    ///     (try await tx.count(Person.self), try await tx.fetch(Project.self))
    /// }
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/readOnly`` if `body` writes; otherwise the errors of
    ///   ``transaction(isolation:maxRetries:fileID:line:_:)``.
    @discardableResult
    public func read<Output>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        try await run(
            .repeatableRead, isReadOnly: true, for: LeasePurpose("read", at: CallSite(fileID, line)), body)
    }

    /// How often a transaction is run again by itself: see decision 0028.
    static var retryLimit: Int { 20 }

    /// Runs `body` in a transaction.
    ///
    /// - Parameters:
    ///   - isGuarded: Whether it is run again only where that does nothing twice.
    ///   - purpose: The operation that it belongs to, which may be another one of the library's.
    ///   - rebuild: What is run before and after it, where it makes tables anew.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func run<Output>(
        _ isolation: IsolationLevel, maxRetries: Int = 0, isGuarded: Bool = false, isReadOnly: Bool = false,
        for purpose: LeasePurpose, within rebuild: TableRebuild? = nil,
        _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        try await core.withSpan(purpose) { span in
            try await run(
                isolation, maxRetries, isGuarded: isGuarded, isReadOnly: isReadOnly, purpose, span, within: rebuild,
                body)
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func run<Output>(
        _ isolation: IsolationLevel, _ maxRetries: Int, isGuarded: Bool, isReadOnly: Bool, _ purpose: LeasePurpose,
        _ span: TransactionSpan?, within rebuild: TableRebuild?,
        _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        var retries = 0
        while true {
            let attempt = isGuarded ? TransactionAttempt(isRetry: retries > 0) : nil
            do {
                return try await runOnce(
                    isolation, isReadOnly: isReadOnly, purpose: purpose, attempt, span, within: rebuild, body)
            } catch let error as DatabaseError
                where error.code == .serializationFailure || error.code == .deadlock
            {
                if attempt?.isRetryable == false { throw error.notRetried }
                guard retries < maxRetries else { throw error }
                retries += 1
                core.configuration.telemetry.logger.debug(
                    "A transaction is run again.", metadata: ["code": "\(error.code)", "retry": "\(retries)"])
                span?.noteRetry(retries, after: error)
                // Waiting a random while, longer each time, keeps two transactions from meeting again and again.
                let limit = 1 << min(retries, 6)
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

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func runOnce<Output>(
        _ isolation: IsolationLevel, isReadOnly: Bool, purpose: LeasePurpose, _ attempt: TransactionAttempt?,
        _ span: TransactionSpan?, within rebuild: TableRebuild?,
        _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        let (session, lease) = try await core.begin(
            isolation, isReadOnly: isReadOnly, purpose: purpose, attempt: attempt, after: rebuild?.before,
            span: span)
        defer { lease.release() }
        let scope = TransactionScope(session: session, depth: 0, site: purpose.site)
        let output: Output
        do {
            output = try await CurrentLease.holding(lease, of: core.id) { try await body(Transaction(scope: scope)) }
            if Task.isCancelled { throw Self.cancelled.called(at: purpose.site) }
            // A task that outlives the closure may still be at work: it is let finish, and no other let in.
            try await scope.lock.withLock {
                scope.end()
                if !isReadOnly, session.abortedBy == nil, core.observations.hasGuards {
                    try await CurrentLease.holding(lease, of: core.id) {
                        try await core.observations.askGuards(in: scope)
                    }
                }
                try await session.commit()
            }
        } catch {
            await scope.lock.withLockEvenIfCancelled {
                scope.end()
                await session.rollback()
            }
            for undo in scope.takeEffects().undo.reversed() { undo() }
            if let rebuild { await restore(rebuild, session, lease) }
            throw error
        }
        if let rebuild { await restore(rebuild, session, lease) }
        var calls = CommitCalls()
        for complete in scope.takeEffects().complete { complete(&calls) }
        return output
    }

    /// Has foreign keys enforced again; a connection that can't is given up.
    private func restore(_ rebuild: TableRebuild, _ session: Session, _ lease: Lease) async {
        do {
            for sql in [rebuild.afterRename, rebuild.after] {
                try await session.execute(Statement(sql, isCached: false, ignoresCancellation: true))
            }
        } catch {
            lease.discard()
        }
    }

    private static let cancelled = DatabaseError(
        .cancelled, "The task was cancelled; its transaction was rolled back.")
}

extension DatabaseError {
    /// The error of a transaction that is not run again, as that could do something twice.
    fileprivate var notRetried: DatabaseError {
        var error = self
        error.message +=
            " It was not run again by itself after that, since it saves objects from outside of it, which may have been changed inside: "
            + "fetch or reload them in the transaction, or set maxRetries."
        return error
    }
}
