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
