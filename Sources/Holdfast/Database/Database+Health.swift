extension Database {
    /// Asks the database whether it answers: for health checks.
    ///
    /// ```swift
    /// let duration = try await db.ping()
    /// // SELECT 1
    /// ```
    ///
    /// It waits for a connection as any operation does, for `checkoutTimeout` at most, and for the answer for
    /// `statementTimeout`. A connection that was lost while it was idle is replaced.
    ///
    /// - Returns: How long it took, including the time until there was a connection.
    /// - Throws: ``DatabaseError/Code/poolTimeout`` if all connections are in use; ``DatabaseError/Code/cannotConnect``,
    ///   ``DatabaseError/Code/connectionLost`` or ``DatabaseError/Code/statementTimeout`` if there is no answer.
    @discardableResult
    public func ping(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Duration {
        let start = PoolClock.now
        try await access(fileID, line).perform(.read, purpose: "ping") { session, _ in
            _ = try await session.execute(core.statements.probe)
        }
        return PoolClock.now - start
    }

    /// The state of the connections now: how many there are, who uses them since when, and how many operations wait.
    ///
    /// It takes a lock for a moment, and asks nothing of the server.
    public var poolStatistics: PoolStatistics { core.poolStatistics }
}
