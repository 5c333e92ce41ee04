extension Query {
    /// Keeps one object of those that are equal in every column but keys, timestamps and versions: the one with the
    /// lowest key that meets the conditions.
    ///
    /// ```swift
    /// let cities = try await db.query(City.self).distinct().fetch()
    /// ```
    ///
    /// References are compared by their keys; arrays, which have no columns, are not compared. A `Codable` property,
    /// kept as JSON, can't be compared: name the properties to compare.
    public func distinct() -> Query {
        changed { specification in
            specification.distinct = Model.ownDescription.ownContents.map {
                .path(QueryPath(scope: .root, [$0.name]))
            }
            specification.choice = []
            specification.ofEach = 1
        }
    }

    /// Keeps one object of each group with equal values of some properties: the one with the lowest key that meets the
    /// conditions.
    ///
    /// ```swift
    /// let oldest = try await db.query(Person.self)
    ///     .distinct { $0.city } keeping: { [$0.born.ascending] }
    ///     .fetch()
    /// ```
    ///
    /// - Parameters:
    ///   - properties: The properties.
    ///   - choice: The order whose first object is kept; by default that of the keys.
    public func distinct<First, each Value>(
        by properties: (Columns<Model>) -> (QueryExpression<First>, repeat QueryExpression<each Value>),
        keeping choice: (Columns<Model>) -> [Ordering] = { _ in [] }
    ) -> Query {
        distinct(byAll: properties, keeping: choice)
    }

    /// Keeps one object of each group with an equal value of a property: the one with the lowest key that meets the
    /// conditions.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - choice: The order whose first object is kept; by default that of the keys.
    public func distinct<Value>(
        by property: (Columns<Model>) -> QueryExpression<Value>,
        keeping choice: (Columns<Model>) -> [Ordering] = { _ in [] }
    ) -> Query {
        var query = self
        let node = property(query.makeColumns()).node
        return query.distinct(by: [node], keeping: choice)
    }

    private func distinct<each Value>(
        byAll properties: (Columns<Model>) -> (repeat QueryExpression<each Value>),
        keeping choice: (Columns<Model>) -> [Ordering]
    ) -> Query {
        var query = self
        let expressions = properties(query.makeColumns())
        var nodes: [QueryNode] = []
        for expression in repeat each expressions { nodes.append(expression.node) }
        return query.distinct(by: nodes, keeping: choice)
    }

    /// Keeps one object of each group with the same target of a relation: the one with the lowest key that meets the
    /// conditions.
    ///
    /// ```swift
    /// let first = try await db.query(Ticket.self).distinct { $0.assignee }.fetch()
    /// ```
    ///
    /// - Parameters:
    ///   - relation: The relation, which is compared by its key.
    ///   - choice: The order whose first object is kept; by default that of the keys.
    public func distinct<Target>(
        by relation: (Columns<Model>) -> Columns<Target>,
        keeping choice: (Columns<Model>) -> [Ordering] = { _ in [] }
    ) -> Query {
        var query = self
        let node = relation(query.makeColumns()).node
        return query.distinct(by: [node], keeping: choice)
    }

    private func distinct(by nodes: [QueryNode], keeping choice: (Columns<Model>) -> [Ordering]) -> Query {
        var query = self
        query.specification.choice = choice(query.makeColumns())
        query.specification.distinct = nodes
        query.specification.ofEach = 1
        return query
    }

    /// Keeps one object of each group with equal values of properties given by their names.
    ///
    /// ```swift
    /// .distinct(by: ["city"], keeping: [.ascending("born")])
    /// ```
    public func distinct(by properties: [String], keeping choice: [Ordering] = []) -> Query {
        changed { specification in
            if properties.isEmpty {
                specification.failure = DatabaseError(
                    .invalidValue, "A query asks for objects that differ in nothing. Name the properties.")
            }
            specification.distinct = properties.map { .path(QueryPath(named: $0)) }
            specification.choice = choice
            specification.ofEach = 1
        }
    }
}
