/// A condition on each row: from a typed closure, from condition text, or built at run time.
///
/// ```swift
/// .where { $0.age >= 18 && $0.spouse == nil }                    // typed
/// .where("age >= \(18) AND spouse IS NULL")                      // text
/// .where(.all([.compare("age", .greaterOrEqual, 18), .isNil("spouse")]))   // at run time
/// ```
///
/// A condition is true or false for each row, never unknown: `!` and `NOT` invert it, also if a value is nil.
public struct Condition: Sendable {
    let node: QueryNode
    /// The number of nested levels of conditions.
    let levels: Int

    /// - Parameter inner: The levels of the deepest condition in it; nil where it is not made of others.
    init(_ node: QueryNode, around inner: Int? = nil) {
        (self.node, levels) = QueryNode.bounded(node, around: inner)
    }

    /// Whether all conditions are true; true for an empty list.
    ///
    /// ```swift
    /// .where(.all([.compare("age", .greaterOrEqual, 18), .isNil("spouse")]))
    /// ```
    public static func all(_ conditions: some Sequence<Condition>) -> Condition { joined(conditions) { .and($0) } }

    /// Whether at least one condition is true; false for an empty list.
    ///
    /// ```swift
    /// .where(.any(names.map { .compare("name", .equal, $0) }))
    /// ```
    public static func any(_ conditions: some Sequence<Condition>) -> Condition { joined(conditions) { .or($0) } }

    /// Whether all conditions of at least one set are true; true if there are no sets.
    ///
    /// ```swift
    /// .where(.sets([["age > 65"], ["age < 18", "guardian IS NULL"]]))    // a OR (b AND c)
    /// ```
    public static func sets(_ sets: some Sequence<[Condition]>) -> Condition {
        let sets = sets.map { Condition.all($0) }
        return sets.isEmpty ? Condition(.constant(true)) : .any(sets)
    }

    private static func joined(
        _ conditions: some Sequence<Condition>, _ join: ([QueryNode]) -> QueryNode
    ) -> Condition {
        let conditions = Array(conditions)
        return Condition(join(conditions.map(\.node)), around: conditions.map(\.levels).max())
    }

    /// A condition that is true for every row.
    public static var always: Condition { Condition(.constant(true)) }

    /// A condition that is false for every row.
    public static var never: Condition { Condition(.constant(false)) }
}

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

/// A type that can be used as a condition: a ``Condition``, or a Boolean property.
public protocol ConditionConvertible: Sendable {
    /// The value as a condition.
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
    .chained(left, right) {
        if case .and(let parts) = $0 { parts } else { nil }
    } join: {
        .and($0)
    }
}

/// Whether the condition and the property are true.
///
/// ```swift
/// .where { $0.age >= 18 && $0.isMember }    // both, without parentheses
/// ```
public func && (left: Condition, right: QueryExpression<Bool>) -> Condition { left && right.condition }
/// Whether the property and the condition are true.
public func && (left: QueryExpression<Bool>, right: Condition) -> Condition { left.condition && right }
/// Whether both properties are true.
public func && (left: QueryExpression<Bool>, right: QueryExpression<Bool>) -> Condition {
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

/// Whether the condition or the property is true.
public func || (left: Condition, right: QueryExpression<Bool>) -> Condition { left || right.condition }
/// Whether the property or the condition is true.
public func || (left: QueryExpression<Bool>, right: Condition) -> Condition { left.condition || right }
/// Whether one of the properties is true.
public func || (left: QueryExpression<Bool>, right: QueryExpression<Bool>) -> Condition {
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
