extension Database {
    /// Checks that the database answers, for health checks.
    ///
    /// ```swift
    /// let duration = try await db.ping()
    /// // SELECT 1
    /// ```
    ///
    /// It waits for a connection as any operation does, for at most `pool.checkoutTimeout`, and for the answer for at
    /// most `timeouts.statement`. A connection that was lost while idle is replaced.
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

    /// Whether the database answers within some time: for the readiness probe of a server.
    ///
    /// ```swift
    /// router.get("/ready") { _, _ in await db.isReady() ? .ok : .serviceUnavailable }
    /// ```
    ///
    /// It does what ``ping(fileID:line:)`` does. A liveness probe should not ask the database: a program that is
    /// started anew because its server is away makes nothing better.
    ///
    /// - Parameters:
    ///   - limit: The longest time to wait; a second by default.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Returns: false as well if all connections are in use for that long, and if the database is closed.
    public func isReady(
        within limit: Duration = .seconds(1), fileID: StaticString = #fileID, line: UInt = #line
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            // Why it does not answer is in the log; a probe has room for yes and no.
            group.addTask { (try? await self.ping(fileID: fileID, line: line)) != nil }
            group.addTask {
                try? await Task.sleep(for: limit.bounded)
                return false
            }
            // Whichever comes first; a ping that is cancelled gives up at once.
            let isReady = await group.next() ?? false
            group.cancelAll()
            return isReady
        }
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
