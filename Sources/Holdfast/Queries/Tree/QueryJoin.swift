/// Another table beside the one that a query is about: each row is given with each of the other that meets a condition.
struct QueryJoin: Sendable {
    let description: TableDescription
    /// The scopes in which closures name an object of the other table.
    var scopes = QueryScopes()
    var condition: QueryNode
    /// Whether a row to which there is none of the other is given, too.
    let isOuter: Bool
}
