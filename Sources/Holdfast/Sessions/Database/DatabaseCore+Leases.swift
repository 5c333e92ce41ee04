/// Leases of connections that may turn out to be lost.
extension DatabaseCore {
    /// For how long after it began to use a connection an operation takes its loss for one from before.
    private static let timeToNotice = Duration.seconds(1)

    /// The way in which an operation goes on after an error.
    enum Retry {
        /// On another connection, as this one is lost; on one that has just answered, where all idle ones may be lost.
        case elsewhere(isProven: Bool)
        /// On any connection, this one among them.
        case anywhere
    }

    /// Leases a connection and runs `operation` with it; again and on another one, as long as `retry` says so.
    ///
    /// - Parameters:
    ///   - isProven: Whether the connection must have answered just before.
    ///   - operation: What may be done several times.
    ///   - retry: Says how to go on after an error; nil for not at all.
    /// - Returns: The output, and the lease, which is the caller's to release.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func lease<Output>(
        _ role: ConnectionRole, purpose: LeasePurpose, isProven: Bool = false,
        trying operation: nonisolated(nonsending) (Lease) async throws -> Output,
        retry: (DatabaseError) -> Retry?
    ) async throws -> (output: Output, lease: Lease) {
        var isProven = isProven
        while true {
            let lease = try await isProven ? provenLease(role, purpose: purpose) : lease(role, purpose: purpose)
            do {
                return (try await operation(lease), lease)
            } catch {
                switch (error as? DatabaseError).flatMap(retry) {
                case .elsewhere(let needsProof):
                    lease.discard()
                    isProven = needsProof
                case .anywhere: lease.release()
                case nil:
                    lease.release()
                    throw error
                }
            }
        }
    }

    /// Runs `operation` with a lease; and a second time with another one, if the connection turns out to be lost at
    /// once.
    ///
    /// A connection that was lost while it was idle is nobody's concern. One that is lost later was ended while it
    /// worked, perhaps by an administrator because of what it did: so it is an error, and at the second time in any
    /// case.
    ///
    /// - Parameters:
    ///   - isSentAgain: Whether this is the second time already.
    ///   - operation: What may be done twice.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func withFreshLease<Output>(
        _ role: ConnectionRole, purpose: LeasePurpose, isSentAgain: Bool = false,
        _ operation: nonisolated(nonsending) (Lease) async throws -> Output
    ) async throws -> Output {
        var (isSentAgain, began) = (isSentAgain, PoolClock.now)
        let (output, lease) = try await lease(role, purpose: purpose, isProven: isSentAgain) { lease in
            began = PoolClock.now
            return try await operation(lease)
        } retry: { error in
            guard error.code == .connectionLost, !isSentAgain, PoolClock.now - began < Self.timeToNotice else {
                return nil
            }
            isSentAgain = true
            return .elsewhere(isProven: true)
        }
        lease.release()
        return output
    }

    /// Lends a connection that has just answered: where one was lost, all idle ones may be.
    private func provenLease(_ role: ConnectionRole, purpose: LeasePurpose) async throws -> Lease {
        var remaining = configuration.pool.maximumConnections
        return try await lease(role, purpose: purpose) { lease in
            try await lease.connection.run(
                controlStatements.probe, .none, timeout: configuration.timeouts.statement
            ) { rows in while try rows.next() != nil {} }
        } retry: { error in
            Self.retry(after: error, &remaining)
        }.lease
    }

    /// Goes on with another connection where one was lost, as often as there can be some that are.
    private static func retry(after error: DatabaseError, _ remaining: inout Int) -> Retry? {
        guard error.code == .connectionLost, remaining > 0 else { return nil }
        remaining -= 1
        return .elsewhere(isProven: false)
    }

    /// Begins a transaction on a connection that is not lost.
    func begin(
        _ isolation: IsolationLevel, isReadOnly: Bool, purpose: LeasePurpose, attempt: TransactionAttempt? = nil,
        after setting: String? = nil, span: TransactionSpan? = nil
    ) async throws -> (Session, Lease) {
        // An engine that lacks a level does what a stronger one says.
        let hasSnapshot = isolation >= .repeatableRead || !capabilities.isolationLevels.contains(isolation)
        var remaining = configuration.pool.maximumConnections
        return try await lease(isReadOnly ? .read : .write, purpose: purpose) { lease in
            let session = Session(
                core: self, lease: lease, isReadOnly: isReadOnly, hasSnapshot: hasSnapshot, attempt: attempt,
                span: span)
            if let setting { try await session.execute(Statement(setting, isCached: false)) }
            try await session.begin(isolation)
            return session
        } retry: { error in
            Self.retry(after: error, &remaining)
        }
    }
}
