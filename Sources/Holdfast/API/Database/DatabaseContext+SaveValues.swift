/// Saving structs: a save returns them, or sets in them what it made.
extension DatabaseContext {
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
}
