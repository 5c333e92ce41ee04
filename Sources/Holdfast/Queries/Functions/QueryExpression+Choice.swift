/// Choices: the value of the first condition that is true.
///
/// A condition is true or false, never unknown, as in `where`. Only values and properties of one type can be chosen
/// from; where one is nil, so is the result.
extension QueryExpression where Value: Storable & Sendable {
    /// A choice between two values: the first where a condition is true, else the second.
    ///
    /// ```swift
    /// .select { ($0.name, QueryExpression.if($0.total > 100, then: "big", else: "small")) }
    /// // CASE WHEN t0."total" > $1 THEN $2::text ELSE $3::text END
    /// .update { $0.price.set(.if($0.stock.current == 0, then: $0.price.current * 2, else: $0.price.current)) }
    /// ```
    public static func `if`(
        _ condition: some ConditionConvertible, then value: Value, else other: Value
    ) -> QueryExpression {
        Choice(condition, .opening(value)).else(other)
    }

    /// A choice between a value and what the database has or computes.
    public static func `if`(
        _ condition: some ConditionConvertible, then value: Value, else other: QueryExpression
    ) -> QueryExpression {
        Choice(condition, .opening(value)).else(other)
    }

    /// A choice between what the database has or computes, and a value.
    public static func `if`(
        _ condition: some ConditionConvertible, then value: QueryExpression, else other: Value
    ) -> QueryExpression {
        Choice(condition, value).else(other)
    }

    /// A choice between two properties, or what is computed of them.
    public static func `if`(
        _ condition: some ConditionConvertible, then value: QueryExpression, else other: QueryExpression
    ) -> QueryExpression {
        Choice(condition, value).else(other)
    }

    /// The beginning of a choice among several values; see ``Choice``.
    ///
    /// ```swift
    /// QueryExpression.if($0.total > 1_000, then: "big").elseIf($0.total > 100, then: "medium").else("small")
    /// // CASE WHEN t0."total" > $1 THEN $2::text WHEN t0."total" > $3 THEN $4::text ELSE $5::text END
    /// ```
    public static func `if`(_ condition: some ConditionConvertible, then value: Value) -> Choice {
        Choice(condition, .opening(value))
    }

    /// The beginning of a choice whose first value is a property, or computed.
    public static func `if`(_ condition: some ConditionConvertible, then value: QueryExpression) -> Choice {
        Choice(condition, value)
    }

    /// A choice that goes on with `elseIf(_:then:)` and ends with `else(_:)`, or with ``orNil``.
    ///
    /// ```swift
    /// .order {
    ///     [QueryExpression.if($0.status == .urgent, then: 0).elseIf($0.status == .open, then: 1).else(2).ascending]
    /// }
    /// ```
    public struct Choice: Sendable {
        private var cases: [(condition: QueryNode, value: QueryNode)] = []
        private var storage = ValueStorage.native
        private var levels = 0

        fileprivate init(_ condition: some ConditionConvertible, _ value: QueryNode) { add(condition, value, 0) }

        fileprivate init(_ condition: some ConditionConvertible, _ value: QueryExpression) {
            storage = value.storage
            add(condition, value.node, value.levels)
        }

        /// Adds the value where a condition is true and none before it is.
        public func elseIf(_ condition: some ConditionConvertible, then value: Value) -> Choice {
            var choice = self
            choice.add(condition, .opening(value), 0)
            return choice
        }

        /// Adds what the database has or computes, where a condition is true and none before it is.
        public func elseIf(_ condition: some ConditionConvertible, then value: QueryExpression) -> Choice {
            var choice = self
            if storage == .native { choice.storage = value.storage }
            choice.add(condition, value.node, value.levels)
            return choice
        }

        /// Ends the choice with the value where no condition is true.
        public func `else`(_ value: Value) -> QueryExpression {
            QueryExpression(node(.opening(value)), storage: storage, around: levels)
        }

        /// Ends the choice with what the database has or computes where no condition is true.
        public func `else`(_ value: QueryExpression) -> QueryExpression {
            QueryExpression(
                node(value.node), storage: storage == .native ? value.storage : storage,
                around: Swift.max(levels, value.levels))
        }

        /// The choice that is nil where no condition is true.
        ///
        /// ```swift
        /// .select { QueryExpression.if($0.isPaid, then: $0.amount).orNil }
        /// // CASE WHEN t0."is_paid" = $1 THEN t0."amount" END
        /// ```
        public var orNil: QueryExpression<Value?> {
            QueryExpression<Value?>(node(nil), storage: storage, around: levels)
        }

        private mutating func add(_ condition: some ConditionConvertible, _ value: QueryNode, _ inner: Int) {
            let condition = condition.condition
            cases.append((condition.node, value))
            levels = Swift.max(levels, condition.levels, inner)
        }

        private func node(_ otherwise: QueryNode?) -> QueryNode {
            .choice(QueryChoice(cases: cases, otherwise: otherwise))
        }
    }
}

extension QueryNode {
    /// A value that is encoded as the property beside which it comes to stand.
    fileprivate static func opening(_ value: some Storable & Sendable) -> QueryNode { QueryValue.opening(value) }
}
