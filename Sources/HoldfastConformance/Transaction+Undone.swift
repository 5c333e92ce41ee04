import Holdfast

extension Transaction {
    /// Runs a nested transaction that is rolled back on purpose; any other error is one.
    func undone(_ body: nonisolated(nonsending) (Transaction) async throws -> Void) async throws {
        do {
            try await transaction { nested in
                try await body(nested)
                throw CancellationError()
            }
        } catch is CancellationError {}
    }
}
