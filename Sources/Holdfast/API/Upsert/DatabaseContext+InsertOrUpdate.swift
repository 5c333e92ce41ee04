extension DatabaseContext {
    /// Upserts an object, and tells whether its row was inserted or updated.
    ///
    /// ```swift
    /// if try await db.insertOrUpdate(account, on: \.email) == .inserted { try await welcome(account) }
    /// // INSERT INTO "account" ("email", "name") VALUES ($1, $2) ON CONFLICT ("email")
    /// // DO UPDATE SET "name" = excluded."name" RETURNING "id", "email", "name", (xmax = 0)::int::bigint
    /// ```
    ///
    /// Everything else is as of `upsert(_:on:updating:)`: it is the same statement, with one more value that it
    /// returns. The row itself says what was done with it, so the answer is right also where others insert and delete
    /// rows with the same key meanwhile: on PostgreSQL a row that was there carries the lock of the update (`xmax`),
    /// and on SQLite the part of the statement that updates notes that it does. A row that was there is updated even if
    /// it was marked as deleted, or is equal to the object; one that has expired is gone, and the object is inserted.
    ///
    /// - Parameters:
    ///   - object: The object; it must stay on the caller's isolation until the save has ended.
    ///   - key: The properties of a unique key; the primary key if you pass none.
    ///   - properties: The properties to update in an existing row; nil for all but keys and creation times.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: The errors of an upsert; ``DatabaseError/Code/unsupported`` from an engine that does not tell. The
    ///   database and every object are then as before.
    public func insertOrUpdate<Model: TableObject & AnyObject>(
        _ object: Model, on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> UpsertOutcome {
        var objects = [object]
        return outcomes(
            of: 1, try await upserting(on: key, properties, access(fileID, line), tells: true).run(&objects))[0]
    }

    /// Upserts objects in one transaction, and tells of each whether its row was inserted or updated.
    ///
    /// ```swift
    /// let outcomes = try await db.insertOrUpdate(accounts, on: \.email)    // [.inserted, .updated, …]
    /// ```
    ///
    /// - Returns: The outcomes in the order of the objects.
    /// - Throws: The errors for one object; ``DatabaseError/objectIndex`` is the index of the one that failed.
    public func insertOrUpdate<Model: TableObject & AnyObject>(
        _ objects: [Model], on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [UpsertOutcome] {
        var objects = objects
        return outcomes(
            of: objects.count,
            try await upserting(on: key, properties, access(fileID, line), tells: true).run(&objects))
    }

    /// Upserts a struct, and tells whether its row was inserted or updated.
    ///
    /// - Returns: The row as a struct, and the outcome.
    /// - Throws: The errors for an object, and those of an upsert of a struct.
    public func insertOrUpdate<Model: TableObject>(
        _ value: Model, on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> (row: Model, outcome: UpsertOutcome) {
        var values = [value]
        let updated = try await upserting(on: key, properties, access(fileID, line), tells: true).run(&values)
        return (values[0], outcomes(of: 1, updated)[0])
    }

    /// Upserts structs in one transaction, and tells of each whether its row was inserted or updated.
    ///
    /// - Returns: The rows as structs with the outcomes, in the order of the values.
    public func insertOrUpdate<Model: TableObject>(
        _ values: [Model], on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [(row: Model, outcome: UpsertOutcome)] {
        var values = values
        let updated = try await upserting(on: key, properties, access(fileID, line), tells: true).run(&values)
        return zip(values, outcomes(of: values.count, updated)).map { (row: $0, outcome: $1) }
    }

    /// Inserts an object, or changes the row with the same unique key by what that and the object hold, and tells which
    /// of both was done.
    ///
    /// ```swift
    /// let outcome = try await db.insertOrUpdate(Counter("home", count: 1), on: \.name) { row, new in
    ///     row.count.set(row.count.current + new.count)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - object: The object; it must stay on the caller's isolation until the save has ended.
    ///   - key: The properties of a unique key; the primary key if you pass none.
    ///   - changes: Sets properties of the row that exists.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: The errors of an upsert that computes, and those of the other forms.
    public func insertOrUpdate<Model: TableObject & AnyObject>(
        _ object: Model, on key: PartialKeyPath<Model>...,
        updating changes: (inout Assignments<Model>, Columns<Model>) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> UpsertOutcome {
        var objects = [object]
        return outcomes(
            of: 1, try await upserting(on: key, computing: changes, access(fileID, line), tells: true).run(&objects))[
                0]
    }

    private func outcomes(of count: Int, _ updated: Set<Int>) -> [UpsertOutcome] {
        (0..<count).map { updated.contains($0) ? .updated : .inserted }
    }
}
