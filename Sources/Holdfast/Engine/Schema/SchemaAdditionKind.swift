/// The kind of something that the database needs besides tables: see ``SchemaAddition``.
public enum SchemaAdditionKind: Hashable, Sendable {
    /// A view.
    case view
    /// A table that no type has, such as one for full-text search.
    case table
    /// An index of a table that no type can declare.
    case index(table: String)
    /// A trigger of a table.
    case trigger(table: String)
    /// A function.
    case function
    /// An extension of the engine.
    case `extension`
    /// Rows.
    case rows
    /// Anything else.
    case other
}
