extension DatabaseContext {
    /// Loads a relation of an object that was fetched without it, and what is reached from there.
    ///
    /// ```swift
    /// try await db.loadRelation(\.related, of: project)
    /// ```
    ///
    /// What the property holds is replaced by what the database has. What leads back to the object leads to this instance.
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` if the property is no relation;
    ///   ``DatabaseError/Code/notFound`` if the object has no key, or its row is gone.
    public func loadRelation<Model: TableObject & AnyObject, Value>(
        _ relation: KeyPath<Model, Value>, of object: Model, including paths: RelationPaths = [], depth: Int? = nil,
        missingTarget: MissingTarget = .throw, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await loadRelation(
            relation, of: [object], including: paths, depth: depth, missingTarget: missingTarget, fileID: fileID,
            line: line)
    }

    /// Loads a relation of many objects at once: by one statement, whatever their number.
    ///
    /// - Parameters:
    ///   - relation: The property that leads to other objects.
    ///   - objects: The objects whose property is set.
    ///   - paths: Relations to be followed in any case, from the objects given.
    ///   - depth: How many levels of relations are followed from the objects given, of which this one is the first; nil for
    ///     all.
    ///   - missingTarget: What becomes of a key that leads to no row.
    ///   - fileID: The caller's file, for the log and for who holds a connection.
    ///   - line: The caller's line.
    public func loadRelation<Model: TableObject & AnyObject, Value>(
        _ relation: KeyPath<Model, Value>, of objects: [Model], including paths: RelationPaths = [],
        depth: Int? = nil, missingTarget: MissingTarget = .throw, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let description = try access(fileID, line).core.plan(for: Model.self).description
        guard let index = description.index(ofKeyPath: relation), description.columns.relation(index) != nil else {
            throw DatabaseError(
                .invalidValue, "The property is no relation of \(description.type). Name one that leads to objects.",
                table: description.table)
        }
        try await LoadOperation<Model>(
            access(fileID, line), LoadScope(including: paths, depth: depth, missingTarget: missingTarget)
        ).loadRelation(index, of: objects)
    }
}
