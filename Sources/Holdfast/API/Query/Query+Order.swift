/// The order of a query, and how many objects it gives.
extension Query {
    /// Sorts the objects, replacing an earlier order.
    ///
    /// ```swift
    /// .order { [$0.name.ascending, $0.budget.descending] }
    /// // ORDER BY t0."name" COLLATE "C", t0."budget" DESC, t0."id"
    /// ```
    public func order(_ orders: (Columns<Model>) -> [Ordering]) -> Query {
        var query = self
        query.specification.orders = orders(query.makeColumns())
        return query
    }

    /// Sorts the objects by one property.
    ///
    /// ```swift
    /// .order { $0.lead.lastName.ascending.ignoringCase }
    /// ```
    public func order(_ order: (Columns<Model>) -> Ordering) -> Query {
        var query = self
        query.specification.orders = [order(query.makeColumns())]
        return query
    }

    /// Sorts the objects by one property, given as a key path.
    ///
    /// ```swift
    /// db.query(Project.self).order(\.name)
    /// db.query(Project.self).order(\.lead.lastName, .descending)
    /// ```
    ///
    /// - Parameters:
    ///   - property: The key path of the property, or a closure that computes a value from properties.
    ///   - direction: The direction; ascending by default.
    public func order<Value>(
        _ property: (Columns<Model>) -> QueryExpression<Value>, _ direction: Ordering.Direction = .ascending
    ) -> Query {
        var query = self
        let node = property(query.makeColumns()).node
        query.specification.orders = [Ordering(node, isDescending: direction == .descending)]
        return query
    }

    /// Sorts the objects by properties given by their names.
    ///
    /// ```swift
    /// .order(by: [.descending("budget"), .ascending("lead.lastName")])
    /// ```
    public func order(by orders: [Ordering]) -> Query { changed { $0.orders = orders } }

    /// Limits the number of objects.
    ///
    /// ```swift
    /// .order(\.name).limit(20)    // ORDER BY … LIMIT 20
    /// ```
    public func limit(_ count: Int) -> Query { changed { $0.limit = count } }

    /// Skips a number of objects at the beginning; ``page(size:after:fileID:line:)`` does so reliably.
    ///
    /// ```swift
    /// .order(\.name).offset(40).limit(20)    // LIMIT 20 OFFSET 40
    /// ```
    public func offset(_ count: Int) -> Query { changed { $0.offset = count } }
}
