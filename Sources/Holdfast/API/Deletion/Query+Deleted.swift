extension Query {
    /// Finds the objects that are marked as deleted, too.
    ///
    /// ```swift
    /// let all = try await db.query(Note.self).includingDeleted().fetch()
    /// // SELECT t0."id", … FROM "note" AS t0 ORDER BY t0."id"
    /// ```
    ///
    /// It is said of the objects of the query alone: what relations lead to is as in every query, and so is what a
    /// query inside of this one finds. Of a type without a time of deletion, everything is found anyway.
    public func includingDeleted() -> Query { changed { $0.deleted = .included } }

    /// Finds only the objects that are marked as deleted.
    ///
    /// ```swift
    /// let bin = try await db.query(Note.self).onlyDeleted().order(\.deletedAt, .descending).fetch()
    /// // SELECT … FROM (SELECT * FROM "note" WHERE "deleted_at" IS NOT NULL) AS t0 ORDER BY …
    /// ```
    ///
    /// A query of a type without a time of deletion throws ``DatabaseError/Code/unsupported``.
    public func onlyDeleted() -> Query {
        changed { specification in
            specification.deleted = .only
            do { _ = try Model.ownDescription.requiredDeletion() } catch {
                specification.failure = specification.failure ?? error as? DatabaseError
            }
        }
    }

    /// Restores the deleted objects of the query, and what was deleted with them.
    ///
    /// ```swift
    /// try await db.query(Note.self).where { $0.hasKey(id) }.restore()
    /// // SELECT t0."id" FROM (SELECT * FROM "note" WHERE "deleted_at" IS NOT NULL) AS t0 WHERE t0."id" = $1 …
    /// // UPDATE "note" SET "deleted_at" = NULL WHERE "note"."deleted_at" IS NOT NULL AND ("id" = ANY($1))
    /// ```
    ///
    /// Whether the query finds deleted objects makes no difference. Everything else is as of a restoration of an
    /// object. See <doc:SoftDeletion>.
    ///
    /// - Returns: The number of objects that were deleted and met the query.
    /// - Throws: ``DatabaseError/Code/uniqueViolation`` if another object has a unique value of one of them by now;
    ///   ``DatabaseError/Code/unsupported`` for a type without a time of deletion. Nothing was restored then.
    @discardableResult
    public func restore(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Int {
        try requireBoundary()
        let query = at(fileID, line).onlyDeleted()
        let (statement, parameters) = try await query.written(isChange: true) { try $0.keys(isLocked: true) }
        return try await RestoreOperation<Model>(access: try query.access).run(statement, parameters)
    }
}
