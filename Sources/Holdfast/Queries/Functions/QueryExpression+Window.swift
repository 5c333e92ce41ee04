/// What the rows of a query can be divided by: a property, an expression, or a relation.
///
/// ```swift
/// $0.price.sum.over(partition: [$0.category, $0.customer])
/// ```
public protocol Partitioning: Sendable {
    var _partition: PartitioningNode { get }
}

/// The expression that rows are divided by.
public struct PartitioningNode: Sendable {
    let node: QueryNode
}

extension QueryExpression: Partitioning {
    public var _partition: PartitioningNode { PartitioningNode(node: node) }
}

extension Columns: Partitioning {
    public var _partition: PartitioningNode { PartitioningNode(node: node) }
}

extension QueryExpression {
    /// The aggregate of the rows around each row, in place of one value of all rows.
    ///
    /// ```swift
    /// .select { ($0.at, $0.price.sum.over(partition: [$0.category], order: [$0.at.ascending])) }
    /// // sum(t0."price") OVER (PARTITION BY t0."category" ORDER BY t0."at", t0."id"
    /// //     ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
    /// ```
    ///
    /// Without an order, it is that of all rows in the part. With an order, it is that of the rows up to this one: a
    /// running sum. Rows that the order leaves the same follow each other by their keys.
    ///
    /// The rows are those that meet the conditions, before a limit cuts them. It can be selected and ordered by, and
    /// not asked for by `where`.
    ///
    /// - Parameters:
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part.
    public func over(partition: [any Partitioning] = [], order: [Ordering] = []) -> QueryExpression {
        guard case .aggregate(let aggregate) = node else {
            return QueryExpression(
                .failure(
                    DatabaseError(
                        .invalidValue,
                        "Only an aggregate is computed over a window, as in `$0.price.sum.over(…)`.")))
        }
        return QueryExpression(.window(.aggregate(aggregate), partition, order), storage: storage)
    }

    /// The value in the first row of the part.
    ///
    /// ```swift
    /// .select { ($0.price, $0.price.first(partition: [$0.category], order: [$0.at.descending])) }
    /// // first_value(t0."price") OVER (PARTITION BY t0."category" ORDER BY t0."at" DESC, t0."id")
    /// ```
    ///
    /// - Parameters:
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part; where it leaves rows the same, and by default, that of the keys.
    public func first(partition: [any Partitioning] = [], order: [Ordering]) -> QueryExpression {
        QueryExpression(.window(.first(node), partition, order), storage: storage)
    }
}

extension QueryExpression where Value: Storable {
    /// The value in a row before this one; nil where there is none.
    ///
    /// ```swift
    /// .select { ($0.price, $0.price.lag(order: [$0.at.ascending])) }
    /// // lag(t0."price", 1) OVER (ORDER BY t0."at", t0."id")
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many rows before, 0 or more.
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part; where it leaves rows the same, that of the keys.
    public func lag(
        _ count: Int = 1, partition: [any Partitioning] = [], order: [Ordering]
    ) -> QueryExpression<Value?> {
        QueryExpression<Value?>(.window(.earlier(node, count), partition, order), storage: storage)
    }

    /// The value in a row after this one; nil where there is none.
    ///
    /// - Parameters:
    ///   - count: How many rows later, 0 or more.
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part; where it leaves rows the same, that of the keys.
    public func lead(
        _ count: Int = 1, partition: [any Partitioning] = [], order: [Ordering]
    ) -> QueryExpression<Value?> {
        QueryExpression<Value?>(.window(.later(node, count), partition, order), storage: storage)
    }
}

extension QueryExpression where Value: OptionalValue {
    /// The value in a row before this one; nil where there is none, or where it is nil.
    public func lag(
        _ count: Int = 1, partition: [any Partitioning] = [], order: [Ordering]
    ) -> QueryExpression {
        QueryExpression(.window(.earlier(node, count), partition, order), storage: storage)
    }

    /// The value in a row after this one; nil where there is none, or where it is nil.
    public func lead(
        _ count: Int = 1, partition: [any Partitioning] = [], order: [Ordering]
    ) -> QueryExpression {
        QueryExpression(.window(.later(node, count), partition, order), storage: storage)
    }
}

extension Columns {
    /// The number of the row in its part, from 1.
    ///
    /// ```swift
    /// .select { ($0.id, $0.rowNumber(partition: [$0.chat], order: [$0.at.descending])) }
    /// // row_number() OVER (PARTITION BY t0."chat_id" ORDER BY t0."at" DESC, t0."id")
    /// ```
    ///
    /// - Parameters:
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part; where it leaves rows the same, and by default, that of the keys.
    public func rowNumber(partition: [any Partitioning] = [], order: [Ordering] = []) -> QueryExpression<Int> {
        QueryExpression<Int>(.window(.rowNumber, partition, order))
    }

    /// The rank of the row in its part, from 1: rows that the order leaves the same have one rank, and those after them
    /// the number of rows before, plus 1.
    ///
    /// ```swift
    /// .select { ($0.name, $0.rowRank(order: [$0.points.descending])) }    // rank() OVER (ORDER BY t0."points" DESC)
    /// ```
    ///
    /// - Parameters:
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part.
    public func rowRank(partition: [any Partitioning] = [], order: [Ordering]) -> QueryExpression<Int> {
        QueryExpression<Int>(.window(.rank, partition, order))
    }

    /// The rank of the row in its part, from 1, without gaps: the number of different ranks before, plus 1.
    ///
    /// ```swift
    /// .select { ($0.name, $0.denseRowRank(order: [$0.points.descending])) }
    /// // dense_rank() OVER (ORDER BY t0."points" DESC)
    /// ```
    ///
    /// - Parameters:
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part.
    public func denseRowRank(partition: [any Partitioning] = [], order: [Ordering]) -> QueryExpression<Int> {
        QueryExpression<Int>(.window(.denseRank, partition, order))
    }
}

extension QueryNode {
    fileprivate static func window(
        _ function: WindowFunction, _ partition: [any Partitioning], _ orders: [Ordering]
    ) -> QueryNode {
        if case .earlier(_, let count) = function, Int32(exactly: count) ?? -1 < 0 { return .failure(.isNoDistance) }
        if case .later(_, let count) = function, Int32(exactly: count) ?? -1 < 0 { return .failure(.isNoDistance) }
        return .window(
            QueryWindow(function: function, partition: partition.map(\._partition.node), orders: orders))
    }
}

extension DatabaseError {
    fileprivate static var isNoDistance: DatabaseError {
        DatabaseError(.invalidValue, "A query asks for a row that is fewer than 0 rows away, or too many.")
    }
}
