@_spi(Driver) import Holdfast

extension ConformanceCase {
    /// The result of a fetch in a read-committed transaction, one of whose statements waits until another has
    /// committed.
    ///
    /// - Parameters:
    ///   - text: A text of the first statement that is held up.
    ///   - sees: Whether somebody can commit meanwhile.
    static func fetched(
        _ db: Database, _ probe: StatementProbe, holding text: String, sees: Bool,
        _ fetch: (Transaction) async throws -> [String], meanwhile write: @escaping @Sendable () async throws -> Void
    ) async throws -> [String] {
        let (reached, enough) = (Signal(), Signal())
        let writing = Task {
            await reached.wait()
            defer { enough.give() }
            // Where one connection writes, this one waits for the transaction.
            if !sees { enough.give() }
            try await write()
        }
        let found = try await db.transaction(isolation: .readCommitted) { tx in
            probe.hold(text, reached: reached, until: enough)
            return try await fetch(tx)
        }
        reached.give()
        try await writing.value
        return found
    }
}
