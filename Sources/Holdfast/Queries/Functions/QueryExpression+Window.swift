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
        over(partition, order, nil)
    }

    /// The aggregate of some rows near each row: a moving sum or average.
    ///
    /// ```swift
    /// .select { ($0.day, $0.price.average.over(order: [$0.day.ascending], rows: -6...0)) }
    /// // avg(t0."price") OVER (ORDER BY t0."day", t0."id" ROWS BETWEEN 6 PRECEDING AND CURRENT ROW)
    /// ```
    ///
    /// Rows that the order leaves the same follow each other by their keys. Near the ends of the part, there are fewer.
    ///
    /// - Parameters:
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part.
    ///   - rows: The distances of the rows from this one, which is 0: `-6...0`, `0...`, `...(-1)`.
    public func over(
        partition: [any Partitioning] = [], order: [Ordering], rows: any WindowRows
    ) -> QueryExpression {
        let frame = rows._windowRows.frame
        // What SQLite takes, so that it is the same everywhere.
        for distance in [frame.low, frame.high].compactMap(\.self) where Int32(exactly: distance) == nil {
            return QueryExpression(.failure(.isNoDistance))
        }
        return over(partition, order, frame)
    }

    private func over(
        _ partition: [any Partitioning], _ order: [Ordering], _ frame: WindowFrame?
    ) -> QueryExpression {
        guard case .aggregate(let aggregate) = node else {
            return QueryExpression(
                .failure(
                    DatabaseError(
                        .invalidValue,
                        "Only an aggregate is computed over a window, as in `$0.price.sum.over(…)`.")))
        }
        return QueryExpression(.window(.aggregate(aggregate), partition, order, frame), storage: storage)
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

    /// The value in the last row of the part.
    ///
    /// ```swift
    /// .select { ($0.price, $0.price.last(partition: [$0.category], order: [$0.at.ascending])) }
    /// // last_value(t0."price") OVER (PARTITION BY t0."category" ORDER BY t0."at", t0."id"
    /// //     ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
    /// ```
    ///
    /// - Parameters:
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part; where it leaves rows the same, that of the keys.
    public func last(partition: [any Partitioning] = [], order: [Ordering]) -> QueryExpression {
        QueryExpression(.window(.last(node), partition, order), storage: storage)
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

    /// The number of the bucket that the row falls into, from 1, where the rows of its part are dealt to so many
    /// buckets of the same size; the first ones have one row more where it can't be.
    ///
    /// ```swift
    /// .select { ($0.name, $0.rowBucket(of: 4, order: [$0.points.descending])) }
    /// // ntile(4) OVER (ORDER BY t0."points" DESC, t0."id")
    /// ```
    ///
    /// - Parameters:
    ///   - count: The number of buckets, 1 or more.
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part; where it leaves rows the same, that of the keys.
    public func rowBucket(
        of count: Int, partition: [any Partitioning] = [], order: [Ordering]
    ) -> QueryExpression<Int> {
        guard Int32(exactly: count) ?? 0 > 0 else {
            return QueryExpression<Int>(
                .failure(DatabaseError(.invalidValue, "A query asks for fewer than 1 bucket of rows, or too many.")))
        }
        return QueryExpression<Int>(.window(.bucket(count), partition, order))
    }

    /// The rank of the row in its part as a fraction: 0 for the first and 1 for the last; 0 where it is the only one.
    ///
    /// ```swift
    /// .select { ($0.name, $0.relativeRowRank(order: [$0.points.ascending])) }
    /// // percent_rank() OVER (ORDER BY t0."points")
    /// ```
    ///
    /// - Parameters:
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part.
    public func relativeRowRank(
        partition: [any Partitioning] = [], order: [Ordering]
    ) -> QueryExpression<Double> {
        QueryExpression<Double>(.window(.relativeRank, partition, order))
    }

    /// The share of the rows in its part that come before the row or are the same to the order, itself among them:
    /// more than 0, and at most 1.
    ///
    /// ```swift
    /// .select { ($0.name, $0.cumulativeRowShare(order: [$0.points.ascending])) }
    /// // cume_dist() OVER (ORDER BY t0."points")
    /// ```
    ///
    /// - Parameters:
    ///   - partition: What divides the rows into parts; by default nothing does.
    ///   - order: The order in each part.
    public func cumulativeRowShare(
        partition: [any Partitioning] = [], order: [Ordering]
    ) -> QueryExpression<Double> {
        QueryExpression<Double>(.window(.cumulativeShare, partition, order))
    }
}

/// The distances of rows from a row, which is 0: `-6...0`, `0...` or `...(-1)`.
public protocol WindowRows: Sendable {
    var _windowRows: WindowRowsFrame { get }
}

/// The bounds of rows near a row.
public struct WindowRowsFrame: Sendable {
    let frame: WindowFrame
}

extension ClosedRange: WindowRows where Bound == Int {
    public var _windowRows: WindowRowsFrame { WindowRowsFrame(frame: WindowFrame(low: lowerBound, high: upperBound)) }
}

extension PartialRangeFrom: WindowRows where Bound == Int {
    public var _windowRows: WindowRowsFrame { WindowRowsFrame(frame: WindowFrame(low: lowerBound, high: nil)) }
}

extension PartialRangeThrough: WindowRows where Bound == Int {
    public var _windowRows: WindowRowsFrame { WindowRowsFrame(frame: WindowFrame(low: nil, high: upperBound)) }
}

extension QueryNode {
    fileprivate static func window(
        _ function: WindowFunction, _ partition: [any Partitioning], _ orders: [Ordering],
        _ frame: WindowFrame? = nil
    ) -> QueryNode {
        if case .earlier(_, let count) = function, Int32(exactly: count) ?? -1 < 0 { return .failure(.isNoDistance) }
        if case .later(_, let count) = function, Int32(exactly: count) ?? -1 < 0 { return .failure(.isNoDistance) }
        return .window(
            QueryWindow(
                function: function, partition: partition.map(\._partition.node), orders: orders, frame: frame))
    }
}

extension DatabaseError {
    fileprivate static var isNoDistance: DatabaseError {
        DatabaseError(.invalidValue, "A query asks for a row that is fewer than 0 rows away, or too many.")
    }
}
