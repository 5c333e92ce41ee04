extension Database {
    /// Creates what the types need and the database lacks: tables, join tables, columns, indexes.
    ///
    /// Nothing is dropped.
    ///
    /// Safe when many processes do it at once: they take turns, and those that come later find nothing to do. Waiting for
    /// one's turn takes as long as the others work; neither the lock timeout nor the statement timeout ends it, but
    /// cancelling the task does. That a migration waits is logged at `info`.
    ///
    /// ```swift
    /// try await db.migrate(Project.self, Person.self)
    /// // CREATE TABLE "project" (…); CREATE TABLE "person" (…)
    /// ```
    ///
    /// - Parameter types: The types that the program keeps.
    /// - Returns: What was done; empty if nothing was missing.
    /// - Throws: ``DatabaseError/Code/conflict`` if what exists contradicts a mapping, or names collide: then nothing was
    ///   done.
    @discardableResult
    public func migrate(_ types: any TableObject.Type...) async throws -> SchemaPlan {
        try await migrate(types)
    }

    /// Creates what the types need and the database lacks, for types that are not known one by one.
    @discardableResult
    public func migrate(_ types: [any TableObject.Type]) async throws -> SchemaPlan {
        try await Migrator(core: core, descriptions: descriptions(types)).run()
    }

    /// What `migrate` would do, without doing it.
    public func schemaPlan(for types: any TableObject.Type...) async throws -> SchemaPlan {
        try await Migrator(core: core, descriptions: descriptions(types)).plan()
    }

    private func descriptions(_ types: [any TableObject.Type]) -> [TableDescription] { types.map { $0.ownDescription } }
}
