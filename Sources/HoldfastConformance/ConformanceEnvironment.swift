public import Holdfast
import Synchronization

/// The environment of a case: its own empty database, which it may open any number of times.
///
/// Databases that it opens are closed when the case has ended.
public final class ConformanceEnvironment: Sendable {
    /// The capabilities that the engine claims.
    public let capabilities: Capabilities
    /// The seed of random choices, printed when a case fails; an equal seed makes equal choices.
    public let seed: UInt64

    private let provision: any ConformanceProvision
    private let database: any ConformanceDatabase
    private let opened = Mutex<[Database]>([])

    init(_ provision: any ConformanceProvision, seed: UInt64) async throws {
        self.provision = provision
        self.seed = seed
        database = try await provision.makeDatabase()
        do {
            let probe = try await Database.open(database.configuration)
            capabilities = probe.capabilities
            try await probe.close()
        } catch {
            try await database.destroy()
            throw error
        }
    }

    /// The configuration of the case's database.
    public var configuration: DatabaseConfiguration { database.configuration }

    /// The configuration of a database that does not exist.
    public var unreachable: DatabaseConfiguration { provision.unreachable }

    /// Opens the case's database, even if it is already open, and migrates types.
    ///
    /// ```swift
    /// let db = try await environment.open(Note.self)
    /// ```
    ///
    /// - Parameters:
    ///   - types: The types that the case stores.
    ///   - configure: Changes the configuration.
    public func open(
        _ types: any TableObject.Type...,
        configure: (inout DatabaseConfiguration) -> Void = { _ in }
    ) async throws -> Database {
        let database = try await Database.open(configuration.with(configure))
        opened.withLock { $0.append(database) }
        if !types.isEmpty { try await database.migrate(types) }
        return database
    }

    /// Makes an empty schema beside the case's database, and opens the database so that types can be in it.
    ///
    /// - Throws: ``Holdfast/DatabaseError/Code/unsupported`` if the driver has no schemas.
    public func open(withSchema name: String) async throws -> Database {
        let database = try await Database.open(database.configuration(withSchema: name))
        opened.withLock { $0.append(database) }
        return database
    }

    /// Ends every session with the case's database.
    ///
    /// - Throws: ``Holdfast/DatabaseError/Code/unsupported`` if the engine has no sessions.
    public func terminateSessions() async throws { try await database.terminateSessions() }

    /// Closes what was opened, and removes the database.
    func tearDown() async throws {
        var failure: (any Error)?
        for database in opened.withLock({ $0 }) {
            do {
                try await database.close()
            } catch {
                failure = error
            }
        }
        try await database.destroy()
        if let failure { throw failure }
    }
}
