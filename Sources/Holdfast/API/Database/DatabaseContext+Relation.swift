extension DatabaseContext {
    /// Loads a relation of an object that was fetched without it, and the objects behind it.
    ///
    /// ```swift
    /// try await db.loadRelation(\.related, of: project)
    /// ```
    ///
    /// The property is replaced by the objects in the database. References back to the object refer to this instance.
    ///
    /// Load a relation of many objects together; debug builds warn in the log if it is loaded one by one.
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` if the property is not a relation;
    ///   ``DatabaseError/Code/notFound`` if the object has no key, or its row is gone.
    public func loadRelation<Model: TableObject & AnyObject, Value>(
        _ relation: KeyPath<Model, Value>, of object: Model, including paths: RelationPaths = [], depth: Int? = nil,
        missingTarget: MissingTarget = .throw, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await loadRelation(
            relation, of: [object], including: paths, depth: depth, missingTarget: missingTarget, fileID: fileID,
            line: line)
    }

    /// Loads a relation of many objects together.
    ///
    /// ```swift
    /// try await db.loadRelation(\.related, of: projects)    // one statement for each level
    /// ```
    ///
    /// - Parameters:
    ///   - relation: The property to load.
    ///   - objects: The objects whose property is set.
    ///   - paths: Relations of the objects to follow in any case.
    ///   - depth: The number of levels of relations, of which this relation is the first; nil for all.
    ///   - missingTarget: The handling of a key without a target row.
    ///   - fileID: The caller's file, for the log and for pool statistics.
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
