extension DatabaseContext {
    /// The object with the primary key, or nil if there is none.
    ///
    /// ```swift
    /// let project = try await db.find(Project.self, key: 42)
    /// // SELECT "id", "name" FROM "project" WHERE "id" = $1
    /// let line = try await db.find(OrderLine.self, key: Key(7, 3))
    /// ```
    ///
    /// It comes with everything that it leads to, each row as one instance, all of one snapshot: level by level, with
    /// one statement for each relation of a level. Relations that are loaded on demand are left out; `including` and `depth`
    /// widen and narrow that. Reading a relation that was not loaded gives its default;
    /// ``TableObject/isLoaded(_:)`` tells.
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - key: Its primary key.
    ///   - paths: Relations to be loaded in any case, such as `["related.lead"]`.
    ///   - depth: How many levels of relations are followed; nil for all. What an object can't be made without, and what
    ///     structs hold, is loaded beyond.
    ///   - missingTarget: What becomes of a key that leads to no row.
    ///   - fileID: The caller's file, for the log and for who holds a connection.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a key of another shape, ``DatabaseError/Code/decoding`` for a row
    ///   that does not fit the type, ``DatabaseError/Code/notFound`` for a key that leads to no row.
    public func find<Model: TableObject>(
        _ type: Model.Type, key: some KeyConvertible, including paths: RelationPaths = [],
        depth: Int? = nil, missingTarget: MissingTarget = .throw, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model? {
        try await LoadOperation<Model>(
            access(fileID, line), LoadScope(including: paths, depth: depth, missingTarget: missingTarget)
        ).one(key._key)
    }

    /// The objects with the primary keys, in the order of the keys.
    ///
    /// Keys without an object are passed over; a key that is given twice gives its object twice.
    public func fetch<Model: TableObject>(
        _ type: Model.Type, keys: [some KeyConvertible], including paths: RelationPaths = [], depth: Int? = nil,
        missingTarget: MissingTarget = .throw, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        try await LoadOperation<Model>(
            access(fileID, line), LoadScope(including: paths, depth: depth, missingTarget: missingTarget)
        ).many(keys.map(\._key))
    }

    /// All objects of a type, in its ``TableObject/defaultOrder``: by primary key unless it declares another.
    public func fetch<Model: TableObject>(
        _ type: Model.Type, including paths: RelationPaths = [], depth: Int? = nil,
        missingTarget: MissingTarget = .throw, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        guard Model.defaultOrder.isEmpty else {
            return try await query(type, fileID: fileID, line: line).including(paths).depth(depth).missingTarget(
                missingTarget
            ).fetch()
        }
        return try await LoadOperation<Model>(
            access(fileID, line), LoadScope(including: paths, depth: depth, missingTarget: missingTarget)
        ).all()
    }

    /// The number of objects of a type.
    public func count<Model: TableObject>(
        _ type: Model.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        let plan = try access(fileID, line).core.plan(for: Model.self)
        guard plan.description.presence.conditions.isEmpty else {
            return try await query(type, fileID: fileID, line: line).count()
        }
        do {
            return try await access(fileID, line).perform(.read, purpose: "count") { session, _ in
                try await session.run(plan.statements.count) { rows in
                    try rows.next().map { try Int._decode($0[0]) } ?? 0
                }
            }
        } catch let error as DatabaseError {
            throw plan.description.explained(error)
        }
    }

    /// Sets every property of an object to what its row holds; changes that were not saved are lost.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if the row is gone; the object is as before.
    public func reload<Model: TableObject & AnyObject>(
        _ object: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = [object]
        try await LoadOperation<Model>(access(fileID, line)).reload(&objects)
    }

    /// Sets every property of objects to what their rows hold, all of one snapshot.
    public func reload<Model: TableObject & AnyObject>(
        _ objects: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await LoadOperation<Model>(access(fileID, line)).reload(&objects)
    }

    /// The struct that the row of `value` holds now.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if the row is gone.
    public func reload<Model: TableObject>(
        _ value: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await LoadOperation<Model>(access(fileID, line)).reload(&values)
        return values[0]
    }

    /// Sets every property of a struct to what its row holds.
    public func reload<Model: TableObject>(
        _ value: inout Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        value = try await reload(value, fileID: fileID, line: line)
    }

    /// The structs that the rows of `values` hold now, in their order and all of one snapshot.
    public func reload<Model: TableObject>(
        _ values: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        var values = values
        try await LoadOperation<Model>(access(fileID, line)).reload(&values)
        return values
    }
}
