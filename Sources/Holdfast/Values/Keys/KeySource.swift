/// The source of the values of a primary key, where its type does not tell.
public enum KeySource: Hashable, Sendable {
    /// The database does, when a row is inserted: by an identity, a sequence, a default or a trigger.
    ///
    /// ```swift
    /// @PrimaryKey(.database) var id: UUID?
    /// // INSERT INTO "item" ("name") VALUES ($1) RETURNING "id"
    /// ```
    case database
}
