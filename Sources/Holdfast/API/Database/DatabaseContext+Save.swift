extension DatabaseContext {
    /// Saves an object, what it owns and what these refer to, in one transaction: inserts new objects and updates
    /// changed properties.
    ///
    /// Each object is saved once, however many reference it; cycles are no problem. Of an array, only elements that
    /// were added, removed or moved are written. ``SaveScope/graph`` says which arrays with `inverse:` a save follows:
    /// a ticket is saved without the other tickets of its customer.
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
}
