extension TableObject {
    /// The key of the object that a reference leads to, whether that object was loaded or not.
    ///
    /// ```swift
    /// let ticket = try await db.find(Ticket.self, key: 1, depth: 0)
    /// ticket.assignee                  // nil: it was not loaded
    /// try ticket.key(of: \.assignee)   // 7: it is in the ticket's row
    /// ```
    ///
    /// The row of an object has the keys of its references, so no statement is run. Once the reference is set, it is
    /// the key of what was set. Get the key's value by ``Key/int64``, ``Key/string``, ``Key/uuid`` or
    /// ``Key/values(as:)``.
    ///
    /// - Parameter reference: A property that leads to one object. A ``Reference`` has its ``Reference/key`` itself.
    /// - Returns: The key; nil only if the reference leads to no object.
    /// - Throws: ``DatabaseError/Code/notFound`` if it leads to a new object, which has no key before it is saved;
    ///   ``DatabaseError/Code/notLoaded`` if its key is not in the row and it was not loaded: because the query left
    ///   the property out, or because the other side of the relation holds the key; ``DatabaseError/Code/syntax`` if
    ///   the property is not kept in the database.
    public func key<Target: TableObject>(of reference: KeyPath<Self, Target?>) throws -> Key? {
        try knownKey(of: reference)
    }

    /// The key of the object that a reference leads to that always leads to one.
    ///
    /// ```swift
    /// try ticket.key(of: \.tenant)    // 3
    /// ```
    ///
    /// - Throws: ``DatabaseError/Code/notFound`` if it leads to a new object, which has no key before it is saved.
    public func key<Target: TableObject>(of reference: KeyPath<Self, Target>) throws -> Key {
        if let key = try knownKey(of: reference) { return key }
        throw Self.ownDescription.keyNotLoaded(of: reference)
    }

    private func knownKey(of reference: PartialKeyPath<Self>) throws -> Key? {
        let mapping = Self.ownMapping
        let description = mapping.description
        let index = try description.requiredIndex(of: reference)
        guard let target = description.columns.relation(index)?.target.description else {
            throw description.keyNotLoaded(of: reference)
        }
        switch try mapping.reference(index, of: self) {
        case .nowhere: return nil
        case .key(let key): return target.exposed(key)
        case .newObject:
            let name = description.properties[index].name
            throw DatabaseError(
                .notFound,
                "\"\(name)\" of \(description.type) leads to a new \(target.type), which has no key yet. Save it first.",
                table: description.table, properties: [name])
        case .unknown: throw description.keyNotLoaded(of: reference)
        }
    }
}

extension TableDescription {
    /// The error about a reference whose key is not in what was loaded.
    fileprivate func keyNotLoaded(of reference: AnyKeyPath) -> DatabaseError {
        let name = index(ofKeyPath: reference).map { properties[$0].name } ?? ""
        return DatabaseError(
            .notLoaded,
            "The key of \"\(name)\" of \(type) is not in the row, and its object was not loaded. Load it first, with `loadRelation` or `reload`.",
            table: table, properties: [name])
    }
}
