extension DatabaseContext {
    /// Finds the object with a primary key; nil if there is none.
    ///
    /// ```swift
    /// let project = try await db.find(Project.self, key: 42)
    /// // SELECT "id", "name" FROM "project" WHERE "id" = $1
    /// let line = try await db.find(OrderLine.self, key: Key(7, 3))
    /// ```
    ///
    /// Its relations are loaded with it, level by level, with one or two statements for each relation of a level, in
    /// one snapshot; each row becomes one instance. What is loaded on demand is left out: relations and columns that
    /// are marked `.onDemand`, and in classes arrays with `inverse:`, unless they are marked `.eager`. `including` and
    /// `depth` widen and narrow the load. A property that was not loaded reads as its default, and
    /// ``TableObject/isLoaded(_:)`` returns false for it.
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - key: Its primary key.
    ///   - paths: Relations to load in any case, such as `["related.lead"]` or an array with `inverse:`.
    ///   - depth: The number of levels of relations; nil for all. Required references, and relations of structs, are
    ///     loaded beyond.
    ///   - missingTarget: The handling of a key without a target row.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a key with other parts, ``DatabaseError/Code/decoding`` for a
    ///   row that does not fit the type, ``DatabaseError/Code/notFound`` for a reference without a target row.
    public func find<Model: TableObject>(
        _ type: Model.Type, key: some KeyConvertible, including paths: RelationPaths = [],
        depth: Int? = nil, missingTarget: MissingTarget = .throw, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model? {
        let operation = try LoadOperation<Model>(
            access(fileID, line), LoadScope(including: paths, depth: depth, missingTarget: missingTarget))
        return try await operation.one(operation.canonical(key._key))
    }

    /// Fetches the objects with primary keys, in the order of the keys.
    ///
    /// ```swift
    /// let some = try await db.fetch(Project.self, keys: [3, 1, 2])    // … "id" = ANY ($1::bigint[]) on PostgreSQL
    /// ```
    ///
    /// Keys without an object are skipped; a key that occurs twice returns its object twice.
    public func fetch<Model: TableObject>(
        _ type: Model.Type, keys: [some KeyConvertible], including paths: RelationPaths = [], depth: Int? = nil,
        missingTarget: MissingTarget = .throw, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        let operation = try LoadOperation<Model>(
            access(fileID, line), LoadScope(including: paths, depth: depth, missingTarget: missingTarget))
        return try await operation.many(keys.map { operation.canonical($0._key) })
    }

    /// Fetches all objects of a type in its ``TableObject/defaultOrder``, which is by primary key unless it declares
    /// another.
    ///
    /// ```swift
    /// let all = try await db.fetch(Project.self)    // SELECT … FROM "project" ORDER BY "id"
    /// ```
    public func fetch<Model: TableObject>(
        _ type: Model.Type, including paths: RelationPaths = [], depth: Int? = nil,
        missingTarget: MissingTarget = .throw, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        guard Model.defaultOrder.isEmpty else {
            return try await query(type).including(paths).depth(depth).missingTarget(
                missingTarget
            ).fetch(fileID: fileID, line: line)
        }
        return try await LoadOperation<Model>(
            access(fileID, line), LoadScope(including: paths, depth: depth, missingTarget: missingTarget)
        ).all()
    }

    /// Counts the objects of a type.
    ///
    /// ```swift
    /// let count = try await db.count(Project.self)    // SELECT count(*) FROM "project"
    /// ```
    public func count<Model: TableObject>(
        _ type: Model.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        let plan = try access(fileID, line).core.plan(for: Model.self)
        guard plan.description.presence.conditions.isEmpty else {
            return try await query(type).count(fileID: fileID, line: line)
        }
        do {
            return try await access(fileID, line).perform(.read, purpose: "count") { session, _ in
                try await session.run(plan.statements.count) { rows in
                    try rows.next().map { try Int._decode($0[0]) } ?? 0
                }
            }
        } catch let error as DatabaseError {
            throw await access(fileID, line).explained(error, of: plan.description)
        }
    }

    /// Sets every property of an object to the value in its row; unsaved changes are lost.
    ///
    /// ```swift
    /// try await db.reload(project)
    /// ```
    ///
    /// It loads what a ``find(_:key:including:depth:missingTarget:fileID:line:)`` does, and the relations on demand
    /// that the object has. A column on demand counts as not loaded afterwards.
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if the row is gone; the object is unchanged.
    public func reload<Model: TableObject & AnyObject>(
        _ object: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = [object]
        try await LoadOperation<Model>(access(fileID, line)).reload(&objects)
    }

    /// Sets every property of objects to the values in their rows, in one snapshot.
    public func reload<Model: TableObject & AnyObject>(
        _ objects: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        var objects = objects
        try await LoadOperation<Model>(access(fileID, line)).reload(&objects)
    }

    /// Fetches the current row of a struct.
    ///
    /// ```swift
    /// let current = try await db.reload(point)
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if the row is gone.
    public func reload<Model: TableObject>(
        _ value: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Model {
        var values = [value]
        try await LoadOperation<Model>(access(fileID, line)).reload(&values)
        return values[0]
    }

    /// Sets every property of a struct to the value in its row.
    public func reload<Model: TableObject>(
        _ value: inout Model, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        value = try await reload(value, fileID: fileID, line: line)
    }

    /// Fetches the current rows of structs, in their order and in one snapshot.
    public func reload<Model: TableObject>(
        _ values: [Model], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> [Model] {
        var values = values
        try await LoadOperation<Model>(access(fileID, line)).reload(&values)
        return values
    }
}
