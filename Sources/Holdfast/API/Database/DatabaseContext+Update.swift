extension DatabaseContext {
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
    ) throws -> SaveOperation {
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
