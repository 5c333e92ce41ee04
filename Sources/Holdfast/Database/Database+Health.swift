extension Database {
    /// Checks that the database answers, for health checks.
    ///
    /// ```swift
    /// let duration = try await db.ping()
    /// // SELECT 1
    /// ```
    ///
    /// It waits for a connection as any operation does, for at most `checkoutTimeout`, and for the answer for at most
    /// `statementTimeout`. A connection that was lost while idle is replaced.
    ///
    /// - Returns: The duration, including the time until a connection was free.
    /// - Throws: ``DatabaseError/Code/poolTimeout`` if all connections are in use;
    ///   ``DatabaseError/Code/cannotConnect``, ``DatabaseError/Code/connectionLost`` or
    ///   ``DatabaseError/Code/statementTimeout`` if there is no answer.
    @discardableResult
    public func ping(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Duration {
        let start = PoolClock.now
        try await access(fileID, line).perform(.read, purpose: "ping") { session, _ in
            _ = try await session.execute(core.controlStatements.probe)
        }
        return PoolClock.now - start
    }

    /// The current state of the connections: their number, their users, and the number of waiting operations.
    ///
    /// ```swift
    /// print(db.poolStatistics.waiting)    // 0
    /// ```
    ///
    /// Reading it locks the pool for a moment and sends nothing to the server.
    public var poolStatistics: PoolStatistics { core.poolStatistics }
}
