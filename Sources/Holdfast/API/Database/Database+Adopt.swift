extension Database {
    /// Notes that the tables of types are somebody else's, so that no migration changes them.
    ///
    /// ```swift
    /// try await db.adopt(Artist.self, Album.self)
    /// try await db.migrate(Review.self)    // makes "review", which refers to "album"; leaves "album" as it is
    /// ```
    ///
    /// From then on, `migrate` adds nothing to these tables, no column, index, trigger or foreign key, and compares
    /// nothing with the models but the names of columns: types, keys, defaults and delete rules are theirs. Tables that
    /// migrations make can refer to them. The table of an array is adopted with its owner if it exists; otherwise
    /// `migrate` makes it, and it is yours.
    ///
    /// You need neither `adopt` nor `migrate` to use such tables; adopt them if you migrate your own types that lead to
    /// them. ``Schema/adopted`` adopts tables as part of each `migrate`. A second call does nothing, and many processes
    /// may call it concurrently.
    ///
    /// - Parameters:
    ///   - types: The types, of which each is adopted by itself, without those that it leads to.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/conflict`` for a table that does not exist, that lacks a column of its type, or
    ///   that a migration has made, and for a delete rule or a log that the table would need a trigger for. Nothing was
    ///   changed then.
    public func adopt(
        _ types: any TableObject.Type..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await adopt(types, fileID: fileID, line: line)
    }

    /// Notes that the tables of a list of types are somebody else's.
    ///
    /// ```swift
    /// let types: [any TableObject.Type] = [Artist.self, Album.self]
    /// try await db.adopt(types)
    /// ```
    public func adopt(
        _ types: [any TableObject.Type], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        _ = try await Migrator(
            core: core, site: CallSite(fileID, line), descriptions: [], adopting: descriptions(types), onlyAdopts: true
        ).run()
    }

    /// Undoes the adoption of the tables of types: migrations compare and extend them again.
    ///
    /// ```swift
    /// try await db.release(Artist.self)
    /// ```
    ///
    /// The tables stay as they are. A type whose table is not adopted is passed over.
    ///
    /// - Parameters:
    ///   - types: The types.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    public func release(
        _ types: any TableObject.Type..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let names = descriptions(types).flatMap { $0.definitions.filter { $0.schema == nil }.map(\.name) }
        let table = AdoptedTable.tableMapping.description.table
        try await changingSchema(at: CallSite(fileID, line)) { transaction in
            let snapshot = try await transaction.scope.session.lease.connection.tables([table])
            guard snapshot.tables[table] != nil, !names.isEmpty else { return }
            try await transaction.sql("DELETE FROM \(AdoptedTable.self) WHERE table_name IN (\(names))").execute()
        }
    }
}
