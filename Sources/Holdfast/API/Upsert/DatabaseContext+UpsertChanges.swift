extension DatabaseContext {
    /// Inserts an object, or changes the row with the same unique key by what that and the object hold; afterwards the
    /// object equals its row.
    ///
    /// ```swift
    /// try await db.upsert(Counter("home", count: 1), on: \.name) { row, new in
    ///     row.count.set(row.count.current + new.count)
    /// }
    /// // INSERT INTO "counter" ("name", "count") VALUES ($1, $2) ON CONFLICT ("name")
    /// // DO UPDATE SET "count" = "counter"."count" + excluded."count" RETURNING "id", "name", "count"
    /// ```
    ///
    /// The first argument of the closure sets properties of the row that exists, as in an update by a query; the second
    /// has the columns of the row that would have been inserted. Of two tasks that upsert the same row, one counts on
    /// what the other has left. Everything else is as of `upsert(_:on:updating:)` with a list of properties: only what
    /// is set is updated, and a modification time and a ``Version()`` besides.
    ///
    /// - Parameters:
    ///   - object: The object; it must stay on the caller's isolation until the save has ended.
    ///   - key: The properties of a unique key; the primary key if you pass none.
    ///   - changes: Sets properties of the row that exists.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: The errors of an upsert of chosen properties, and of an update by a query. The database and every
    ///   object are then as before.
    public func upsert<Model: TableObject & AnyObject>(
        _ object: Model, on key: PartialKeyPath<Model>...,
        updating changes: (inout Assignments<Model>, Columns<Model>) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = [object]
        try await upserting(on: key, computing: changes, access(fileID, line)).run(&objects)
    }

    /// Inserts objects, or changes the rows with the same unique keys by what those and the objects hold, in one
    /// transaction.
    ///
    /// - Throws: The errors for one object; ``DatabaseError/objectIndex`` is the index of the one that failed.
    public func upsert<Model: TableObject & AnyObject>(
        _ objects: [Model], on key: PartialKeyPath<Model>...,
        updating changes: (inout Assignments<Model>, Columns<Model>) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await upserting(on: key, computing: changes, access(fileID, line)).run(&objects)
    }

    /// Inserts a struct, or changes the row with the same unique key by what that and the struct hold.
    ///
    /// ```swift
    /// let total = try await db.upsert(Total(day: day, amount: 5)) { row, new in
    ///     row.amount.set(row.amount.current + new.amount)
    /// }
    /// ```
    ///
    /// - Returns: The row as a struct.
    /// - Throws: The errors for an object.
    public func upsert<Model: TableObject>(
        _ value: Model, on key: PartialKeyPath<Model>...,
        updating changes: (inout Assignments<Model>, Columns<Model>) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await upserting(on: key, computing: changes, access(fileID, line)).run(&values)
        return values[0]
    }

    func upserting<Model: TableObject>(
        on key: [PartialKeyPath<Model>], computing changes: (inout Assignments<Model>, Columns<Model>) -> Void,
        _ access: DatabaseAccess, tells: Bool = false
    ) throws -> SaveOperation {
        var assignments = Assignments<Model>(.root)
        let newRow = QueryScope.element(bindsNames: false)
        changes(&assignments, Columns(QueryPath(scope: newRow)))
        let description = try access.core.plan(for: Model.self).description
        guard !assignments.list.isEmpty else {
            throw DatabaseError(
                .invalidValue, "An upsert sets nothing in a row that exists. Use `insertOrIgnore`, or set something.",
                table: description.table)
        }
        let written = try UpsertChanges(assignments.list, newRow: newRow, description, access.core.dialect)
        let names = assignments.list.compactMap { if case .path(let path) = $0.path { path.names.first } else { nil } }
        let mask = PropertyMask(names.compactMap { description.index(ofProperty: $0) })
        return try upserting(on: key, nil, access, tells: tells, changes: (mask, written))
    }
}
