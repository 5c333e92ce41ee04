extension DatabaseContext {
    /// Saves an object and everything that it leads to: what is new is inserted, and of the rest written what changed.
    ///
    /// Each object is saved once, whatever leads to it, all in one transaction. Circles end. Of an array only the elements
    /// that came, went or moved are written.
    ///
    /// A key that the engine makes, timestamps, and values rounded to what their columns hold are set in the object. Nothing
    /// is sent if nothing changed. What is set while the save is suspended stays to be saved.
    ///
    /// ```swift
    /// try await db.save(project)   // INSERT INTO "project" ("name", "code") VALUES ($1, $2) RETURNING "id"
    /// project.name = "Gemini"
    /// try await db.save(project)   // UPDATE "project" SET "name" = $1 WHERE "id" = $2
    /// ```
    ///
    /// - Parameters:
    ///   - object: The object; it has to stay on the caller's isolation until the save has ended.
    ///   - scope: How much of what the object leads to is saved with it.
    ///   - fileID: The caller's file, for the log and for who holds a connection.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/uniqueViolation`` if a new object's key exists,
    ///   ``DatabaseError/Code/notFound`` if a saved object's row is gone; before anything is sent
    ///   ``DatabaseError/Code/invalidValue``, ``DatabaseError/Code/notLoaded`` if a relation was changed that had not been
    ///   loaded, ``DatabaseError/Code/conflict`` if two objects are one row with different contents; and what else the
    ///   engine refuses. Then the database and every object are as before.
    public func save<Model: TableObject & AnyObject>(
        _ object: Model, scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = [object]
        try await SaveOperation(access: access(fileID, line), verb: .save, scope: scope).run(&objects)
    }

    /// Saves objects in one transaction, each as if it were saved alone: all of them, or none.
    ///
    /// - Throws: As for one; the error's ``DatabaseError/objectIndex`` tells which.
    public func save<Model: TableObject & AnyObject>(
        _ objects: [Model], scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await SaveOperation(access: access(fileID, line), verb: .save, scope: scope).run(&objects)
    }

    /// Saves a struct whole: inserts it, or replaces the row that has its key.
    ///
    /// - Returns: The value as it was saved: with the key that the engine made, timestamps, and rounded values.
    public func save<Model: TableObject>(
        _ value: Model, scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await SaveOperation(access: access(fileID, line), verb: .save, scope: scope).run(&values)
        return values[0]
    }

    /// Saves a struct whole, and sets in it what the engine or the save made.
    public func save<Model: TableObject>(
        _ value: inout Model, scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        value = try await save(value, scope: scope, fileID: fileID, line: line)
    }

    /// Saves structs in one transaction: all of them, or none.
    ///
    /// - Returns: The values as they were saved, in their order.
    public func save<Model: TableObject>(
        _ values: [Model], scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        var values = values
        try await SaveOperation(access: access(fileID, line), verb: .save, scope: scope).run(&values)
        return values
    }

    /// Saves structs in one transaction, and sets in them what the engine or the save made.
    public func save<Model: TableObject>(
        _ values: inout [Model], scope: SaveScope = .graph, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        values = try await save(values, scope: scope, fileID: fileID, line: line)
    }

    /// Inserts an object, whether or not it was saved before.
    ///
    /// - Throws: ``DatabaseError/Code/uniqueViolation`` if a row has its key.
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
    /// - Returns: The value as it was saved.
    public func insert<Model: TableObject>(
        _ value: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await SaveOperation(access: access(fileID, line), verb: .insert).run(&values)
        return values[0]
    }

    /// Inserts structs in one transaction.
    ///
    /// - Returns: The values as they were saved, in their order.
    public func insert<Model: TableObject>(
        _ values: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        var values = values
        try await SaveOperation(access: access(fileID, line), verb: .insert).run(&values)
        return values
    }

    /// Updates the row of an object: the properties that changed, or all of them if the object was never saved or fetched.
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

    /// Updates some properties of an object's row, changed or not, and nothing else.
    ///
    /// ```swift
    /// try await db.update(project, only: \.name, \.status)
    /// // UPDATE "project" SET "name" = $1, "status" = $2 WHERE "id" = $3
    /// ```
    ///
    /// Whatever else was changed in the object stays to be saved. A modification time is set. What relations among the
    /// properties lead to is saved with them.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` for a new object, ``DatabaseError/Code/syntax`` for what is no property, and
    ///   what an update throws.
    public func update<Model: TableObject & AnyObject>(
        _ object: Model, only properties: PartialKeyPath<Model>..., fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await update([object], only: properties, fileID: fileID, line: line)
    }

    /// Updates some properties of the rows of objects, in one transaction.
    public func update<Model: TableObject & AnyObject>(
        _ objects: [Model], only properties: [PartialKeyPath<Model>], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await updating(properties, access(fileID, line)).run(&objects)
    }

    /// Updates some properties of the row of a struct, and nothing else.
    ///
    /// - Returns: The value as it was saved.
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
        let relations = description.columns.relations.filter { mask.contains($0.property) && !$0.target.isLazy }
        return SaveOperation(
            access: access, verb: .updateOnly(mask), scope: .following(RelationPaths(relations.map(\.name))))
    }

    /// Updates the row of a struct.
    ///
    /// - Returns: The value as it was saved.
    public func update<Model: TableObject>(
        _ value: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await SaveOperation(access: access(fileID, line), verb: .update).run(&values)
        return values[0]
    }

    /// Updates the rows of structs in one transaction.
    ///
    /// - Returns: The values as they were saved, in their order.
    public func update<Model: TableObject>(
        _ values: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        var values = values
        try await SaveOperation(access: access(fileID, line), verb: .update).run(&values)
        return values
    }
}
