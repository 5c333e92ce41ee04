/// A query inside a query: for a value, for a list of values, or for whether there is a row.
struct QuerySubquery: Sendable {
    /// What it gives.
    enum Output: Sendable {
        /// A value.
        case value(QueryNode)
        /// The keys of objects.
        case keys
        /// The number of objects.
        case count
    }

    let description: TableDescription
    let specification: QuerySpecification
    let output: Output
    /// What the database sees by which it was made; nil if that says nothing of scopes.
    let view: ScopeView?

    /// - Parameter specification: What it asks for. A lock in it is refused where the query is written.
    init(
        _ specification: QuerySpecification, of description: TableDescription, _ output: Output, view: ScopeView? = nil
    ) {
        (self.description, self.output, self.view) = (description, output, view)
        var specification = specification
        if specification.lock != nil {
            specification.failure = specification.failure ?? QuerySpecification.locksInside(description)
        }
        self.specification = specification
    }

    /// Throws if the query around it sees other rows of types with scopes.
    func requireView(_ outer: ScopeView?) throws {
        guard let view, !view.seesAs(outer) else { return }
        let types = [description] + [specification.join?.description].compactMap { $0 }
        guard types.contains(where: { !$0.scopedTypes.isEmpty }) else { return }
        throw DatabaseError(
            .unsupported,
            "A query of \(description.type) inside of another one ignores other scopes, or has other values of them. Make both by one database.",
            table: description.table)
    }

    /// All parts of it.
    var nodes: [QueryNode] {
        let value: [QueryNode] = if case .value(let node) = output { [node] } else { [] }
        return specification.nodes + value
    }
}
