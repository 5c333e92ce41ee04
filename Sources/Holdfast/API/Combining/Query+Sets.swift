extension Query {
    /// The objects of this query and those of another one, each once.
    ///
    /// ```swift
    /// let mine = db.query(Ticket.self).where { $0.assignee == me }
    /// let urgent = db.query(Ticket.self).where { $0.isUrgent }.order(\.openedAt).limit(10)
    /// let board = try await mine.union(urgent).order(\.title).fetch()
    /// // … WHERE t0."assignee_id" = $1 OR t0."id" IN (SELECT t1."id" FROM "ticket" AS t1 … LIMIT 10) ORDER BY …
    /// ```
    ///
    /// The result is a query like others: its order, limit and pages are its own, and it can be counted, changed and
    /// deleted. A limit, an offset and `distinct` of the two count before they are combined, and so does their order,
    /// where it decides what is cut off. What is loaded of the objects is what this query loads.
    ///
    /// - Parameter other: The other query, whose database does not matter.
    public func union(_ other: Query) -> Query {
        combined(with: other) { left, right in
            // A chain of unions is one list, not as many levels.
            if case .or(let parts) = left { .or(parts + [right]) } else { .or([left, right]) }
        }
    }

    /// The objects that both queries find.
    ///
    /// ```swift
    /// let both = try await newest.intersection(open).fetch()    // WHERE … AND …
    /// ```
    ///
    /// Order, limit and what is loaded are as in ``union(_:)``.
    public func intersection(_ other: Query) -> Query { combined(with: other) { .and([$0, $1]) } }

    /// The objects of this query that another one does not find.
    ///
    /// ```swift
    /// let rest = try await open.subtracting(newest).fetch()    // WHERE … AND (…) IS NOT TRUE
    /// ```
    ///
    /// Order, limit and what is loaded are as in ``union(_:)``.
    public func subtracting(_ other: Query) -> Query { combined(with: other) { .and([$0, .not($1)]) } }

    private func combined(with other: Query, _ combine: (QueryNode, QueryNode) -> QueryNode) -> Query {
        changed { specification in
            let levels = Swift.max(specification.levels, other.specification.levels)
            let deleted = specification.deleted == other.specification.deleted ? specification.deleted : .included
            let (condition, deepest) = QueryNode.bounded(
                combine(isIncluded(among: deleted), other.isIncluded(among: deleted)), around: levels)
            specification.deleted = deleted
            (specification.conditions, specification.levels) = ([condition], deepest)
            specification.scopes.formUnion(other.specification.scopes)
            specification.failure =
                specification.failure ?? groupFailure ?? other.specification.failure
                ?? other.groupFailure
            let differs = other.view.map { !$0.seesAs(view) } ?? false
            if differs && !Model.ownDescription.scopedTypes.isEmpty
                || specification.seen.passed != other.specification.seen.passed
            {
                specification.failure = specification.failure ?? passesOtherScopes
            }
            if other.specification.lock != nil {
                specification.failure =
                    specification.failure ?? QuerySpecification.locksInside(Model.ownDescription)
            }
            (specification.limit, specification.offset) = (nil, 0)
            (specification.orders, specification.distinct, specification.choice) = ([], [], [])
        }
    }

    /// The condition that an object is one of this query's.
    ///
    /// - Parameter deleted: What is found of those that are marked as deleted where the condition is asked.
    private func isIncluded(among deleted: DeletedRows) -> QueryNode {
        if specification.isCut || !specification.distinct.isEmpty {
            return .isInQuery(.path(QueryPath(scope: .root)), inside(.keys))
        }
        let condition = specification.condition ?? .and([])
        let description = Model.ownDescription
        guard deleted != specification.deleted, let deletion = description.deletion else { return condition }
        let time = QueryNode.path(QueryPath(scope: .root).appending(description.properties[deletion.property].name))
        return .and([.comparison(specification.deleted == .only ? .notEqual : .equal, time, .null), condition])
    }

    private var passesOtherScopes: DatabaseError {
        DatabaseError(
            .unsupported,
            "A query is combined with one that ignores other scopes, or has other values of them. Make both by one database, and ignore the same ones in both.",
            table: Model.ownDescription.table)
    }

    private var groupFailure: DatabaseError? {
        guard !specification.groups.isEmpty || !specification.groupConditions.isEmpty else { return nil }
        return DatabaseError(
            .unsupported, "A query of groups is combined with another one. Combine queries of objects.",
            table: Model.ownDescription.table)
    }
}
