extension DatabaseContext {
    /// Links an object with another, by an array that is not loaded for it.
    ///
    /// ```swift
    /// try await db.link(project, \.members, to: ann)
    /// // INSERT INTO "project_members" … SELECT … WHERE NOT EXISTS (…)
    /// try await db.link(ticket, \.comments, to: comment)
    /// // UPDATE "comment" SET "ticket_id" = $1 WHERE …
    /// ```
    ///
    /// In an array of a join table, the other object comes at the end, unless it is there already; the row of its owner
    /// stays as it is, with its version and its time of modification. By an array with an inverse, either the array of
    /// the other side gets the object, or its reference is set, as by `update(_:)`. No hooks are called; the
    /// change log and observers are told.
    ///
    /// The objects keep what they hold. In those that were given, the array counts as not loaded from then on: a save
    /// leaves it alone, and `loadRelation` loads it. A struct remembers nothing, and writes the array that it holds
    /// when it is saved.
    ///
    /// - Returns: The number of new links: 1, or 0 if the objects were linked before.
    /// - Throws: ``DatabaseError/Code/notFound`` if one of the objects has no row;
    ///   ``DatabaseError/Code/invalidValue`` for a property that is no array of objects in a table.
    @discardableResult
    public func link<Owner: TableObject, Element: TableObject>(
        _ owner: Owner, _ relation: KeyPath<Owner, [Element]>, to element: Element,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await link(owner, relation, to: [element], fileID: fileID, line: line)
    }

    /// Links an object with others, in one transaction, as with one.
    ///
    /// ```swift
    /// let count = try await db.link(project, \.members, to: [ann, bob])
    /// ```
    ///
    /// - Returns: The number of new links.
    @discardableResult
    public func link<Owner: TableObject, Element: TableObject>(
        _ owner: Owner, _ relation: KeyPath<Owner, [Element]>, to elements: [Element],
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await change(.link, owner, relation, elements, fileID, line)
    }

    /// Links objects that are known by their keys.
    ///
    /// ```swift
    /// try await db.link(Project.self, key: 7, \.members, toKeys: [1, 2])
    /// ```
    ///
    /// The array may also be optional, or one of lazy references. Objects in memory stay as they are; load the array
    /// again where you keep it.
    ///
    /// - Returns: The number of new links.
    /// - Throws: The errors of linking two objects.
    @discardableResult
    public func link<Owner: TableObject, Value>(
        _ type: Owner.Type, key: some KeyConvertible, _ relation: KeyPath<Owner, Value>,
        toKeys keys: [some KeyConvertible], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await change(.link, type, key._key, relation, keys.map(\._key), fileID, line)
    }

    /// Undoes the link of an object with another, by an array that is not loaded for it.
    ///
    /// ```swift
    /// try await db.unlink(project, \.members, from: ann)
    /// // DELETE FROM "project_members" WHERE ("project_id", "person_id") IN (…)
    /// ```
    ///
    /// An array that has the object more than once loses it wherever it is. Where the other side has a reference, it
    /// becomes nil. The objects keep what they hold: in those that were given, the array counts as not loaded, as after
    /// a link.
    ///
    /// - Returns: The number of links that there were.
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a property that is no array of objects in a table, and for an
    ///   array whose objects must have an owner; ``DatabaseError/Code/notFound`` if one of the objects has no key.
    @discardableResult
    public func unlink<Owner: TableObject, Element: TableObject>(
        _ owner: Owner, _ relation: KeyPath<Owner, [Element]>, from element: Element,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await unlink(owner, relation, from: [element], fileID: fileID, line: line)
    }

    /// Undoes the links of an object with others, by one statement.
    ///
    /// ```swift
    /// let count = try await db.unlink(project, \.members, from: [ann, bob])
    /// ```
    ///
    /// - Returns: The number of links that there were.
    @discardableResult
    public func unlink<Owner: TableObject, Element: TableObject>(
        _ owner: Owner, _ relation: KeyPath<Owner, [Element]>, from elements: [Element],
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await change(.unlink, owner, relation, elements, fileID, line)
    }

    /// Undoes the links of objects that are known by their keys.
    ///
    /// ```swift
    /// try await db.unlink(Project.self, key: 7, \.members, fromKeys: [1, 2])
    /// ```
    ///
    /// - Returns: The number of links that there were.
    /// - Throws: The errors of undoing the link of two objects.
    @discardableResult
    public func unlink<Owner: TableObject, Value>(
        _ type: Owner.Type, key: some KeyConvertible, _ relation: KeyPath<Owner, Value>,
        fromKeys keys: [some KeyConvertible], fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await change(.unlink, type, key._key, relation, keys.map(\._key), fileID, line)
    }

    private func change<Owner: TableObject, Element: TableObject>(
        _ change: LinkChange, _ owner: Owner, _ relation: KeyPath<Owner, [Element]>, _ elements: [Element],
        _ fileID: StaticString, _ line: UInt
    ) async throws -> Int {
        let access = access(fileID, line)
        let (owners, others) = (try access.core.plan(for: Owner.self), try access.core.plan(for: Element.self))
        let operation = try LinkOperation(access, owners.statements, relation)
        let (key, keys) = (try owners.key(of: owner), try elements.map { try others.key(of: $0) })
        let count: Int
        if let type = operation.relation.linkType?.target.type {
            count = try await self.change(change, operation, by: type, owner, elements, key, keys, fileID, line)
        } else {
            count = try await operation.run(change, key, with: keys)
        }
        owners.forget(operation.relation, by: others, [owner], elements)
        return count
    }

    private func change<Owner: TableObject>(
        _ change: LinkChange, _ type: Owner.Type, _ key: Key, _ relation: AnyKeyPath, _ keys: [Key],
        _ fileID: StaticString, _ line: UInt
    ) async throws -> Int {
        let access = access(fileID, line)
        let operation = try LinkOperation(access, access.core.plan(for: type).statements, relation)
        guard let link = operation.relation.linkType?.target.type else {
            return try await operation.run(change, key, with: keys)
        }
        if change == .unlink { return try await unlink(operation, by: link, key, keys, fileID, line) }
        let element = operation.relation.target.type
        return try await transaction(fileID: fileID, line: line) { transaction in
            try await transaction.link(operation, by: link, type, element, key, keys, fileID, line)
        }
    }
}
