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

    /// Creates a schema of types and migrations.
    public init(_ types: any TableObject.Type..., migrations: [Migration] = []) {
        self.init(types: types, migrations: migrations)
    }

    /// Creates a schema of a list of types and migrations.
    public init(types: [any TableObject.Type], migrations: [Migration] = []) {
        (self.types, self.migrations) = (types, migrations)
    }
}
