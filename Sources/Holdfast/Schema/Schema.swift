/// The types that a program stores, and the changes to its database that no comparison of the two can find.
///
/// ```swift
/// let schema = Schema(Note.self, Person.self, migrations: [
///     Migration("2026-11-24 headline") { $0.rename(column: "title", of: "note", to: "headline") }
/// ])
/// try await db.migrate(schema)
/// ```
public struct Schema {
    /// The types that the program stores.
    public var types: [any TableObject.Type]
    /// The named migrations, in the order in which they are run.
    public var migrations: [Migration]
    /// The changes that may lose something.
    public var allowed: [SchemaLoss]

    /// Creates a schema of types, migrations, and what may be lost.
    public init(
        _ types: any TableObject.Type..., migrations: [Migration] = [], allowing allowed: [SchemaLoss] = []
    ) {
        self.init(types: types, migrations: migrations, allowing: allowed)
    }

    /// Creates a schema of a list of types, migrations, and what may be lost.
    public init(
        types: [any TableObject.Type], migrations: [Migration] = [], allowing allowed: [SchemaLoss] = []
    ) {
        (self.types, self.migrations, self.allowed) = (types, migrations, allowed)
    }
}
