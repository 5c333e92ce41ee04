/// What a query asks of each row: made by a typed closure, of condition text, or at run time.
///
/// ```swift
/// .where { $0.age >= 18 && $0.spouse == nil }                    // typed
/// .where("age >= \(18) AND spouse IS NULL")                      // text
/// .where(.all([.compare("age", .greaterOrEqual, 18), .isNil("spouse")]))   // at run time
/// ```
///
/// A condition is true or false of each row, never unknown: `!` and `NOT` make the one of the other, also where a value is
/// nil.
public struct Condition: Sendable {
    let node: QueryNode

    init(_ node: QueryNode) { self.node = node }

    /// Whether all conditions are true; true of none.
    public static func all(_ conditions: some Sequence<Condition>) -> Condition {
        Condition(.and(conditions.map(\.node)))
    }

    /// Whether one of the conditions is true; false of none.
    public static func any(_ conditions: some Sequence<Condition>) -> Condition {
        Condition(.or(conditions.map(\.node)))
    }

    /// Whether all conditions of one of the sets are true; no sets ask for nothing.
    public static func sets(_ sets: some Sequence<[Condition]>) -> Condition {
        let sets = sets.map { Condition.all($0).node }
        return sets.isEmpty ? Condition(.constant(true)) : Condition(.or(sets))
    }

    /// True of every row.
    public static var always: Condition { Condition(.constant(true)) }

    /// True of no row.
    public static var never: Condition { Condition(.constant(false)) }
}

/// What can stand where a condition is asked for: a ``Condition``, or a property that is true or false.
public protocol ConditionConvertible: Sendable {
    var condition: Condition { get }
}

extension Condition: ConditionConvertible {
    public var condition: Condition { self }
}

extension QueryExpression: ConditionConvertible where Value == Bool {
    public var condition: Condition { Condition(.comparison(.equal, node, QueryValue.encoding(true, storage))) }
}

// Not generic: so `.isNil("a") && .isNil("b")` has something to look its members up in.

/// Whether both conditions are true.
public func && (left: Condition, right: Condition) -> Condition {
    switch (left.node, right.node) {
    case (.and(let first), .and(let second)): Condition(.and(first + second))
    case (.and(let first), _): Condition(.and(first + [right.node]))
    case (_, .and(let second)): Condition(.and([left.node] + second))
    default: Condition(.and([left.node, right.node]))
    }
}

public func && (left: Condition, right: QueryExpression<Bool>) -> Condition { left && right.condition }
public func && (left: QueryExpression<Bool>, right: Condition) -> Condition { left.condition && right }
public func && (left: QueryExpression<Bool>, right: QueryExpression<Bool>) -> Condition {
    left.condition && right.condition
}

/// Whether one of the conditions is true.
public func || (left: Condition, right: Condition) -> Condition {
    switch (left.node, right.node) {
    case (.or(let first), .or(let second)): Condition(.or(first + second))
    case (.or(let first), _): Condition(.or(first + [right.node]))
    case (_, .or(let second)): Condition(.or([left.node] + second))
    default: Condition(.or([left.node, right.node]))
    }
}

public func || (left: Condition, right: QueryExpression<Bool>) -> Condition { left || right.condition }
public func || (left: QueryExpression<Bool>, right: Condition) -> Condition { left.condition || right }
public func || (left: QueryExpression<Bool>, right: QueryExpression<Bool>) -> Condition {
    left.condition || right.condition
}

/// Whether the condition is false.
public prefix func ! (condition: Condition) -> Condition { Condition(.not(condition.node)) }

/// Whether the property is false.
public prefix func ! (expression: QueryExpression<Bool>) -> Condition { !expression.condition }
