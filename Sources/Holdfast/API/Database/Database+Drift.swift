extension Database {
    /// Returns what somebody has changed by hand in the tables of types, or what `migrate` has not done yet.
    ///
    /// It compares the columns, keys, indexes, constraints and triggers of each table with those that `migrate` makes:
    /// also what `migrate` leaves alone, such as columns and indexes that no model declares.
    ///
    /// ```swift
    /// for drift in try await db.drift(Note.self) { print(drift) }
    /// // The index "by_hand" of "note" is in no model: (rank).
    /// ```
    ///
    /// - Parameters:
    ///   - types: The types whose tables and join tables are compared, and all that their relations lead to.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Returns: The differences, table by table; empty if the tables are as `migrate` makes them.
    /// - Throws: ``DatabaseError/Code/unsupported`` if the driver describes no schemas.
    public func drift(
        _ types: any TableObject.Type..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [SchemaDrift] {
        try await drift(Schema(types: types), fileID: fileID, line: line)
    }

    /// Returns what somebody has changed by hand in the tables of a schema, or what `migrate` has not done yet.
    ///
    /// ```swift
    /// guard try await db.drift(schema).isEmpty else { throw Failure.changedByHand }
    /// ```
    ///
    /// The tables are read in one snapshot, without a lock. Tables of the database that no type of the schema has, and
    /// those that are adopted, are not compared. Additions of the schema that are missing, or were made by other
    /// statements, are reported last.
    ///
    /// - Returns: The differences, table by table; empty if the tables are as `migrate` makes them.
    /// - Throws: ``DatabaseError/Code/unsupported`` if the driver describes no schemas.
    public func drift(
        _ schema: Schema, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [SchemaDrift] {
        let migrator = migrator(schema, CallSite(fileID, line))
        let described = try await self.schema()
        let isNoted = described.table(AdoptedTable.tableMapping.description.table) != nil
        let adopted = Set(isNoted ? try await fetch(AdoptedTable.self, fileID: fileID, line: line).map(\.table) : [])
        let definitions = try migrator.definitions().filter { !adopted.contains($0.name) }
        let states = try await migrator.additionStates()
        return DriftFinder(schema: described, dialect: core.dialect, additions: states).drift(from: definitions)
    }
}
