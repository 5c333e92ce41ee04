extension Query {
    /// Loads a part of an array with its owners: the objects that meet a condition, in an order, the first of each
    /// owner, by one statement for all owners.
    ///
    /// ```swift
    /// let artists = try await db.query(Artist.self)
    ///     .including(\.albums) { $0.where { $0.tracks > 5 }.order(\.released, .descending).limit(3) }
    ///     .fetch()
    /// // WITH part(o0, c0, …, n) AS (SELECT t0."artist_id", t0."id", …, row_number() OVER (PARTITION BY t0."artist_id"
    /// // ORDER BY t0."released" DESC, t0."id") FROM "album" AS t0 WHERE t0."artist_id" = ANY($1) AND (…))
    /// // SELECT c0, … FROM part WHERE n <= 3 ORDER BY o0, n
    /// ```
    ///
    /// The closure gets a query of the elements, which may have conditions, an order, a limit and an offset for each
    /// owner, and paths of its own, as `including(\.labels) { $0.limit(2) }`. Without an order, they come in that of
    /// the array. What it asks for is added to the paths of the query.
    ///
    /// An array that holds a part counts as not loaded: `isLoaded` returns false, a save leaves it alone, and refuses
    /// one that was changed, so that nothing of the rest is lost. `loadRelation` loads all of it.
    ///
    /// When it runs, the query throws ``DatabaseError/Code/invalidValue`` for a property that is no array of objects in
    /// a table, for a negative limit or offset, and for a condition that does not fit;
    /// ``DatabaseError/Code/unsupported`` for a struct, which can't remember that it holds a part, and for what else a
    /// query can be asked for.
    ///
    /// - Parameters:
    ///   - relation: The array.
    ///   - part: Returns the query of its elements.
    public func including<Element: TableObject>(
        _ relation: KeyPath<Model, [Element]>, _ part: (Query<Element>) -> Query<Element>
    ) -> Query {
        including(relation as PartialKeyPath<Model>, part(Query<Element>()).specification, of: Element.self)
    }

    /// Loads a part of an optional array with its owners.
    ///
    /// ```swift
    /// .including(\.drafts) { $0.limit(3) }
    /// ```
    public func including<Element: TableObject>(
        _ relation: KeyPath<Model, [Element]?>, _ part: (Query<Element>) -> Query<Element>
    ) -> Query {
        including(relation as PartialKeyPath<Model>, part(Query<Element>()).specification, of: Element.self)
    }

    private func including<Element: TableObject>(
        _ relation: PartialKeyPath<Model>, _ specification: QuerySpecification, of type: Element.Type
    ) -> Query {
        do {
            let description = Model.ownDescription
            let name = description.properties[try description.requiredIndex(of: relation)].name
            let part = try specification.part(of: description, name)
            let paths = RelationPaths(name, part, specification.scope.including)
            return changed { $0.scope.including = $0.scope.including.merged(with: paths) }
        } catch {
            return changed { $0.failure = $0.failure ?? error as? DatabaseError }
        }
    }
}

extension QuerySpecification {
    /// What it says of a relation that is loaded with its owners.
    ///
    /// - Throws: ``DatabaseError/Code/unsupported`` for what can be said of a query alone.
    fileprivate func part(of owner: TableDescription, _ relation: String) throws -> RelationPart {
        try validate()
        guard distinct.isEmpty, choice.isEmpty, seen == SeenRows(), scope.properties == nil, scope.depth == nil,
            !scope.omitsUnreadable,
            scope.missingTarget == .throw, lock == nil, join == nil
        else {
            throw DatabaseError(
                .unsupported,
                "What is loaded of \"\(relation)\" has conditions, an order, a limit, an offset and paths. Say the rest of the query as a whole.",
                table: owner.table, properties: [relation])
        }
        return RelationPart(conditions: conditions, orders: orders, limit: limit, offset: offset, scopes: scopes)
    }
}
