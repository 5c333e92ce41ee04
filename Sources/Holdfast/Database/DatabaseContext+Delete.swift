extension DatabaseContext {
    /// Deletes the row of an object, and the elements of its arrays.
    ///
    /// Whatever held the object lets it go: references are nil, and arrays close up. What becomes of the objects that it held
    /// is said by its relations: they stay, unless a delete rule is `.cascade`, or `.deny`, which refuses the deletion while there
    /// are any. A `@Required` reference to the object refuses it too. The object itself is new again: saving it
    /// inserts it.
    ///
    /// ```swift
    /// try await db.delete(project)   // DELETE FROM "project" WHERE "id" = $1
    /// ```
    ///
    /// - Returns: The number of rows that existed: 1, or 0 if it was gone already.
    /// - Throws: ``DatabaseError/Code/notFound`` if the object has no key, so never had a row;
    ///   ``DatabaseError/Code/foreignKeyViolation`` if a rule refuses the deletion. Then nothing was deleted.
    @discardableResult
    public func delete<Model: TableObject>(
        _ object: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await DeleteOperation(access: access(fileID, line)).run([object])
    }

    /// Deletes the rows of objects in one transaction.
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
    /// Hooks are not called, since no object is fetched for it.
    ///
    /// - Returns: The number of rows.
    @discardableResult
    public func deleteAll<Model: TableObject>(
        _ type: Model.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await DeleteOperation<Model>(access: access(fileID, line)).all()
    }
}
