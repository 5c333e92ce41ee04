/// A query whose values are combined with those of the queries before it.
struct SelectionPart: Sendable {
    enum Operation: String, Sendable {
        case union = "UNION"
        case unionAll = "UNION ALL"
        case intersection = "INTERSECT"
        case difference = "EXCEPT"
    }

    let operation: Operation
    let query: QuerySubquery
    /// What it selects.
    let nodes: [QueryNode]
}
