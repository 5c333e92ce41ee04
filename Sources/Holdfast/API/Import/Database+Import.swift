extension Database {
    /// Copies objects from tables in another layout, of this or of another database, in one transaction.
    ///
    /// Declare the tables that there are as models, and the models that their objects become, and say which becomes
    /// which. This moves a file of another library into tables that `migrate` has made:
    ///
    /// ```swift
    /// let old = try await Database.open(.sqlite(path: "catalog.db"))
    /// try await db.migrate(Person.self, Company.self)
    /// let report = try await db.importObjects(
    ///     from: old,
    ///     [
    ///         ObjectImport(OldPerson.self, as: Person.self, renaming: ["firstName": "name"]),
    ///         ObjectImport(OldCompany.self, as: Company.self),
    ///     ])
    /// print(report)    // Company: 12, Person: 340
    /// ```
    ///
    /// The types are imported in their order, each by keys and in batches, so that any number of objects takes little
    /// memory. Relations to types that come later in the list, or to the same type, are set when all objects are there.
    /// Keys and timestamps stay what they were, hooks run as in an insert, and what the source has without a place in
    /// the target is an error, not a loss. The source is read as one snapshot, and not changed.
    ///
    /// - Parameters:
    ///   - source: The database with the tables that there are; it can be this one.
    ///   - imports: The types, those that others need before them.
    ///   - batchSize: The number of objects that are in memory at the same time.
    ///   - missingTarget: What is done where a key of the source leads to no row.
    /// - Returns: The number of objects of each type.
    /// - Throws: Before anything is read, ``DatabaseError/Code/conflict`` for a property or a key of the source that
    ///   has no counterpart, and for a relation to a type that is not imported; ``DatabaseError/Code/unsupported`` if
    ///   the source is this database with other values of scopes. ``DatabaseError/Code/invalidValue`` for
    ///   a value that does not convert, ``DatabaseError/Code/notFound`` for a key that leads to nothing, and the errors
    ///   of a fetch and of an insert. The database is then as before.
    @discardableResult
    public func importObjects(
        from source: Database, _ imports: [ObjectImport], batchSize: Int = 500, missingTarget: MissingTarget = .throw
    ) async throws -> ImportReport {
        if source.core === core {
            return try await transaction { transaction in
                try await transaction.importObjects(
                    from: transaction, imports, batchSize: batchSize, missingTarget: missingTarget)
            }
        }
        guard source.core.id != core.id else { throw DatabaseError.importsOtherScopes }
        return try await source.read { snapshot in
            try await self.transaction { transaction in
                try await transaction.importObjects(
                    from: snapshot, imports, batchSize: batchSize, missingTarget: missingTarget)
            }
        }
    }
}

extension Transaction {
    /// Copies objects from tables in another layout, as a part of this transaction.
    ///
    /// ```swift
    /// try await db.transaction { tx in
    ///     try await tx.importObjects(from: tx, [ObjectImport(OldPerson.self, as: Person.self)])
    ///     try await tx.sql("DELETE FROM \(OldPerson.self)").execute()
    /// }
    /// ```
    ///
    /// See ``Database/importObjects(from:_:batchSize:missingTarget:)``. If it throws, this transaction is as before.
    @discardableResult
    public func importObjects(
        from source: some DatabaseContext, _ imports: [ObjectImport], batchSize: Int = 500,
        missingTarget: MissingTarget = .throw
    ) async throws -> ImportReport {
        guard batchSize > 0 else {
            throw DatabaseError(.invalidValue, "A batch has 1 object or more, not \(batchSize).")
        }
        let isSame = source._access.core === _access.core
        guard isSame || source._access.core.id != _access.core.id else { throw DatabaseError.importsOtherScopes }
        return try await transaction { nested in
            let run = ImportRun(
                old: isSame ? nested : source, new: nested, pairs: imports.map(\.pair), batchSize: batchSize,
                missingTarget: missingTarget)
            for (position, pair) in run.pairs.enumerated() { try pair.check(run, at: position) }
            var report = ImportReport()
            for (position, pair) in run.pairs.enumerated() {
                let count = try await pair.insert(run, at: position)
                report.counts[pair.target.ownDescription.type, default: 0] += count
            }
            for (position, pair) in run.pairs.enumerated() { try await pair.relate(run, at: position) }
            return report
        }
    }
}

extension DatabaseError {
    fileprivate static var importsOtherScopes: DatabaseError {
        DatabaseError(
            .unsupported,
            "The source of an import is the same database with other values of scopes, or with others ignored. Import from the database that imports."
        )
    }
}
