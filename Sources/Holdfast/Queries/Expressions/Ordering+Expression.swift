/// Orders by values that a query computes.
extension Ordering {
    init(_ node: QueryNode, isDescending: Bool) { self.init(.expression(node), isDescending: isDescending) }

    /// What objects are ordered by, as a part of a query.
    var node: QueryNode {
        switch criterion {
        case .property(let path): .path(QueryPath(named: path))
        case .keyPath: keyPathNode
        // Nothing else is made into one.
        case .expression(let node): node as? QueryNode ?? .null
        }
    }
}

extension QueryExpression {
    /// The ascending order of the value.
    ///
    /// ```swift
    /// .order { [$0.name.ascending] }    // ORDER BY t0."name" COLLATE "C"
    /// ```
    public var ascending: Ordering { Ordering(node, isDescending: false) }

    /// The descending order of the value.
    ///
    /// ```swift
    /// .order { [$0.budget.descending] }    // ORDER BY t0."budget" DESC
    /// ```
    public var descending: Ordering { Ordering(node, isDescending: true) }
}

extension Columns {
    /// The ascending order of the object's key.
    public var ascending: Ordering { Ordering(node, isDescending: false) }

    /// The descending order of the object's key.
    public var descending: Ordering { Ordering(node, isDescending: true) }
}
