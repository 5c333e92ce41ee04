/// One criterion by which the objects of a query are ordered.
///
/// ```swift
/// .order { [$0.lastName.ascending, $0.born.descending.nulls(.last)] }   // typed
/// .order(by: [.ascending("lastName"), .descending("lead.name")])        // by names
/// ```
///
/// Text is ordered by Unicode code point. Nil comes first, ascending, and last, descending, unless said otherwise. What
/// is the same by all criteria comes by primary key.
public struct Ordering: Sendable {
    /// Which of two values comes first.
    public enum Direction: Hashable, Sendable {
        /// The least first.
        case ascending
        /// The greatest first.
        case descending
    }

    /// Where nil comes among values.
    public enum NullPlacement: Hashable, Sendable {
        /// Nil comes before all values.
        case first
        /// Nil comes after all values.
        case last
    }

    let node: QueryNode
    let isDescending: Bool
    private(set) var nullPlacement: NullPlacement?
    private(set) var ignoresCase = false

    init(_ node: QueryNode, isDescending: Bool) {
        self.node = node
        self.isDescending = isDescending
    }

    /// The least first.
    ///
    /// - Parameter property: The name of a property, or a path of names joined by dots.
    public static func ascending(_ property: String) -> Ordering { Ordering(path(property), isDescending: false) }

    /// The greatest first.
    public static func descending(_ property: String) -> Ordering { Ordering(path(property), isDescending: true) }

    /// Returns the order with nil first or last.
    public func nulls(_ placement: NullPlacement) -> Ordering {
        var ordering = self
        ordering.nullPlacement = placement
        return ordering
    }

    /// The order of texts that ignores the case of ASCII letters.
    public var ignoringCase: Ordering {
        var ordering = self
        ordering.ignoresCase = true
        return ordering
    }

    private static func path(_ property: String) -> QueryNode {
        .path(QueryPath(named: property))
    }
}

extension QueryExpression {
    /// Orders by the value, the least first.
    public var ascending: Ordering { Ordering(node, isDescending: false) }

    /// Orders by the value, the greatest first.
    public var descending: Ordering { Ordering(node, isDescending: true) }
}

extension Columns {
    /// Orders by the key of the object, the least first.
    public var ascending: Ordering { Ordering(node, isDescending: false) }

    /// Orders by the key of the object, the greatest first.
    public var descending: Ordering { Ordering(node, isDescending: true) }
}
