import Logging

/// The access of an operation to a connection, through a database or a transaction.
///
/// It is opaque; use ``DatabaseContext``.
public struct DatabaseAccess: Sendable {
    enum Kind: Sendable {
        case database(DatabaseCore)
        case transaction(TransactionScope)
    }

    /// The kind of access that an operation needs.
    enum Need: Sendable {
        /// One statement that reads.
        case read
        /// Several statements that read one snapshot.
        case snapshot
        /// One statement that writes.
        case write
        /// One statement of the caller's, of which only the engine knows whether it writes.
        case statement
        /// Several statements that write all or nothing.
        case atomic
        /// Statements that write, one after the other, of which some can't be in a transaction.
        case maintenance
    }

    let kind: Kind
    /// Where the operation was called.
    var site: CallSite?

    /// The access of an operation that was called at a place.
    func called(at site: CallSite) -> DatabaseAccess {
        // A part of an operation names the line of the program that called the whole, if that is known.
        if site.isOwn { return self }
        var access = self
        access.site = site
        return access
    }

    var core: DatabaseCore {
        switch kind {
        case .database(let core): core
        case .transaction(let scope): scope.session.core
        }
    }

    var isOutsideTransaction: Bool {
        if case .database = kind { true } else { false }
    }

    /// Runs `operation` with what it needs.
    ///
    /// - Parameters:
    ///   - isSentAgain: Whether a statement that reads was sent before, on a connection that was lost.
    ///   - operation: Gets the session, and the scope to register effects with, where they have to wait for a COMMIT
    ///     that is not the operation's own.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func perform<Output>(
        _ need: Need, purpose: LeasePurpose, isSentAgain: Bool = false,
        _ operation: nonisolated(nonsending) (Session, TransactionScope?) async throws -> Output
    ) async throws -> Output {
        do {
            return try await performUnnamed(need, purpose: purpose.at(site), isSentAgain: isSentAgain, operation)
        } catch let error as DatabaseError {
            // Not every error is about a statement, which has named the call: one can be about what was read.
            throw error.called(at: site)
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func performUnnamed<Output>(
        _ need: Need, purpose: LeasePurpose, isSentAgain: Bool,
        _ operation: nonisolated(nonsending) (Session, TransactionScope?) async throws -> Output
    ) async throws -> Output {
        switch kind {
        case .database(let core):
            if core.observations.hasGuards, need == .write || need == .atomic {
                // They are asked in the transaction, before its COMMIT.
                return try await Database(core: core).run(.readCommitted, for: purpose) { transaction in
                    try await transaction._access.perform(need, purpose: purpose, operation)
                }
            }
            switch need {
            case .read:
                // Reading twice does no harm, so a connection that was lost while it was idle is not the caller's
                // concern.
                return try await core.withFreshLease(.read, purpose: purpose, isSentAgain: isSentAgain) { lease in
                    try await operation(Session(core: core, lease: lease, isReadOnly: true), nil)
                }
            case .write, .statement, .maintenance:
                let lease = try await core.lease(need == .statement ? .read : .write, purpose: purpose)
                defer { lease.release() }
                let session = Session(core: core, lease: lease, isReadOnly: false)
                do {
                    let output = try await operation(session, nil)
                    session.publishChanges()
                    return output
                } catch let error as DatabaseError where error.leavesOutcomeOpen {
                    session.publishUnknownOutcome()
                    throw error.ofCommit  // the statement commits by itself
                }
            case .snapshot:
                return try await core.withSnapshot(purpose: purpose) { session in
                    try await session.finishing { try await operation(session, nil) }
                }
            case .atomic:
                return try await core.withSpan(purpose) { span in
                    let (session, lease) = try await core.begin(
                        .readCommitted, isReadOnly: false, purpose: purpose, span: span)
                    defer { lease.release() }
                    return try await session.finishing { try await operation(session, nil) }
                }
            }
        case .transaction(let scope):
            let scope = scope.current
            return try await scope.lock.withLock {
                guard scope.isLive else { throw Self.ended }
                scope.session.purpose = purpose
                if need == .write || need == .atomic, scope.session.isReadOnly { throw Self.readOnly }
                guard need == .atomic else { return try await operation(scope.session, scope) }
                return try await inSavepoint(scope, operation)
            }
        }
    }

    /// Runs an operation that writes in a transaction of its own, and runs it again where the engine has rolled that
    /// back: because a table had changed since a statement was prepared, on each connection once at most; or because
    /// it and others waited for each other, as often as a transaction is retried (decision 0067).
    ///
    /// Without a pause, so that nothing can be set meanwhile in the objects that it writes. An engine finds out that
    /// transactions wait for each other only when they have for some time, and lets all but one of them go on.
    ///
    /// - Parameter mayRunAgain: Whether the operation can be run again as if it had not been run.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func runningAgainIfRefused<Output>(
        while mayRunAgain: () -> Bool, _ operation: nonisolated(nonsending) () async throws -> Output
    ) async throws -> Output {
        var (refusals, deadlocks) = (0, 0)
        while true {
            do {
                return try await operation()
            } catch let error as DatabaseError where isOutsideTransaction && mayRunAgain() {
                switch error.code {
                case .serializationFailure where refusals < core.configuration.pool.maximumConnections: refusals += 1
                case .deadlock where deadlocks < Database.retryLimit && !core.observations.hasGuards: deadlocks += 1
                default: throw error
                }
                noteRunningAgain(after: error)
            }
        }
    }

    /// Logs that an operation is run again.
    func noteRunningAgain(after error: DatabaseError) {
        core.configuration.telemetry.logger.debug("An operation is run again.", metadata: ["code": "\(error.code)"])
    }

    /// Runs `operation` so that what it did is undone if it fails after an error which did not end the transaction.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func inSavepoint<Output>(
        _ scope: TransactionScope,
        _ operation: nonisolated(nonsending) (Session, TransactionScope?) async throws -> Output
    ) async throws -> Output {
        let session = scope.session
        let depth = scope.depth + 1
        let effects = scope.undoCount
        try await session.beginSavepoint(depth)
        let output: Output
        do {
            output = try await operation(session, scope)
        } catch {
            if session.abortedBy == nil { await session.rollbackToSavepoint(depth) }
            scope.undo(downTo: effects)
            throw error
        }
        try await session.releaseSavepoint(depth)
        return output
    }

    static let ended = DatabaseError(
        .closed, "This transaction has ended. Use it only inside the closure that it was given to.")
    static let readOnly = DatabaseError(
        .readOnly, "This is a read-only transaction. Write in `transaction`, or through the database.")
}
