public import Holdfast
public import ServiceLifecycle

/// A database as a service of swift-service-lifecycle.
extension Database: Service {
    /// Waits for graceful shutdown, and then closes the database as ``close(within:)`` does.
    ///
    /// ```swift
    /// let db = try await Database.open(.postgres(url: url))
    /// let group = ServiceGroup(services: [db, server], gracefulShutdownSignals: [.sigterm], logger: logger)
    /// try await group.run()
    /// ```
    ///
    /// A group shuts its services down one after the other, the last of them first: name the database before those that
    /// use it, so that they have ended when it closes. What is still under way then has
    /// the ``DatabaseConfiguration/Timeouts/shutdown`` timeout to end.
    ///
    /// If its task is cancelled, the database is closed, too.
    ///
    /// - Throws: ``DatabaseError/Code/nestedCheckout`` inside a transaction of this database.
    public func run() async throws {
        // It throws where the task is cancelled, which ends the wait as well.
        try? await gracefulShutdown()
        try await closeAtShutdown()
    }
}
