extension DatabaseContext {
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
}
