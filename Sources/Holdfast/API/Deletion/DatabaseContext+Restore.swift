extension DatabaseContext {
    /// Restores an object that is marked as deleted, and what was deleted with it.
    ///
    /// ```swift
    /// try await db.delete(note)
    /// try await db.restore(note)
    /// // UPDATE "note" SET "deleted_at" = NULL WHERE "note"."deleted_at" IS NOT NULL AND ("id" = ANY($1))
    /// ```
    ///
    /// What it owns (`.cascade`) and was marked by the same deletion is restored, too; what was deleted before, or by
    /// itself, stays deleted. No hooks are called. An object of a class has no time of deletion then, and the
    /// ``Version()`` of its row; fetch a struct again.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Returns: The number of rows that were marked: 1, or 0 if the object is there, or its row is gone.
    /// - Throws: ``DatabaseError/Code/uniqueViolation`` if another object has a unique value of it by now;
    ///   ``DatabaseError/Code/unsupported`` for a type without a time of deletion. Nothing was restored then.
    @discardableResult
    public func restore<Model: TableObject>(
        _ object: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await RestoreOperation(access: access(fileID, line)).run([object])
    }

    /// Restores objects that are marked as deleted in one transaction, and what was deleted with them.
    ///
    /// ```swift
    /// let count = try await db.restore(notes)
    /// ```
    ///
    /// - Returns: The number of rows that were marked.
    @discardableResult
    public func restore<Model: TableObject>(
        _ objects: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await RestoreOperation(access: access(fileID, line)).run(objects)
    }
}
