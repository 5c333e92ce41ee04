extension DatabaseContext {
    /// Runs `body` atomically: in a transaction of a database, or in a savepoint of a transaction.
    ///
    /// A function that uses it is atomic wherever you call it:
    ///
    /// ```swift
    /// func move(_ amount: Decimal, from: Account, to: Account, in context: some DatabaseContext) async throws {
    ///     try await context.transaction { tx in
    ///         from.balance -= amount
    ///         to.balance += amount
    ///         try await tx.save([from, to])
    ///     }
    /// }
    /// try await move(5, from: a, to: b, in: db)                                    // BEGIN … COMMIT
    /// try await db.transaction { try await move(5, from: a, to: b, in: $0) }       // SAVEPOINT … RELEASE
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    ///   - body: The operations; runs on the caller's isolation.
    /// - Throws: The errors of ``Database/transaction(isolation:maxRetries:fileID:line:_:)`` with its defaults, or
    ///   ``Transaction/transaction(_:)``.
    // Disfavored, so that the methods of the two types are used where the type is known.
    @_disfavoredOverload
    @discardableResult
    public func transaction<Output>(
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        switch _access.kind {
        case .database(let core):
            try await Database(core: core).transaction(fileID: fileID, line: line) { try await body($0) }
        case .transaction(let scope): try await Transaction(scope: scope).transaction { try await body($0) }
        }
    }
}
