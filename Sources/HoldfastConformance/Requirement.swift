public import Holdfast

/// Something that an engine can do, or do by other means, or can't do: judged by its ``Holdfast/Capabilities``.
public struct Requirement: Sendable {
    /// How an engine meets a requirement.
    public enum Support: Hashable, Sendable {
        /// As asked.
        case native
        /// By something else that means the same, or more.
        case emulated
        /// Not at all: asking for it is refused.
        case missing
    }

    /// The name of the requirement, for people: `ending other sessions`.
    public let name: String
    /// Judges an engine.
    public let support: @Sendable (Capabilities) -> Support

    /// Creates a requirement, with a function that reads its support from the capabilities of an engine.
    public init(_ name: String, support: @escaping @Sendable (Capabilities) -> Support) {
        self.name = name
        self.support = support
    }
}

extension Requirement {
    /// Sessions can be ended from outside, so that the loss of a connection can be provoked.
    public static let terminatingSessions = Requirement("ending other sessions") {
        $0.canTerminateSessions ? .native : .missing
    }

    /// Two transactions write at the same time; with one writer they take turns, which means the same.
    public static let concurrentWriters = Requirement("concurrent writers") {
        $0.hasConcurrentWriters ? .native : .emulated
    }

    /// Sessions are notified by others.
    public static let notifications = Requirement("notifications") {
        $0.deliversNotifications ? .native : .missing
    }

    /// Queries ask for values inside documents.
    public static let documents = Requirement("values inside documents") {
        $0.looksIntoDocuments ? .native : .missing
    }

    /// Types declare a full text search.
    public static let textSearch = Requirement("full text search") { $0.searchesText ? .native : .missing }

    /// Values inside documents are indexed.
    public static let documentIndexes = Requirement("indexes of values inside documents") {
        $0.indexesDocuments ? .native : .missing
    }

    /// The driver describes the schema of a database.
    public static let describingSchemas = Requirement("describing schemas") {
        $0.describesSchemas ? .native : .missing
    }

    /// The engine vacuums and analyzes tables.
    public static let vacuuming = Requirement("vacuuming tables") {
        $0.vacuums && $0.maintainsDatabases ? .native : .missing
    }

    /// The engine analyzes tables, and the driver deletes databases.
    public static let maintenance = Requirement("maintaining databases") {
        $0.maintainsDatabases ? .native : .missing
    }

    /// Indexes are built while others write; with one writer it means the same to build them as always.
    public static let concurrentIndexes = Requirement("building indexes concurrently") {
        $0.buildsIndexesConcurrently ? .native : $0.hasConcurrentWriters ? .missing : .emulated
    }

    /// An isolation level; a stronger one means the same to whoever asked.
    public static func isolation(_ level: IsolationLevel) -> Requirement {
        Requirement("\(level) isolation") { capabilities in
            if capabilities.isolationLevels.contains(level) { return .native }
            return capabilities.isolationLevels.contains { $0 > level } ? .emulated : .missing
        }
    }
}
