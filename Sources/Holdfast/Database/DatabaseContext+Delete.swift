extension DatabaseContext {
    /// Deletes the row of an object, and the elements of its arrays.
    ///
    /// The object itself is new again: saving it inserts it.
    ///
    /// ```swift
    /// try await db.delete(project)   // DELETE FROM "project" WHERE "id" = $1
    /// ```
    ///
    /// - Returns: The number of rows that existed: 1, or 0 if it was gone already.
    /// - Throws: ``DatabaseError/Code/notFound`` if the object has no key, so never had a row.
    @discardableResult
    public func delete<Model: TableObject>(_ object: Model) async throws -> Int {
        try await DeleteOperation(access: _access).run([object])
    }

    /// Deletes the rows of objects in one transaction.
    ///
    /// - Returns: The number of rows that existed.
    @discardableResult
    public func delete<Model: TableObject>(_ objects: [Model]) async throws -> Int {
        try await DeleteOperation(access: _access).run(objects)
    }

    /// Deletes all rows of a type.
    ///
    /// Hooks are not called, since no object is fetched for it.
    ///
    /// - Returns: The number of rows.
    @discardableResult
    public func deleteAll<Model: TableObject>(_ type: Model.Type) async throws -> Int {
        let plan = try _access.core.plan(for: Model.self)
        return try await _access.perform(.write, purpose: "delete") { session, _ in
            try await session.execute(plan.deleteAll)
        }
    }
}
