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

    /// - Parameter specification: What it asks for. A lock in it is refused where the query is written.
    init(_ specification: QuerySpecification, of description: TableDescription, _ output: Output) {
        (self.description, self.output) = (description, output)
        var specification = specification
        if specification.lock != nil {
            specification.failure = specification.failure ?? QuerySpecification.locksInside(description)
        }
        self.specification = specification
    }

    /// All parts of it.
    var nodes: [QueryNode] {
        let value: [QueryNode] = if case .value(let node) = output { [node] } else { [] }
        return specification.nodes + value
    }
}
