extension DatabaseContext {
    /// Saves an object and everything it references, in one transaction: inserts new objects and updates changed
    /// properties.
    ///
    /// Each object is saved once, however many reference it; cycles are no problem. Of an array, only elements that
    /// were added, removed or moved are written.
    ///
    /// The save sets generated keys, timestamps, and values that their columns round. If nothing changed, nothing is
    /// sent. A property that you set while the save is suspended stays dirty.
    ///
    /// ```swift
    /// try await db.save(project)   // INSERT INTO "project" ("name", "code") VALUES ($1, $2) RETURNING "id"
    /// project.name = "Gemini"
    /// try await db.save(project)   // UPDATE "project" SET "name" = $1 WHERE "id" = $2
    /// ```
    ///
    /// - Parameters:
    ///   - object: The object; it must stay on the caller's isolation until the save has ended.
    ///   - scope: The part of the graph that is saved with it.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/uniqueViolation`` if a new object's key exists, ``DatabaseError/Code/notFound``
    ///   if a saved object's row is gone, ``DatabaseError/Code/staleVersion`` if another changed it; before anything is
    ///   committed, ``DatabaseError/Code/invalidValue``, ``DatabaseError/Code/notLoaded`` for a change of what was
    ///   not loaded, unless it is a reference to one object, and ``DatabaseError/Code/conflict`` for two objects of one
    ///   row with different contents; and other errors of the engine. The database and every object are then as before.
    public func save<Model: TableObject & AnyObject>(
        _ object: Model, scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = [object]
        try await SaveOperation(access: access(fileID, line), verb: .save, scope: scope).run(&objects)
    }

    /// Saves objects in one transaction: all of them, or none.
    ///
    /// ```swift
    /// try await db.save(projects)    // new ones share one INSERT statement
    /// ```
    ///
    /// - Throws: The errors for one object; ``DatabaseError/objectIndex`` is the index of the one that failed.
    public func save<Model: TableObject & AnyObject>(
        _ objects: [Model], scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await SaveOperation(access: access(fileID, line), verb: .save, scope: scope).run(&objects)
    }

    /// Saves all of a struct: inserts it, or replaces the row with its key.
    ///
    /// ```swift
    /// let saved = try await db.save(point)
    /// // INSERT INTO "point" (…) VALUES (…) ON CONFLICT ("name") DO UPDATE SET …
    /// ```
    ///
    /// - Returns: The value as saved, with a generated key, timestamps, and rounded values.
    public func save<Model: TableObject>(
        _ value: Model, scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await SaveOperation(access: access(fileID, line), verb: .save, scope: scope).run(&values)
        return values[0]
    }

    /// Saves all of a struct, and sets generated values in it.
    ///
    /// ```swift
    /// try await db.save(&point)
    /// ```
    public func save<Model: TableObject>(
        _ value: inout Model, scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        value = try await save(value, scope: scope, fileID: fileID, line: line)
    }

    /// Saves structs in one transaction: all of them, or none.
    ///
    /// - Returns: The values as saved, in their order.
    public func save<Model: TableObject>(
        _ values: [Model], scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        var values = values
        try await SaveOperation(access: access(fileID, line), verb: .save, scope: scope).run(&values)
        return values
    }

    /// Saves structs in one transaction, and sets generated values in them.
    public func save<Model: TableObject>(
        _ values: inout [Model], scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        values = try await save(values, scope: scope, fileID: fileID, line: line)
    }

    /// Inserts an object, even if it was saved before.
    ///
    /// ```swift
    /// try await db.insert(project)    // INSERT INTO "project" …
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/uniqueViolation`` if a row with its key exists.
    public func insert<Model: TableObject & AnyObject>(
        _ object: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = [object]
        try await SaveOperation(access: access(fileID, line), verb: .insert).run(&objects)
    }

    /// Inserts objects in one transaction.
    public func insert<Model: TableObject & AnyObject>(
        _ objects: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await SaveOperation(access: access(fileID, line), verb: .insert).run(&objects)
    }

    /// Inserts a struct.
    ///
    /// - Returns: The value as saved.
    public func insert<Model: TableObject>(
        _ value: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await SaveOperation(access: access(fileID, line), verb: .insert).run(&values)
        return values[0]
    }

    /// Inserts structs in one transaction.
    ///
    /// - Returns: The values as saved, in their order.
    public func insert<Model: TableObject>(
        _ values: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        var values = values
        try await SaveOperation(access: access(fileID, line), verb: .insert).run(&values)
        return values
    }

    /// Updates the row of an object: changed properties, or all if the object was never saved or fetched.
    ///
    /// ```swift
    /// try await db.update(project)    // UPDATE "project" SET "name" = $1 WHERE "id" = $2
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if no row has its key.
    public func update<Model: TableObject & AnyObject>(
        _ object: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = [object]
        try await SaveOperation(access: access(fileID, line), verb: .update).run(&objects)
    }

    /// Updates the rows of objects in one transaction.
    public func update<Model: TableObject & AnyObject>(
        _ objects: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await SaveOperation(access: access(fileID, line), verb: .update).run(&objects)
    }

    /// Updates only some properties of an object's row, changed or not.
    ///
    /// ```swift
    /// try await db.update(project, only: \.name, \.status)
    /// // UPDATE "project" SET "name" = $1, "status" = $2 WHERE "id" = $3
    /// ```
    ///
    /// Other changed properties stay dirty. A modification time is set. Objects in relations among the properties are
    /// saved too.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` for a new object, ``DatabaseError/Code/syntax`` for a key path that is
    ///   not a property, and the errors of an update.
    public func update<Model: TableObject & AnyObject>(
        _ object: Model, only properties: PartialKeyPath<Model>..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await update([object], only: properties, fileID: fileID, line: line)
    }

    /// Updates only some properties of the rows of objects, in one transaction.
    public func update<Model: TableObject & AnyObject>(
        _ objects: [Model], only properties: [PartialKeyPath<Model>], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await updating(properties, access(fileID, line)).run(&objects)
    }

    /// Updates only some properties of the row of a struct.
    ///
    /// - Returns: The value as saved.
    public func update<Model: TableObject>(
        _ value: Model, only properties: PartialKeyPath<Model>..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await updating(properties, access(fileID, line)).run(&values)
        return values[0]
    }

    private func updating<Model: TableObject>(
        _ properties: [PartialKeyPath<Model>], _ access: DatabaseAccess
    ) throws -> SaveOperation<Model> {
        let description = try access.core.plan(for: Model.self).description
        let mask = PropertyMask(try properties.map { try description.requiredIndex(of: $0) })
        guard mask.intersection(description.keyMask).isEmpty else {
            throw DatabaseError(
                .conflict, "The primary key of a saved \(description.type) can't be updated.", table: description.table)
        }
        try description.requireComputedByNone(mask)
        let relations = description.columns.relations.filter { mask.contains($0.property) && !$0.target.isLazy }
        return SaveOperation(
            access: access, verb: .updateOnly(mask), scope: .following(RelationPaths(relations.map(\.name))))
    }

    /// Updates the row of a struct.
    ///
    /// - Returns: The value as saved.
    public func update<Model: TableObject>(
        _ value: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await SaveOperation(access: access(fileID, line), verb: .update).run(&values)
        return values[0]
    }

    /// Updates the rows of structs in one transaction.
    ///
    /// - Returns: The values as saved, in their order.
    public func update<Model: TableObject>(
        _ values: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        var values = values
        try await SaveOperation(access: access(fileID, line), verb: .update).run(&values)
        return values
    }
}
