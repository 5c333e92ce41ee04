/// A value computed from all rows of a query, or of a group.
struct QueryAggregate: Sendable {
    let kind: Kind
    /// What is aggregated; nil for rows, and for SQL of the caller's.
    let argument: QueryNode?
    /// The rows that count; nil for all.
    var condition: QueryNode?

    enum Kind: Sendable {
        case function(AggregateFunction)
        /// Texts one after another, with a separator between them.
        case joined(separator: QueryNode, orders: [Ordering])
        case sql(QueryFragment, ColumnType)
        /// What is at a fraction of the values in their order: one of them, or a number between two.
        case percentile(Double, isDiscrete: Bool)
    }

    var nodes: [QueryNode] {
        let own: [QueryNode] =
            switch kind {
            case .function, .percentile: []
            case .joined(let separator, let orders): [separator] + orders.map(\.node)
            case .sql(let fragment, let type): [.sql(fragment, type)]
            }
        return [argument, condition].compactMap(\.self) + own
    }
}

extension QueryNode {
    /// An aggregate of a value, or of rows.
    static func computing(
        _ function: AggregateFunction, of argument: QueryNode?, where condition: QueryNode? = nil
    ) -> QueryNode {
        .aggregate(QueryAggregate(kind: .function(function), argument: argument, condition: condition))
    }
}
