extension Database {
    /// Drops the table of a type with its join tables, and all their rows.
    ///
    /// ```swift
    /// try await db.dropTable(Project.self)
    /// // DROP TABLE "project_tags"; DROP TABLE "project"
    /// ```
    ///
    /// It drops the triggers of the type's delete rules and forgets what the journal has of the tables. All of it is
    /// one transaction, under the lock under which migrations take turns: everything, or nothing. Until it commits,
    /// nobody else can use the tables (`ACCESS EXCLUSIVE` of PostgreSQL), or write to the database (SQLite). A later
    /// `migrate` of the type makes the tables again, without rows.
    ///
    /// A table to which others refer is not dropped. With `droppingReferences`, the foreign keys of those others are
    /// dropped, and so are their delete rules, which `migrate` makes again where types need them. Their rows stay, with
    /// the keys of rows that are gone.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - droppingReferences: Whether to drop the foreign keys of other tables that refer to it.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/conflict`` if another table refers to one of the tables, or a view of PostgreSQL;
    ///   ``DatabaseError/Code/unsupported`` if its foreign keys were to be dropped, and the engine can't do that, as
    ///   SQLite can't; ``DatabaseError/Code/notMigrated`` if the table does not exist. Nothing was changed then.
    public func dropTable<Model: TableObject>(
        _ type: Model.Type, droppingReferences: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let removal = TableRemoval(
            description: type.ownMapping.description, dropsReferences: droppingReferences)
        try await changingSchema(at: CallSite(fileID, line)) { try await removal.run(in: $0) }
    }

    /// Drops the indexes of exactly these properties, in this order.
    ///
    /// ```swift
    /// try await db.dropIndex(on: Project.self, of: "startDate")
    /// // DROP INDEX "project_start_date_idx"
    /// ```
    ///
    /// It drops unique ones too, and leaves alone what has a condition or an expression. Until it commits, nobody else
    /// can use the table (PostgreSQL), or write to the database (SQLite). As long as the type declares the index, the
    /// next `migrate` makes it again.
    ///
    /// - Parameters:
    ///   - type: The type whose table has the index.
    ///   - properties: The properties, by name.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/notFound`` if there is none; ``DatabaseError/Code/syntax`` for an unknown
    ///   property; ``DatabaseError/Code/conflict`` if a UNIQUE constraint has made the index.
    public func dropIndex<Model: TableObject>(
        on type: Model.Type, of properties: String..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let description = type.ownMapping.description
        try description.requireOwnSchema()
        let columns = try properties.flatMap { name in
            guard let index = description.index(ofProperty: name) else { throw description.unknownProperty(name) }
            return description.columns.all[description.columns.ranges[index]].map(\.name)
        }
        try await changingSchema(at: CallSite(fileID, line)) { transaction in
            let removal = IndexRemoval(table: description.table) { index in
                index.columns == columns && !columns.isEmpty
            }
            try await removal.run(in: transaction)
        }
    }

    /// Drops an index of a type's table by its name.
    ///
    /// ```swift
    /// try await db.dropIndex(named: "project_lower_name", on: Project.self)
    /// // DROP INDEX "project_lower_name"
    /// ```
    ///
    /// See ``dropIndex(on:of:fileID:line:)`` for its locks.
    ///
    /// - Parameters:
    ///   - name: The exact name of the index.
    ///   - type: The type whose table has the index.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/notFound`` if the table has no such index; ``DatabaseError/Code/conflict`` if a
    ///   UNIQUE constraint has made it.
    public func dropIndex<Model: TableObject>(
        named name: String, on type: Model.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let description = type.ownMapping.description
        try description.requireOwnSchema()
        let removal = IndexRemoval(table: description.table) { index in
            index.name.utf8.elementsEqual(name.utf8)
        }
        try await changingSchema(at: CallSite(fileID, line)) { try await removal.run(in: $0) }
    }

    /// Runs `body` in a transaction, under the lock under which migrations take turns.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func changingSchema<Output>(
        at site: CallSite, _ body: nonisolated(nonsending) (Transaction) async throws -> Output
    ) async throws -> Output {
        // Before the lock, which such a task would wait for as well.
        try CurrentLease.check(core.id)
        return try await core.migrationLock.withLock {
            let migrator = Migrator(core: core, site: site, descriptions: [])
            return try await migrator.waitingForBuilders {
                try await transaction(isolation: .readCommitted, fileID: site.fileID, line: site.line) { transaction in
                    try await migrator.lock(transaction.scope.session)
                    return try await body(transaction)
                }
            }
        }
    }
}
