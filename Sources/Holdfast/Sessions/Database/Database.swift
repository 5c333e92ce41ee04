/// An open database, which saves and fetches objects.
///
/// ```swift
/// let db = try await Database.open(.sqlite(path: "catalog.db"))
/// try await db.migrate(Project.self)
/// let project = Project(name: "Apollo")
/// try await db.save(project)                  // project.id is set
/// let same = try await db.find(Project.self, key: project.id ?? 0)
/// try await db.close()
/// ```
///
/// Any number of tasks can share it. Each operation borrows a connection while it runs. Use
/// ``transaction(isolation:maxRetries:fileID:line:_:)`` for operations that belong together.
public final class Database: DatabaseContext {
    let core: DatabaseCore

    init(core: DatabaseCore) { self.core = core }

    public var _access: DatabaseAccess { DatabaseAccess(kind: .database(core)) }

    /// The features of the engine.
    public var capabilities: Capabilities { core.capabilities }

    /// Waits for running operations and closes every connection.
    ///
    /// Later operations throw ``DatabaseError/Code/closed``.
    ///
    /// A second call waits for the first one.
    ///
    /// It waits for transactions and streams, however long they take; ``close(within:)`` limits the time.
    ///
    /// - Throws: ``DatabaseError/Code/nestedCheckout`` inside a transaction of this database, or inside a loop over one
    ///   of its streams, since it would wait for itself.
    public func close() async throws {
        try CurrentLease.check(core.id)
        try core.streamTasks.check()
        await core.close()
    }

    /// Waits for running operations for a limited time, then stops them and closes every connection.
    ///
    /// ```swift
    /// try await db.close(within: .seconds(20))   // when a server shuts down
    /// ```
    ///
    /// After the deadline, operations that wait for a connection throw ``DatabaseError/Code/closed``. Running
    /// statements end with ``DatabaseError/Code/cancelled``, as if their tasks had been cancelled. The next operation
    /// of a transaction or a stream throws ``DatabaseError/Code/closed``, so that it rolls back. A closure that
    /// continues without the database gets one more second; its connection is closed when it returns.
    ///
    /// - Parameter limit: The time to wait for running operations.
    /// - Throws: ``DatabaseError/Code/nestedCheckout``, as ``close()`` does.
    public func close(within limit: Duration) async throws {
        try CurrentLease.check(core.id)
        try core.streamTasks.check()
        await core.close(within: limit)
    }

    /// Closes the database as ``close(within:)`` does, in the time that its configuration leaves at a shutdown.
    package func closeAtShutdown() async throws { try await close(within: core.configuration.timeouts.shutdown) }
}
