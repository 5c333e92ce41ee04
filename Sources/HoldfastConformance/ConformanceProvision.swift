public import Holdfast

/// Creates databases for the cases.
///
/// Implement it to run the suite on an engine.
public protocol ConformanceProvision: Sendable {
    /// Creates an empty database that nobody else uses: a file or a schema.
    func makeDatabase() async throws -> any ConformanceDatabase

    /// The configuration of a database that does not exist, so that opening it fails.
    var unreachable: DatabaseConfiguration { get }
}

/// An isolated database of one case.
public protocol ConformanceDatabase: Sendable {
    /// How to open it; a case opens it as often as it needs connections of its own.
    var configuration: DatabaseConfiguration { get }

    /// Makes an empty schema beside the database, which goes with it.
    ///
    /// - Parameter name: The name of the schema of PostgreSQL, or of the attached file of SQLite.
    /// - Returns: How to open the database so that types can be in that schema.
    /// - Throws: ``Holdfast/DatabaseError/Code/unsupported`` if the driver has no schemas; the default does.
    func configuration(withSchema name: String) async throws -> DatabaseConfiguration

    /// Ends every session with this database, as an administrator or a crash would.
    ///
    /// - Throws: ``Holdfast/DatabaseError/Code/unsupported`` if the engine has no sessions; the default does.
    func terminateSessions() async throws

    /// Removes the database with its contents. Nothing is open any more, unless a case hung.
    func destroy() async throws
}

extension ConformanceDatabase {
    public func configuration(withSchema name: String) async throws -> DatabaseConfiguration {
        throw DatabaseError(.unsupported, "The driver of this engine has no schemas beside that of the database.")
    }

    public func terminateSessions() async throws {
        throw DatabaseError(.unsupported, "Sessions of this engine can't be ended from outside.")
    }
}
