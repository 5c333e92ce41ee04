import Holdfast

/// What the database of a test begins as: the tables of some types, and what a closure adds to them.
struct DatabaseTemplate: Sendable {
    /// What tells templates apart within this process.
    ///
    /// Closures can't be compared, so one is known by where it was given.
    struct Key: Hashable, Sendable {
        let types: Set<ObjectIdentifier>
        let place: String?
    }

    let types: [any TableObject.Type]
    let prepare: (@Sendable (Database) async throws -> Void)?
    let key: Key

    init(
        _ types: [any TableObject.Type], prepare: (@Sendable (Database) async throws -> Void)?, place: String
    ) {
        self.types = types
        self.prepare = prepare
        key = Key(types: Set(types.map { ObjectIdentifier($0) }), place: prepare == nil ? nil : place)
    }

    /// Makes an empty database the template.
    func fill(_ configuration: DatabaseConfiguration) async throws {
        try await Database.withDatabase(configuration) { db in
            if !types.isEmpty { try await db.migrate(types) }
            try await prepare?(db)
        }
    }
}
