extension Database {
    /// Creates the missing tables, join tables, columns and indexes of types.
    ///
    /// It drops no table, column or index. A foreign key or a delete rule that a model has changed is replaced.
    ///
    /// Many processes may call it concurrently: they take turns, and later ones find nothing to do. A process waits for
    /// as long as the others work; neither the lock timeout nor the statement timeout applies, but you can cancel the
    /// task. Waiting is logged at `info`.
    ///
    /// A statement waits for a lock on a table for ``DatabaseConfiguration/Migrations/lockTimeout`` at a time, so that
    /// others, who wait behind it, never wait for longer than that. Then everything is rolled back, and run again after
    /// a pause.
    ///
    /// ```swift
    /// try await db.migrate(Project.self, Person.self)
    /// // CREATE TABLE "project" (…); CREATE TABLE "person" (…)
    /// ```
    ///
    /// - Parameters:
    ///   - types: The types that the program stores.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Returns: The steps that were run; empty if nothing was missing. What the library writes about them into its
    ///   own tables is not among them.
    /// - Throws: ``DatabaseError/Code/conflict`` if an existing table contradicts a mapping, or names collide;
    ///   ``DatabaseError/Code/lockTimeout`` if others hold a table for longer than
    ///   ``DatabaseConfiguration/Migrations/retryLimit``. Nothing was changed then.
    @discardableResult
    public func migrate(
        _ types: any TableObject.Type..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> SchemaPlan {
        try await migrate(types, fileID: fileID, line: line)
    }

    /// Creates the missing tables, join tables, columns and indexes of a list of types.
    ///
    /// ```swift
    /// let types: [any TableObject.Type] = [Project.self, Person.self]
    /// try await db.migrate(types)
    /// ```
    @discardableResult
    public func migrate(
        _ types: [any TableObject.Type], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> SchemaPlan {
        let plan = try await Migrator(
            core: core, site: CallSite(fileID, line), descriptions: descriptions(types)
        ).run()
        for type in types { try type.prepareExpiry(in: core) }
        return plan
    }

    /// Brings a database to a schema: runs the named migrations that it has not had, and then creates what is missing.
    ///
    /// All of it is one transaction, under the lock under which processes take turns: everything, or nothing. If others
    /// hold its tables, it is rolled back and run again, with the closures of the migrations. Indexes that are built
    /// concurrently come after it (``Schema/buildsIndexesConcurrently``), and so do tables of SQLite that have to be
    /// made anew, in a second transaction. A database without any of the tables gets them as they are now; of the
    /// migrations, it runs those that make what each database needs (``Migration/Purpose``).
    ///
    /// A program of an earlier version that the database accepts (``Schema/acceptsProgramsFrom``) changes nothing.
    ///
    /// ```swift
    /// try await db.migrate(Schema(Note.self, migrations: [
    ///     Migration("2026-11-24 headline") { $0.rename(column: "title", of: "note", to: "headline") }
    /// ]))
    /// // ALTER TABLE "note" RENAME COLUMN "title" TO "headline"
    /// ```
    ///
    /// - Returns: What was run: the statements of migrations, and then the plan of what was missing.
    /// - Throws: ``DatabaseError/Code/conflict`` if the database has had a migration that the schema does not list (the
    ///   database is then newer than the program) and that was not marked as additive, if a migration was changed after
    ///   the database had it, if the database has a greater ``Schema/version`` and does not accept the program, or if
    ///   an earlier version of the program that the schema accepts would break; ``DatabaseError/Code/unsupported`` if
    ///   indexes are to be built concurrently behind a transaction pooler; the errors of the migrations, and those of
    ///   `migrate` for types. Nothing was changed then. ``DatabaseError/Code/uniqueViolation`` if rows are in the way
    ///   of a unique index that is built concurrently: then everything else was done.
    @discardableResult
    public func migrate(
        _ schema: Schema, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> SchemaPlan {
        try await migrate(schema, nil, CallSite(fileID, line))
    }

    /// Brings a database to a schema by a script that was kept, if that is what would be run now, and else does
    /// nothing.
    ///
    /// ```swift
    /// let script = try JSONDecoder().decode(SchemaScript.self, from: Data(contentsOf: file))
    /// try await db.migrate(schema, applying: script)
    /// ```
    ///
    /// The plan is made again under the lock, and compared with the script, statement by statement. Closures of named
    /// migrations are compared by the names and steps of their migrations: what they do is theirs. What runs after them
    /// has to be what the script says, or all is rolled back.
    ///
    /// If nothing is to be done any more, nothing is done. If a script has been interrupted between two of its
    /// transactions, the rest of it is run.
    ///
    /// - Returns: What was run.
    /// - Throws: ``DatabaseError/Code/conflict`` if something else would be run, or a script does not say all; the
    ///   message lists the statements that differ, and nothing was changed. Otherwise the errors of
    ///   ``migrate(_:fileID:line:)-(Schema,_,_)``.
    @discardableResult
    public func migrate(
        _ schema: Schema, applying script: SchemaScript, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> SchemaPlan {
        try await migrate(schema, script, CallSite(fileID, line))
    }

    private func migrate(_ schema: Schema, _ script: SchemaScript?, _ site: CallSite) async throws -> SchemaPlan {
        let plan = try await migrator(schema, site).run(applying: script)
        core.logWatcher.note(descriptions(schema.logged))
        for type in schema.types { try type.prepareExpiry(in: core) }
        return plan
    }

    func migrator(_ schema: Schema, _ site: CallSite) -> Migrator {
        Migrator(
            core: core, site: site, descriptions: descriptions(schema.types), migrations: schema.migrations,
            adopting: descriptions(schema.adopted), logging: descriptions(schema.logged),
            indexing: schema.indexes.map { ($0.type.ownDescription, $0.index) }, allowed: Set(schema.allowed),
            additions: schema.additions, version: schema.version, acceptsProgramsFrom: schema.acceptsProgramsFrom,
            buildsIndexesConcurrently: schema.buildsIndexesConcurrently)
    }

    /// Returns the plan of `migrate` without running it.
    ///
    /// ```swift
    /// print(try await db.schemaPlan(for: Project.self))    // CREATE TABLE "project" (…)
    /// ```
    ///
    /// See ``SchemaPlan/report`` for its locks, and ``SchemaPlan/hazards`` for what the previous version of the program
    /// may notice.
    public func schemaPlan(
        for types: any TableObject.Type..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> SchemaPlan {
        try await Migrator(core: core, site: CallSite(fileID, line), descriptions: descriptions(types)).plan()
    }

    /// Returns the plan of `migrate` for a schema without running it.
    ///
    /// It has all that `migrate` would run, in its order, and reads nothing but the engine's catalogs, the library's
    /// own tables, and whether tables have rows. What statements and closures of migrations do can't be known: they and
    /// what depends on them are marked (``SchemaStep/unknown``), and what they may yet make possible is left out
    /// (``SchemaPlan/unplanned``).
    ///
    /// ```swift
    /// for step in try await db.schemaPlan(for: schema).steps where step.losesData { print(step.sql) }
    /// ```
    /// - Throws: ``DatabaseError/Code/conflict``, with all that `migrate` would refuse, but for values of rows in the
    ///   way (``SchemaStep/mayFail``).
    public func schemaPlan(
        for schema: Schema, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> SchemaPlan {
        try await migrator(schema, CallSite(fileID, line)).plan()
    }

    func descriptions(_ types: [any TableObject.Type]) -> [TableDescription] { types.map { $0.ownDescription } }
}
