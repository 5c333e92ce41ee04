extension DatabaseContext {
    /// Inserts an object, or updates the row with the same unique key; afterwards the object equals its row.
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
    /// Other values of the row are set in the object: its primary key, its creation time, and properties that were not
    /// updated. Only this unique key is compared, and a key that contains nil never matches. Two tasks that upsert the
    /// same row both succeed, one after the other. A ``Version()`` is counted up, whatever its value.
    ///
    /// New or changed objects that it references, or holds in arrays that are written, are saved first, without the
    /// objects that they reference themselves. An array that is not updated must be empty or unchanged, and counts as
    /// not loaded afterwards; so do inverse relations, and a reference if the row has another target.
    ///
    /// - Parameters:
    ///   - object: The object; it must stay on the caller's isolation until the save has ended.
    ///   - key: The properties of a unique key; the primary key if you pass none. If the engine still has to generate
    ///     the value of such a key, no row has it, and the object is inserted.
    ///   - properties: The properties to update in an existing row; nil for all but keys and creation times. If the
    ///     list is empty, the object only takes on the values of the row. A modification time is updated too.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/syntax`` if the properties are not a unique key,
    ///   ``DatabaseError/Code/uniqueViolation`` if another unique key is violated, ``DatabaseError/Code/conflict`` if
    ///   the object can't become the row that was found, or two objects would become one row,
    ///   ``DatabaseError/Code/unsupported`` if it holds objects that would not be written,
    ///   ``DatabaseError/Code/notLoaded`` if a property to be written was not loaded; and the errors of a save. The
    ///   database and every object are then as before.
    public func upsert<Model: TableObject & AnyObject>(
        _ object: Model, on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = [object]
        try await upserting(on: key, properties, access(fileID, line)).run(&objects)
    }

    /// Inserts objects, or updates the rows with the same unique keys, in one transaction.
    ///
    /// - Throws: The errors for one object; ``DatabaseError/objectIndex`` is the index of the one that failed.
    public func upsert<Model: TableObject & AnyObject>(
        _ objects: [Model], on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await upserting(on: key, properties, access(fileID, line)).run(&objects)
    }

    /// Inserts a struct, or updates the row with the same unique key.
    ///
    /// ```swift
    /// let stored = try await db.upsert(point, on: \.name)
    /// ```
    ///
    /// - Returns: The row as a struct.
    /// - Throws: The errors for an object; ``DatabaseError/Code/unsupported`` for a struct with references or arrays
    ///   that are not updated, and for one with inverse relations.
    public func upsert<Model: TableObject>(
        _ value: Model, on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await upserting(on: key, properties, access(fileID, line)).run(&values)
        return values[0]
    }

    /// Inserts structs, or updates the rows with the same unique keys, in one transaction.
    ///
    /// - Returns: The rows as structs, in the order of the values.
    public func upsert<Model: TableObject>(
        _ values: [Model], on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        var values = values
        try await upserting(on: key, properties, access(fileID, line)).run(&values)
        return values
    }

    /// Inserts structs, or updates the rows with the same unique keys, in one transaction, and reads nothing back.
    ///
    /// ```swift
    /// try await db.upsertWithoutReturning(measurements)
    /// // INSERT INTO "measurement" (…) VALUES (…) ON CONFLICT ("sensor", "time") DO UPDATE SET …
    /// ```
    ///
    /// It is for programs that have all values, and want to know nothing of the rows that were there: one struct is one
    /// statement, and many go to PostgreSQL as lists. They are written in their order, so that of several with one key
    /// the last one stays. Types with relations, arrays, hooks or generated keys are written as by
    /// `upsert(_:on:updating:)`.
    ///
    /// - Parameters:
    ///   - values: The structs.
    ///   - key: The properties of a unique key; the primary key if you pass none.
    ///   - properties: The properties to update in an existing row; nil for all but keys and creation times.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: The errors of an upsert; ``DatabaseError/objectIndex`` is the index of the value that failed. The
    ///   database is then as before.
    public func upsertWithoutReturning<Model: TableObject>(
        _ values: [Model], on key: PartialKeyPath<Model>..., updating properties: [PartialKeyPath<Model>]? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var values = values
        try await upserting(on: key, properties, access(fileID, line), readsBack: false).run(&values)
    }

    /// Saves an object and what it leads to, whether or not their rows exist: an object that was neither fetched nor
    /// saved replaces the row with its primary key, or is inserted.
    ///
    /// Use it for a graph that was made anew from the same data, such as a decoded file:
    ///
    /// ```swift
    /// let order = try JSONDecoder().decode(Order.self, from: data)    // new instances, with the keys of their rows
    /// try await db.upsert(order, scope: .graph)
    /// // INSERT INTO "order" (…) VALUES (…) ON CONFLICT ("number") DO UPDATE SET …
    /// ```
    ///
    /// Of a row that is replaced, every property becomes that of the object, nil and empty arrays included; a creation
    /// time stays if the object has none. Arrays lose the elements that the object does not hold, and objects of an
    /// inverse relation lose their reference to it; the rows of those objects stay. A property that is the inverse of
    /// an array removes nothing from that array.
    ///
    /// Objects that were fetched or saved are saved as by `save`. Several instances of one row are written once if
    /// they are equal, and refused otherwise. A ``Version()`` has to be that of the row.
    ///
    /// - Parameters:
    ///   - object: The object; it must stay on the caller's isolation until the save has ended.
    ///   - scope: The part of the graph that is saved with it.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: The errors of `save`, except that a primary key may exist; ``DatabaseError/Code/notNullViolation`` if
    ///   an object of an inverse relation can't lose its reference. The database and every object are then as before.
    public func upsert<Model: TableObject & AnyObject>(
        _ object: Model, scope: SaveScope, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = [object]
        try await SaveOperation(access: access(fileID, line), verb: .replace, scope: scope).run(&objects)
    }

    /// Saves objects and what they lead to, whether or not their rows exist, in one transaction.
    ///
    /// - Throws: The errors for one object; ``DatabaseError/objectIndex`` is the index of the one that failed.
    public func upsert<Model: TableObject & AnyObject>(
        _ objects: [Model], scope: SaveScope, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await SaveOperation(access: access(fileID, line), verb: .replace, scope: scope).run(&objects)
    }

    /// Saves structs and what they lead to, whether or not the rows of objects in them exist, in one transaction.
    ///
    /// - Returns: The values as saved, in their order.
    public func upsert<Model: TableObject>(
        _ values: [Model], scope: SaveScope, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        var values = values
        try await SaveOperation(access: access(fileID, line), verb: .replace, scope: scope).run(&values)
        return values
    }

    /// Inserts an object unless a row with the same primary key or another equal unique key exists.
    ///
    /// ```swift
    /// let isNew = try await db.insertOrIgnore(account)
    /// // INSERT INTO "account" ("email", "name") VALUES ($1, $2)
    /// // ON CONFLICT DO NOTHING RETURNING CAST($3 AS bigint), "id"
    /// ```
    ///
    /// An ignored object stays new. Objects that it references must have been saved.
    ///
    /// - Returns: Whether it was inserted.
    /// - Throws: The errors of an insert except ``DatabaseError/Code/uniqueViolation``;
    ///   ``DatabaseError/Code/unsupported`` if the object holds objects in an inverse relation.
    @discardableResult
    public func insertOrIgnore<Model: TableObject & AnyObject>(
        _ object: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Bool {
        var objects = [object]
        return try await insertingOrIgnoring(&objects, access(fileID, line)).isEmpty
    }

    /// Inserts the objects whose unique keys no row has, in one transaction; of several with an equal key, the first.
    ///
    /// ```swift
    /// let areNew = try await db.insertOrIgnore(accounts)    // [true, false]
    /// ```
    ///
    /// - Returns: For each object, whether it was inserted.
    /// - Throws: The errors for one object; ``DatabaseError/Code/unsupported`` if they reference each other.
    @discardableResult
    public func insertOrIgnore<Model: TableObject & AnyObject>(
        _ objects: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Bool] {
        var objects = objects
        let ignored = try await insertingOrIgnoring(&objects, access(fileID, line))
        return objects.indices.map { !ignored.contains($0) }
    }

    /// Inserts a struct unless a row with an equal unique key exists.
    ///
    /// ```swift
    /// if let inserted = try await db.insertOrIgnore(point) { print(inserted) }
    /// ```
    ///
    /// - Returns: The value as inserted; nil if it was ignored.
    @discardableResult
    public func insertOrIgnore<Model: TableObject>(
        _ value: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model? {
        var values = [value]
        return try await insertingOrIgnoring(&values, access(fileID, line)).isEmpty ? values[0] : nil
    }

    /// Inserts the structs whose unique keys no row has, in one transaction.
    ///
    /// - Returns: For each value, the value as inserted; nil if it was ignored.
    @discardableResult
    public func insertOrIgnore<Model: TableObject>(
        _ values: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model?] {
        var values = values
        let ignored = try await insertingOrIgnoring(&values, access(fileID, line))
        return values.enumerated().map { ignored.contains($0) ? nil : $1 }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func upserting<Model: TableObject>(
        on key: [PartialKeyPath<Model>], _ updated: [PartialKeyPath<Model>]?, _ access: DatabaseAccess,
        readsBack: Bool = true, tells: Bool = false, changes: (mask: PropertyMask, UpsertChanges)? = nil
    ) throws -> SaveOperation {
        let plan = try access.core.plan(for: Model.self)
        let description = plan.description
        let columns = description.columns
        let key =
            key.isEmpty ? description.keyMask : PropertyMask(try key.map { try description.requiredIndex(of: $0) })
        try description.requireUnique(key)
        for index in key.indices {
            let property = description.properties[index]
            guard property.isGenerated || property.textForm != nil else { continue }
            throw DatabaseError(
                .unsupported,
                "An upsert can't find a \(description.type) by \"\(property.name)\": its column is \(property.isGenerated ? "computed by the database" : "in a form of its own, by which no row is found").",
                table: description.table, properties: [property.name])
        }
        let mask =
            try changes?.mask ?? updated.map { PropertyMask(try $0.map { try description.requiredIndex(of: $0) }) }
        if let mask {
            try description.requireComputedByNone(mask)
            let refused = mask.intersection(description.keyMask.union(key).union(columns.inverseMask))
            guard refused.isEmpty else {
                let names = refused.indices.map { description.properties[$0].name }
                throw DatabaseError(
                    .unsupported,
                    "\(names.map { "\"\($0)\"" }.joined(separator: ", ")) of \(description.type) can't be among what is updated: keys stay as they are, and the other side of a relation is saved by itself.",
                    table: description.table, properties: names)
            }
        }
        if tells, access.core.dialect.upsertMark == nil {
            throw DatabaseError(
                .unsupported, "The engine does not tell whether an upsert inserts or updates. Use `upsert`.",
                table: description.table)
        }
        let followed = columns.relations.filter { relation in
            guard !relation.isInverse, !relation.target.isLazy else { return false }
            return !relation.isArray || mask?.contains(relation.property) ?? true
        }
        return SaveOperation(
            access: access,
            verb: .upsert(
                key: key, updated: mask, readsBack: readsBack || !plan.canBeUpsertedSilently(on: key),
                tells: tells, changes: changes?.1),
            scope: .following(RelationPaths(followed.map(\.name))))
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func insertingOrIgnoring<Model: TableObject>(
        _ models: inout [Model], _ access: DatabaseAccess
    ) async throws -> Set<Int> {
        try await SaveOperation(access: access, verb: .insertOrIgnore, scope: .object).run(&models)
    }
}
