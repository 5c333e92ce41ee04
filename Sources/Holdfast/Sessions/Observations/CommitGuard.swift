/// A check that runs before each commit that changes objects of a type, until this is released.
///
/// See ``Database/beforeCommit(of:_:)``.
public final class CommitGuard: Sendable {
    private let observations: Observations
    private let number: Int

    init(_ check: CommitCheck, _ observations: Observations) {
        self.observations = observations
        number = observations.add(check)
    }

    /// Ends the check: it runs for no transaction that begins to commit later.
    public func end() { observations.end(number) }

    deinit { observations.end(number) }
}

/// What is asked before a commit that changes some rows.
struct CommitCheck: Sendable {
    let rows: ListenedRows
    let run: @Sendable ([ObjectChange], Transaction) async throws -> Void
}
