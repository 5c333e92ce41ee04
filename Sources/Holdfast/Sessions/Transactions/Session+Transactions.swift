import Logging
import Synchronization

/// Where a session begins and ends transactions and savepoints.
extension Session {
    func begin(_ isolation: IsolationLevel) async throws {
        try await execute(core.controlStatements.begin(isolation, readOnly: isReadOnly, dialect: dialect))
        isInTransaction.store(true, ordering: .relaxed)
    }

    /// Runs `operation` in the transaction that has begun, and ends that.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func finishing<Output>(_ operation: nonisolated(nonsending) () async throws -> Output) async throws -> Output {
        let output: Output
        do {
            output = try await operation()
        } catch {
            await rollback()
            throw error
        }
        try await commit()
        return output
    }

    /// Commits, in a cancelled task too.
    ///
    /// - Throws: The error that ended the transaction, if one did and was swallowed, after rolling back;
    ///   ``DatabaseError/Code/commitOutcomeUnknown`` if the connection was lost meanwhile.
    func commit() async throws {
        if let error = abortedBy {
            await rollback()
            throw error
        }
        if loadTransaction?.isOver == true { return isInTransaction.store(false, ordering: .relaxed) }
        guard lease.connection.transactionStatus == .open else {
            let isUsable = lease.connection.isUsable
            await rollback()
            throw isUsable
                ? DatabaseError(
                    .transactionAborted,
                    "The engine had ended this transaction when it was to be committed. Nothing of it was kept; run it again."
                )
                : DatabaseError(
                    .connectionLost,
                    "The connection was lost before COMMIT. Nothing was kept; run the transaction again.")
        }
        do {
            try await execute(core.controlStatements.commit)
            isInTransaction.store(false, ordering: .relaxed)
            publishChanges()
        } catch let error as DatabaseError where error.leavesOutcomeOpen {
            isInTransaction.store(false, ordering: .relaxed)
            // What only reads has changed nothing, whatever became of its COMMIT.
            if isReadOnly || loadTransaction != nil { throw error }
            publishUnknownOutcome()
            throw error.ofCommit
        } catch {
            await rollback()
            throw error
        }
    }

    /// Rolls back, in a cancelled task too.
    ///
    /// A connection that can't is given up, so that nobody meets the transaction again.
    func rollback() async {
        isInTransaction.store(false, ordering: .relaxed)
        abortion.withLock { $0 = nil }
        guard lease.connection.isUsable, lease.connection.transactionStatus != .idle else { return }
        do {
            try await execute(core.controlStatements.rollback)
        } catch {
            lease.discard()
            core.configuration.telemetry.logger.info(
                "A connection was given up because its transaction could not be rolled back.")
        }
    }

    /// Begins a savepoint.
    func beginSavepoint(_ depth: Int) async throws {
        try await execute(core.controlStatements.savepoint(depth))
        changes.withLock { $0.beginSavepoint() }
    }

    func releaseSavepoint(_ depth: Int) async throws {
        try await execute(core.controlStatements.release(depth))
        changes.withLock { $0.releaseSavepoint() }
    }

    /// Undoes what was done since the savepoint, and releases it; the transaction is usable again, unless the engine
    /// ended it.
    func rollbackToSavepoint(_ depth: Int) async {
        changes.withLock { $0.rollBackToSavepoint() }
        let error = abortedBy
        abortion.withLock { $0 = nil }
        guard lease.connection.isUsable, lease.connection.transactionStatus != .idle else {
            return abort(error ?? DatabaseError(.transactionAborted, "The engine ended the transaction."))
        }
        do {
            try await execute(core.controlStatements.rollbackTo(depth))
            try await execute(core.controlStatements.release(depth))
        } catch {
            abort(DatabaseError(.transactionAborted, "A savepoint could not be rolled back."))
        }
    }
}

/// Tells whoever observes what a transaction has changed.
extension Session {
    /// What was changed so far, for whoever is asked before it is committed.
    var changesSoFar: SessionChanges {
        var changes = changes.withLock { $0 }
        if period != core.observations.period { changes.noteAll() }
        return changes
    }

    /// Tells whoever observes that changes were committed.
    func publishChanges() {
        guard !isReadOnly, core.observations.isActive else { return }
        core.observations.publish(changes.withLock { $0 }, since: period)
    }

    /// Tells whoever observes that changes may have been committed.
    func publishUnknownOutcome() {
        if !isReadOnly { core.observations.publishUnknown() }
    }
}
