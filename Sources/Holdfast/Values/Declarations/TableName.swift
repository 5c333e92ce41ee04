/// The name of a table, with that of its schema if it is in another one than the tables that `migrate` makes.
///
/// ```swift
/// TableName(schema: "sales", "orders")    // "sales"."orders"
/// ```
///
/// A schema is one of PostgreSQL, or an attached file of SQLite. Two tables of one name in different schemas are
/// different tables.
public struct TableName: Hashable, Sendable {
    /// The schema; nil for the one in which `migrate` makes tables.
    public var schema: String?
    /// The name within the schema.
    public var name: String

    /// Creates a name.
    public init(schema: String? = nil, _ name: String) {
        self.schema = schema
        self.name = name
    }
}

extension TableName: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral name: String) { self.init(name) }

    /// The name as people write it: `sales.orders`.
    public var description: String { schema.map { "\($0).\(name)" } ?? name }
}
