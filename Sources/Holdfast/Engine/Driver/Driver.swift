/// A driver for one database of an engine, through which ``Database`` opens connections.
///
/// ```swift
/// struct MyDriver: Driver {
///     let dialect: any Dialect = MyDialect()
///     let sharing = ConnectionSharing.any
///
///     func connect(_ role: ConnectionRole) async throws -> any DriverConnection { try await MyConnection(role) }
/// }
/// ```
@_spi(Driver) public protocol Driver: Sendable {
    /// How this engine's SQL is written.
    var dialect: any Dialect { get }

    /// How connections are shared out.
    var sharing: ConnectionSharing { get }

    /// Whether sessions of the server are shared with other clients, so that nothing may be left in one: behind a
    /// pooler in transaction mode.
    var sharesSessions: Bool { get }

    /// The database, as traces and metrics name it.
    ///
    /// A driver that does not implement this is known as `other_sql`.
    var telemetryTarget: TelemetryTarget { get }

    /// Opens a connection for `role`.
    ///
    /// - Throws: ``DatabaseError/Code/cannotConnect`` or ``DatabaseError/Code/authenticationFailed``, within the
    ///   connect timeout of the configuration.
    func connect(_ role: ConnectionRole) async throws -> any DriverConnection

    /// Deletes the database with everything in it, unless anybody else is connected.
    ///
    /// It is called on a driver that has opened no connection. A driver that does not implement this refuses it, and
    /// does not claim ``Capabilities/maintainsDatabases``.
    ///
    /// - Parameter name: The name by which the caller knows the database: it must be that of this one.
    /// - Throws: ``DatabaseError/Code/conflict`` if that is not its name, or if it is in use;
    ///   ``DatabaseError/Code/notFound`` if it does not exist.
    func deleteDatabase(confirmingName name: String) async throws

    /// Releases what outlives connections (threads, temporary files), after the last of them was closed.
    func shutdown() async
}

@_spi(Driver) extension Driver {
    public func shutdown() async {}

    public func deleteDatabase(confirmingName name: String) async throws {
        throw DatabaseError(
            .unsupported, "The driver of this engine can't delete a database. Use the engine's own tools.")
    }

    public var sharesSessions: Bool { false }

    public var telemetryTarget: TelemetryTarget { TelemetryTarget() }
}

/// The purpose of a connection.
@_spi(Driver) public enum ConnectionRole: Hashable, Sendable {
    /// Reading and writing.
    case write
    /// Reading only; the connection refuses writes.
    ///
    /// ```sql
    /// PRAGMA query_only = ON -- SQLite, once the connection is open
    /// ```
    case read
}

/// How an engine's connections are shared out.
@_spi(Driver) public enum ConnectionSharing: Sendable {
    /// Any connection does anything.
    case any
    /// One connection writes, the others read: an engine with a single writer.
    case singleWriter
}
