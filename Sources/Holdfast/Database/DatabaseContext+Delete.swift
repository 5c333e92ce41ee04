extension DatabaseContext {
    /// Deletes the row of an object and the elements of its arrays.
    ///
    /// The object is removed from every property that holds it: references become nil, and arrays lose the element. The
    /// delete rules of its relations decide about the objects that it holds: they stay (`.nullify`), are deleted too
    /// (`.cascade`), or prevent the deletion (`.deny`). A `@Required` reference to the object prevents it as well.
    /// Afterwards the object counts as new: saving it inserts it again.
    ///
    /// ```swift
    /// try await db.delete(project)   // DELETE FROM "project" WHERE "id" = $1
    /// ```
    ///
    /// - Returns: The number of rows that existed: 1, or 0 if the row was already gone.
    /// - Throws: ``DatabaseError/Code/notFound`` if the object has no key and thus no row;
    ///   ``DatabaseError/Code/foreignKeyViolation`` if a rule prevents the deletion;
    ///   ``DatabaseError/Code/staleVersion`` if its ``Version()`` is old. Nothing was deleted then.
    @discardableResult
    public func delete<Model: TableObject>(
        _ object: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await DeleteOperation(access: access(fileID, line)).run([object])
    }

    /// Deletes the rows of objects in one transaction.
    ///
    /// ```swift
    /// let count = try await db.delete(projects)
    /// ```
    ///
    /// - Returns: The number of rows that existed.
    @discardableResult
    public func delete<Model: TableObject>(
        _ objects: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await DeleteOperation(access: access(fileID, line)).run(objects)
    }

    /// Deletes all rows of a type.
    ///
    /// ```swift
    /// try await db.deleteAll(Project.self)    // DELETE FROM "project"
    /// ```
    ///
    /// Hooks are not called, since no object is fetched.
    ///
    /// - Returns: The number of rows.
    @discardableResult
    public func deleteAll<Model: TableObject>(
        _ type: Model.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await DeleteOperation<Model>(access: access(fileID, line)).all()
    }
}
