extension Condition {
    /// The greatest number of parts in one list of a chain of operators.
    ///
    /// A chain of any length is built in linear time and has few levels.
    private static let chainLength = 256

    /// Combines two conditions, in one list with the parts of operands that are such lists, while it is short.
    fileprivate static func chained(
        _ left: Condition, _ right: Condition, parts: (QueryNode) -> [QueryNode]?,
        join: ([QueryNode]) -> QueryNode
    ) -> Condition {
        let (first, second) = (parts(left.node), parts(right.node))
        guard (first?.count ?? 1) + (second?.count ?? 1) <= chainLength else {
            return Condition(join([left.node, right.node]), around: max(left.levels, right.levels))
        }
        // A list that is dissolved loses its own level.
        let inner = max(left.levels - (first == nil ? 0 : 1), right.levels - (second == nil ? 0 : 1))
        return Condition(join((first ?? [left.node]) + (second ?? [right.node])), around: inner)
    }
}

// Not generic: so `.isNil("a") && .isNil("b")` has something to look its members up in.

/// Whether both conditions are true.
public func && (left: Condition, right: Condition) -> Condition {
    .chained(left, right) {
        if case .and(let parts) = $0 { parts } else { nil }
    } join: {
        .and($0)
    }
}

/// Whether both are true: conditions, or Boolean properties.
///
/// ```swift
/// .where { $0.age >= 18 && $0.isMember }    // both, without parentheses
/// ```
@_disfavoredOverload
public func && (left: some ConditionConvertible, right: some ConditionConvertible) -> Condition {
    left.condition && right.condition
}

/// Whether one of the conditions is true.
public func || (left: Condition, right: Condition) -> Condition {
    .chained(left, right) {
        if case .or(let parts) = $0 { parts } else { nil }
    } join: {
        .or($0)
    }
}

/// Whether one of them is true: conditions, or Boolean properties.
@_disfavoredOverload
public func || (left: some ConditionConvertible, right: some ConditionConvertible) -> Condition {
    left.condition || right.condition
}

/// Whether the condition is false.
///
/// ```swift
/// .where { !($0.age < 18) }    // also true if the age is nil
/// ```
public prefix func ! (condition: Condition) -> Condition {
    Condition(.not(condition.node), around: condition.levels)
}

/// Whether the property is false.
public prefix func ! (expression: QueryExpression<Bool>) -> Condition { !expression.condition }
