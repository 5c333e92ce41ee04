/// A function of the rows of a query around each row: `… OVER (PARTITION BY … ORDER BY …)`.
struct QueryWindow: Sendable {
    /// The function, with the values that it takes.
    let function: WindowFunction
    let arguments: [QueryNode]
    /// The values by which the rows are divided; none for all rows in one part.
    let partition: [QueryNode]
    let orders: [Ordering]

    var nodes: [QueryNode] { arguments + partition + orders.map(\.node) }
}

/// A function of the rows around a row.
enum WindowFunction: Hashable, Sendable {
    case rowNumber
}
