extension DatabaseContext {
    /// Inserts an object, or updates the row that has the same unique key; the object is then what its row is.
    ///
    /// ```swift
    /// try await db.upsert(account, on: \.email)
    /// // INSERT INTO "account" ("email", "name", "logins") VALUES ($1, $2, $3)
    /// // ON CONFLICT ("email") DO UPDATE SET "name" = excluded."name", "logins" = excluded."logins"
    /// // RETURNING "id", "email", "name", "logins"
    ///
    /// try await db.upsert(account, on: \.email, updating: [\.name])
    /// // … DO UPDATE SET "name" = excluded."name" RETURNING …
    /// ```
    ///
    /// Whatever the row holds besides is set in the object: its primary key, its creation time, what was not updated. A
    /// row is found by this key alone, and of keys with a nil in them by none. Two tasks that upsert the same row both
    /// succeed, one after the other. A ``Version()`` is counted up, whatever it was.
    ///
    /// Objects that it refers to, or has in arrays that are written, are saved before, if they are new or changed, each without
    /// what it leads to itself. An array that is not updated has to be empty or unchanged, and counts as not loaded
    /// afterwards, as does a relation that the other side keeps, and a reference where the row leads to another object.
    ///
    /// - Parameters:
    ///   - object: The object; it has to stay on the caller's isolation until the save has ended.
    ///   - key: The properties of a unique key; the primary key if there are none. One with a value that the engine makes is
    ///     in no row yet, so that the object is inserted.
    ///   - properties: What is updated in a row that exists; nil for everything but keys and creation times, and nothing for
    ///     an empty list: then the object becomes the row that exists. A modification time is set with the rest.
    ///   - fileID: The caller's file, for the log and for who holds a connection.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/syntax`` if the key is none, ``DatabaseError/Code/uniqueViolation`` if another unique
    ///   key is in the way, ``DatabaseError/Code/conflict`` if the object can't become the row that was found, or two of
    ///   several objects would, ``DatabaseError/Code/unsupported`` if it holds what is not written,
    ///   ``DatabaseError/Code/notLoaded`` if what is to be written was left out of it; and what a save throws.
    ///   Then the database and every object are as before.
    public func upsert<Model: TableObject & AnyObject>(
        _ object: Model, on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = [object]
        try await upserting(on: key, properties, access(fileID, line)).run(&objects)
    }

    /// Inserts objects, or updates the rows that have the same unique keys, in one transaction.
    ///
    /// - Throws: As for one; the error's ``DatabaseError/objectIndex`` tells which.
    public func upsert<Model: TableObject & AnyObject>(
        _ objects: [Model], on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await upserting(on: key, properties, access(fileID, line)).run(&objects)
    }

    /// Inserts a struct, or updates the row that has the same unique key.
    ///
    /// - Returns: What the row holds.
    /// - Throws: As for an object; ``DatabaseError/Code/unsupported`` for a struct with references or arrays that are not
    ///   updated, and for one with relations that the other side keeps.
    public func upsert<Model: TableObject>(
        _ value: Model, on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await upserting(on: key, properties, access(fileID, line)).run(&values)
        return values[0]
    }

    /// Inserts structs, or updates the rows that have the same unique keys, in one transaction.
    ///
    /// - Returns: What the rows hold, in the order of the values.
    public func upsert<Model: TableObject>(
        _ values: [Model], on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        var values = values
        try await upserting(on: key, properties, access(fileID, line)).run(&values)
        return values
    }

    /// Inserts an object, unless a row is in the way: one with the same primary key, or the same in another unique key.
    ///
    /// ```swift
    /// let isNew = try await db.insertOrIgnore(account)
    /// // INSERT INTO "account" ("email", "name") VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING CAST($3 AS bigint), "id"
    /// ```
    ///
    /// What is ignored stays as it was: a new object. What the object leads to must have been saved.
    ///
    /// - Returns: Whether it was inserted.
    /// - Throws: What an insert throws, but for ``DatabaseError/Code/uniqueViolation``;
    ///   ``DatabaseError/Code/unsupported`` if the object holds something in a relation that the other side keeps.
    @discardableResult
    public func insertOrIgnore<Model: TableObject & AnyObject>(
        _ object: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Bool {
        var objects = [object]
        return try await insertingOrIgnoring(&objects, access(fileID, line)).isEmpty
    }

    /// Inserts those objects for which no row is in the way, in one transaction; of several that are in each other's way, the
    /// first.
    ///
    /// - Returns: For each whether it was inserted.
    /// - Throws: As for one; ``DatabaseError/Code/unsupported`` if they refer to each other.
    @discardableResult
    public func insertOrIgnore<Model: TableObject & AnyObject>(
        _ objects: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Bool] {
        var objects = objects
        let ignored = try await insertingOrIgnoring(&objects, access(fileID, line))
        return objects.indices.map { !ignored.contains($0) }
    }

    /// Inserts a struct, unless a row is in the way.
    ///
    /// - Returns: The value as it was inserted; nil if it was not.
    @discardableResult
    public func insertOrIgnore<Model: TableObject>(
        _ value: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model? {
        var values = [value]
        return try await insertingOrIgnoring(&values, access(fileID, line)).isEmpty ? values[0] : nil
    }

    /// Inserts those structs for which no row is in the way, in one transaction.
    ///
    /// - Returns: For each the value as it was inserted; nil if it was not.
    @discardableResult
    public func insertOrIgnore<Model: TableObject>(
        _ values: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model?] {
        var values = values
        let ignored = try await insertingOrIgnoring(&values, access(fileID, line))
        return values.enumerated().map { ignored.contains($0) ? nil : $1 }
    }

    private func upserting<Model: TableObject>(
        on key: [PartialKeyPath<Model>], _ updated: [PartialKeyPath<Model>]?, _ access: DatabaseAccess
    ) throws -> SaveOperation<Model> {
        let description = try access.core.plan(for: Model.self).description
        let columns = description.columns
        let key =
            key.isEmpty ? description.keyMask : PropertyMask(try key.map { try description.requiredIndex(of: $0) })
        try description.requireUnique(key)
        let mask = try updated.map { PropertyMask(try $0.map { try description.requiredIndex(of: $0) }) }
        if let mask {
            let refused = mask.intersection(description.keyMask.union(key).union(columns.inverseMask))
            guard refused.isEmpty else {
                let names = refused.indices.map { description.properties[$0].name }
                throw DatabaseError(
                    .unsupported,
                    "\(names.map { "\"\($0)\"" }.joined(separator: ", ")) of \(description.type) can't be among what is updated: keys stay as they are, and the other side of a relation is saved by itself.",
                    table: description.table, properties: names)
            }
        }
        let followed = columns.relations.filter { relation in
            guard !relation.isInverse, !relation.target.isLazy else { return false }
            return !relation.isArray || mask?.contains(relation.property) ?? true
        }
        return SaveOperation(
            access: access, verb: .upsert(key: key, updated: mask),
            scope: .following(RelationPaths(followed.map(\.name))))
    }

    private func insertingOrIgnoring<Model: TableObject>(
        _ models: inout [Model], _ access: DatabaseAccess
    ) async throws -> Set<Int> {
        try await SaveOperation(access: access, verb: .insertOrIgnore, scope: .object).run(&models)
    }
}
