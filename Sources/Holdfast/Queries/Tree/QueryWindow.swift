/// A function of the rows of a query around each row: `… OVER (PARTITION BY … ORDER BY …)`.
struct QueryWindow: Sendable {
    let function: WindowFunction
    /// The values by which the rows are divided; none for all rows in one part.
    let partition: [QueryNode]
    let orders: [Ordering]
    /// The rows that an aggregate is computed of; nil for all of the part, or up to this one where there is an order.
    var frame: WindowFrame?

    var nodes: [QueryNode] {
        let own: [QueryNode] =
            switch function {
            case .rowNumber, .rank, .denseRank, .bucket, .relativeRank, .cumulativeShare: []
            case .earlier(let value, _), .later(let value, _), .first(let value), .last(let value): [value]
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
    /// The value in the last row.
    case last(QueryNode)
    /// The number of the bucket that the row falls into, of so many of the same size.
    case bucket(Int)
    /// The rank from 0 to 1.
    case relativeRank
    /// The share of the rows up to this one.
    case cumulativeShare
    /// An aggregate of all rows, or of those up to this one where there is an order.
    case aggregate(QueryAggregate)
}

/// Rows near a row, by their distances from it: less than 0 before it.
struct WindowFrame: Sendable {
    /// Nil for the first row of the part.
    let low: Int?
    /// Nil for the last row of the part.
    let high: Int?
}
