/// A function of the rows of a query around each row: `… OVER (PARTITION BY … ORDER BY …)`.
struct QueryWindow: Sendable {
    let function: WindowFunction
    /// The values by which the rows are divided; none for all rows in one part.
    let partition: [QueryNode]
    let orders: [Ordering]

    var nodes: [QueryNode] {
        let own: [QueryNode] =
            switch function {
            case .rowNumber, .rank, .denseRank: []
            case .earlier(let value, _), .later(let value, _), .first(let value): [value]
            case .aggregate(let aggregate): aggregate.nodes
            }
        return own + partition + orders.map(\.node)
    }
}

/// A function of the rows around a row.
enum WindowFunction: Sendable {
    case rowNumber
    case rank
    case denseRank
    /// The value in the row that comes so many rows before.
    case earlier(QueryNode, Int)
    /// The value in the row that comes so many rows later.
    case later(QueryNode, Int)
    /// The value in the first row.
    case first(QueryNode)
    /// An aggregate of all rows, or of those up to this one where there is an order.
    case aggregate(QueryAggregate)
}
