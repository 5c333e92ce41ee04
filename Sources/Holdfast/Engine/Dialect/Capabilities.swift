/// The features of an engine: the query layer refuses or emulates what is missing, and the conformance suite checks
/// them.
///
/// ```swift
/// db.capabilities.engineVersion           // "3.40.1"
/// db.capabilities.hasConcurrentWriters    // false on SQLite
/// ```
public struct Capabilities: Sendable {
    /// The greatest number of parameters of one statement.
    public var maximumParameters: Int
    /// The greatest length of a name, in UTF-8 bytes; nil for no limit.
    public var maximumNameBytes: Int?
    /// The isolation levels that the engine has itself; a weaker one that is asked for is emulated by a stronger one.
    public var isolationLevels: Set<IsolationLevel>
    /// Whether several transactions can write concurrently, to different rows.
    public var hasConcurrentWriters: Bool
    /// Whether foreign key errors name their constraint.
    public var namesForeignKeys: Bool
    /// Whether the server can end sessions of others, so that losing a connection can be provoked.
    public var canTerminateSessions: Bool
    /// Whether a statement travels to a server, so that finding several objects by one takes less time than by one
    /// each.
    public var hasRoundTrips: Bool
    /// Whether the driver can describe a schema: see ``DatabaseContext/schema(_:includingSizes:fileID:line:)``.
    public var describesSchemas: Bool
    /// Whether the dialect has a statement to analyze tables, and the driver can delete a database.
    public var maintainsDatabases: Bool
    /// Whether tables can be vacuumed; false behind a pooler that shares sessions.
    public var vacuums: Bool
    /// Whether indexes of filled tables can be built while others write: see ``Schema/buildsIndexesConcurrently``.
    ///
    /// It is refused where it is false and there are concurrent writers.
    public var buildsIndexesConcurrently: Bool
    /// Whether a session can listen to notifications of others: see ``Database/notifications(on:buffer:)``.
    public var deliversNotifications: Bool
    /// Whether queries can ask for values inside documents: see ``QueryExpression/json(_:as:)``.
    ///
    /// It is what the dialect says.
    public internal(set) var looksIntoDocuments = false
    /// Whether types can declare a full text search: see ``Columns/matches(_:)-(SearchQuery)``.
    ///
    /// It is what the dialect says.
    public internal(set) var searchesText = false
    /// Whether values inside documents can be indexed: see ``TableIndex/Term/json(_:_:as:)``.
    public var indexesDocuments: Bool
    /// Whether a foreign key can lead to a table of another schema.
    ///
    /// Where it is false, a relation that leads there is declared without one.
    public var refersAcrossSchemas: Bool
    /// The features that the engine lacks though they are needed everywhere, so that opening the database is refused.
    public var lacking: Set<EngineRequirement>
    /// The engine's version, for people: `3.40.1`, `15.18`.
    public var engineVersion: String

    /// Creates the capabilities of an engine.
    public init(
        maximumParameters: Int,
        maximumNameBytes: Int?,
        isolationLevels: Set<IsolationLevel>,
        hasConcurrentWriters: Bool,
        namesForeignKeys: Bool,
        canTerminateSessions: Bool,
        hasRoundTrips: Bool = false,
        describesSchemas: Bool = false,
        maintainsDatabases: Bool = false,
        vacuums: Bool = false,
        buildsIndexesConcurrently: Bool = false,
        deliversNotifications: Bool = false,
        indexesDocuments: Bool = false,
        refersAcrossSchemas: Bool = false,
        lacking: Set<EngineRequirement> = [],
        engineVersion: String
    ) {
        self.maximumParameters = maximumParameters
        self.maximumNameBytes = maximumNameBytes
        self.isolationLevels = isolationLevels
        self.hasConcurrentWriters = hasConcurrentWriters
        self.namesForeignKeys = namesForeignKeys
        self.canTerminateSessions = canTerminateSessions
        self.hasRoundTrips = hasRoundTrips
        self.describesSchemas = describesSchemas
        self.maintainsDatabases = maintainsDatabases
        self.vacuums = vacuums
        self.buildsIndexesConcurrently = buildsIndexesConcurrently
        self.deliversNotifications = deliversNotifications
        self.indexesDocuments = indexesDocuments
        self.refersAcrossSchemas = refersAcrossSchemas
        self.lacking = lacking
        self.engineVersion = engineVersion
    }
}

/// How much a transaction sees of others that run at the same time; the names are the SQL standard's.
///
/// ```swift
/// try await db.transaction(isolation: .readCommitted) { tx in try await tx.save(project) }
/// ```
public enum IsolationLevel: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Each statement sees what was committed before it began.
    case readCommitted
    /// All statements see what was committed before the first of them.
    case repeatableRead
    /// Transactions behave as if they ran one after the other.
    case serializable

    public static func < (left: Self, right: Self) -> Bool {
        func rank(_ level: Self) -> Int { allCases.firstIndex(of: level) ?? 0 }
        return rank(left) < rank(right)
    }
}
