public import Holdfast

/// Makes databases for the cases: what whoever runs the suite has to supply for an engine.
public protocol ConformanceProvision: Sendable {
    /// Makes an empty database that nobody else uses: a file, a schema.
    func makeDatabase() async throws -> any ConformanceDatabase

    /// Names a place of this engine where there is no database, so that opening it fails.
    var unreachable: DatabaseConfiguration { get }
}

/// An isolated database of one case.
public protocol ConformanceDatabase: Sendable {
    /// How to open it; a case opens it as often as it needs connections of its own.
    var configuration: DatabaseConfiguration { get }

    /// Ends every session with this database at once, as an administrator or a crash would.
    ///
    /// - Throws: ``Holdfast/DatabaseError/Code/unsupported`` where the engine has no sessions that could be ended; that is
    ///   what the default does.
    func terminateSessions() async throws

    /// Removes the database and everything in it. Nothing is open any more, unless a case hung.
    func destroy() async throws
}

extension ConformanceDatabase {
    public func terminateSessions() async throws {
        throw DatabaseError(.unsupported, "Sessions of this engine can't be ended from outside.")
    }
}
