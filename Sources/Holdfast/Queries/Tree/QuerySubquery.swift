/// A query inside a query: of a type of its own, for a value, for a list of values, or for whether there is a row.
struct QuerySubquery: Sendable {
    let description: TableDescription
    /// The scope in which its parts name an object of its type.
    let scope: QueryScope
    let condition: QueryNode?
    let value: QueryNode?
}
