extension DatabaseContext {
    /// Deletes the row of an object and the elements of its arrays; or marks it as deleted, if its type has a time of
    /// deletion.
    ///
    /// The object is removed from every property that holds it: references become nil, and arrays lose the element. The
    /// delete rules of its relations decide about the objects that it holds: they stay (`.nullify`), are deleted too
    /// (`.cascade`), or prevent the deletion (`.deny`). A `@Required` reference to the object prevents it as well.
    /// Afterwards the object counts as new: saving it inserts it again.
    ///
    /// ```swift
    /// try await db.delete(project)   // DELETE FROM "project" WHERE "id" = $1
    /// try await db.delete(note)      // UPDATE "note" SET "deleted_at" = $1 WHERE … AND "id" = ANY($2)
    /// ```
    ///
    /// The second is of a type with `@Timestamp(.deleted)`: its row stays, no read finds it, and
    /// `restore` brings it back. See <doc:SoftDeletion>.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - isPermanent: Whether the row is deleted also where it would be marked, or is.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Returns: The number of rows that existed: 1, or 0 if the row was already gone.
    /// - Throws: ``DatabaseError/Code/notFound`` if the object has no key and thus no row;
    ///   ``DatabaseError/Code/foreignKeyViolation`` if a rule prevents the deletion;
    ///   ``DatabaseError/Code/staleVersion`` if its ``Version()`` is old. Nothing was deleted then.
    @discardableResult
    public func delete<Model: TableObject>(
        _ object: Model, permanently isPermanent: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await DeleteOperation(access: access(fileID, line), choice: DeleteChoice(isPermanent: isPermanent))
            .run([object])
    }

    /// Deletes the rows of objects in one transaction, or marks them as deleted.
    ///
    /// ```swift
    /// let count = try await db.delete(projects)
    /// ```
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - isPermanent: Whether rows are deleted also where they would be marked, or are.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Returns: The number of rows that existed.
    @discardableResult
    public func delete<Model: TableObject>(
        _ objects: [Model], permanently isPermanent: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await DeleteOperation(access: access(fileID, line), choice: DeleteChoice(isPermanent: isPermanent))
            .run(objects)
    }

    /// Deletes the row of an object, and chooses for this deletion what goes with it.
    ///
    /// ```swift
    /// try await db.delete(project, including: ["milestones.tasks", "lead"])
    /// try await db.delete(project, keeping: [\.documents])    // although their rule is .cascade
    /// ```
    ///
    /// Objects that paths lead to are deleted whatever the rule of the relation, with what their own rules delete.
    /// Objects in relations that are kept stay, as with the rule `.nullify`, unless another relation takes them along.
    /// Other relations keep their rules; `.deny` can be overruled only by including what it protects.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - paths: The relations whose objects are deleted too.
    ///   - kept: The relations of the object whose objects stay.
    ///   - isPermanent: Whether rows are deleted also where they would be marked, or are.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Returns: The number of rows that existed: 1, or 0 if the row was already gone.
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a path that is no relation, ``DatabaseError/Code/unsupported``
    ///   if a required reference is in the way, and the errors of a deletion. Nothing was deleted then.
    @discardableResult
    public func delete<Model: TableObject>(
        _ object: Model, including paths: RelationPaths, keeping kept: [PartialKeyPath<Model>] = [],
        permanently isPermanent: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await delete(
            [object], including: paths, keeping: kept, permanently: isPermanent, fileID: fileID, line: line)
    }

    /// Deletes the row of an object, but keeps the objects in some relations whose rule is `.cascade`.
    ///
    /// ```swift
    /// try await db.delete(project, keeping: [\.documents])
    /// ```
    @discardableResult
    public func delete<Model: TableObject>(
        _ object: Model, keeping kept: [PartialKeyPath<Model>], permanently isPermanent: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await delete(
            [object], including: [], keeping: kept, permanently: isPermanent, fileID: fileID, line: line)
    }

    /// Deletes the rows of objects in one transaction, and chooses for this deletion what goes with them.
    ///
    /// - Returns: The number of rows that existed.
    @discardableResult
    public func delete<Model: TableObject>(
        _ objects: [Model], including paths: RelationPaths, keeping kept: [PartialKeyPath<Model>] = [],
        permanently isPermanent: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        let access = access(fileID, line)
        let description = try access.core.plan(for: Model.self).description
        let names = try kept.map { description.properties[try description.requiredIndex(of: $0)].name }
        return try await DeleteOperation(
            access: access, choice: DeleteChoice(including: paths, keeping: Set(names), isPermanent: isPermanent)
        ).run(objects)
    }

    /// Deletes all rows of a type.
    ///
    /// ```swift
    /// try await db.deleteAll(Project.self)    // DELETE FROM "project"
    /// ```
    ///
    /// Hooks are not called, since no object is fetched. Rows of a type with a time of deletion are marked.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - isPermanent: Whether rows are deleted also where they would be marked, or are.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Returns: The number of rows.
    @discardableResult
    public func deleteAll<Model: TableObject>(
        _ type: Model.Type, permanently isPermanent: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        if !isPermanent, Model.ownDescription.deletion != nil {
            return try await Query<Model>(access: access(fileID, line)).deleteAll(
                callingHooks: false, permanently: false)
        }
        return try await DeleteOperation<Model>(
            access: access(fileID, line), choice: DeleteChoice(isPermanent: isPermanent)
        ).all()
    }
}
