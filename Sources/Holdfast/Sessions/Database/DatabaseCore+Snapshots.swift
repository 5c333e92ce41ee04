/// Transactions that read one state of the database.
extension DatabaseCore {
    /// Runs `operation` in a transaction that only reads, of which it sees one state of the database.
    ///
    /// And again, if its connection turns out to be lost before anything was read, or a table to have changed since a
    /// statement was prepared: what it changes outside of itself has to bear that.
    ///
    /// On a server it begins and ends with statements of the operation, which does nothing but load one graph.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func withSnapshot<Output>(
        purpose: LeasePurpose, _ operation: nonisolated(nonsending) (Session) async throws -> Output
    ) async throws -> Output {
        try await withSpan(purpose) { span in try await withSnapshot(purpose, span, operation) }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func withSnapshot<Output>(
        _ purpose: LeasePurpose, _ span: TransactionSpan?,
        _ operation: nonisolated(nonsending) (Session) async throws -> Output
    ) async throws -> Output {
        guard capabilities.hasRoundTrips, capabilities.isolationLevels.contains(.repeatableRead) else {
            let (session, lease) = try await begin(.repeatableRead, isReadOnly: true, purpose: purpose, span: span)
            defer { lease.release() }
            return try await operation(session)
        }
        var (isSentAgain, refusals) = (false, 0)
        var transaction: LoadTransaction?
        let (output, lease) = try await lease(.read, purpose: purpose) { lease in
            let new = LoadTransaction(begin: controlStatements.begin(.repeatableRead, readOnly: true, dialect: dialect))
            transaction = new
            return try await operation(
                Session(
                    core: self, lease: lease, isReadOnly: true, hasSnapshot: true, loadTransaction: new, span: span))
        } retry: { error in
            let retry: Retry
            switch error.code {
            case .connectionLost where !isSentAgain && transaction?.canRunAgainAfterLoss == true:
                isSentAgain = true
                retry = .elsewhere(isProven: true)
            case .serializationFailure
            where refusals < configuration.pool.maximumConnections && transaction?.canRunAgainAfterRefusal == true:
                // A statement was prepared for a table that has changed since: on each connection once at most.
                refusals += 1
                retry = .anywhere
            default: return nil
            }
            span?.noteRetry(refusals + (isSentAgain ? 1 : 0), after: error)
            return retry
        }
        lease.release()
        return output
    }
}
