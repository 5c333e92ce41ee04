// Links that are objects themselves: those of the type that an array goes through.

extension DatabaseContext {
    /// Links an object with another by an object of the type that an array goes through, and sets what that has of its
    /// own.
    ///
    /// ```swift
    /// try await db.link(team, \.members, to: ann, as: Membership.self) { $0.role = .admin }
    /// // INSERT INTO "membership" ("team_id", "user_id", "role", "since") …
    /// ```
    ///
    /// The object is made of the two that it links and of the defaults of its properties, and is inserted as by
    /// `insert(_:)`. Objects that are linked already stay so, and keep the links that they have.
    ///
    /// - Parameters:
    ///   - owner: The object that has the array.
    ///   - relation: The array.
    ///   - element: The object to link it with.
    ///   - type: The type that the array goes through.
    ///   - prepare: Sets properties of the new link.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Returns: The number of new links: 1, or 0 if the objects were linked before.
    /// - Throws: ``DatabaseError/Code/notFound`` if one of the objects has no row;
    ///   ``DatabaseError/Code/invalidValue`` if the array does not go through the type, or a property of that has no
    ///   default and can't be nil; the errors of `prepare`.
    @discardableResult
    public func link<Owner: TableObject, Element: TableObject, Link: TableObject>(
        _ owner: Owner, _ relation: KeyPath<Owner, [Element]>, to element: Element, as type: Link.Type,
        fileID: StaticString = #fileID, line: UInt = #line, _ prepare: (inout Link) throws -> Void
    ) async throws -> Int {
        try await link(owner, relation, to: [element], as: type, fileID: fileID, line: line, prepare)
    }

    /// Links an object with others by objects of the type that an array goes through, in one transaction.
    ///
    /// ```swift
    /// try await db.link(team, \.members, to: [ann, bob], as: Membership.self) { $0.role = .guest }
    /// ```
    ///
    /// - Returns: The number of new links.
    @discardableResult
    public func link<Owner: TableObject, Element: TableObject, Link: TableObject>(
        _ owner: Owner, _ relation: KeyPath<Owner, [Element]>, to elements: [Element], as type: Link.Type,
        fileID: StaticString = #fileID, line: UInt = #line, _ prepare: (inout Link) throws -> Void
    ) async throws -> Int {
        let access = access(fileID, line)
        let (owners, others) = (try access.core.plan(for: Owner.self), try access.core.plan(for: Element.self))
        let operation = try LinkOperation(access, owners.statements, relation)
        guard operation.relation.linkType?.target.type == type else {
            throw DatabaseError(
                .invalidValue,
                "\"\(operation.relation.name)\" of \(owners.description.type) does not go through \(type). Name the type whose objects are its links, or leave out `as`.",
                table: owners.description.table, properties: [operation.relation.name])
        }
        let (key, keys) = (try owners.key(of: owner), try elements.map { try others.key(of: $0) })
        let count = try await link(operation, owner, elements, key, keys, fileID, line, prepare)
        owners.forget(operation.relation, by: others, [owner], elements)
        return count
    }

    /// Links objects, or undoes their links, by objects of a type that is known only now.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func change<Owner: TableObject, Element: TableObject, Link: TableObject>(
        _ change: LinkChange, _ operation: LinkOperation, by type: Link.Type, _ owner: Owner, _ elements: [Element],
        _ key: Key, _ keys: [Key], _ fileID: StaticString, _ line: UInt
    ) async throws -> Int {
        switch change {
        case .link:
            try await link(operation, owner, elements, key, keys, fileID, line) { (_: inout Link) in }
        case .unlink: try await unlink(operation, by: type, key, keys, fileID, line)
        }
    }

    /// Links objects of which only the keys are known, in a transaction: a link holds the objects.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func link<Owner: TableObject, Element: TableObject, Link: TableObject>(
        _ operation: LinkOperation, by link: Link.Type, _ type: Owner.Type, _ other: Element.Type, _ key: Key,
        _ keys: [Key], _ fileID: StaticString, _ line: UInt
    ) async throws -> Int {
        guard !keys.isEmpty else { return 0 }
        let owner = try await find(type, key: key, depth: 0, fileID: fileID, line: line)
        let others = try await fetch(other, keys: keys, depth: 0, fileID: fileID, line: line)
        guard let owner, others.count == keys.count else {
            let table = owner == nil ? type.ownDescription.table : other.ownDescription.table
            throw DatabaseError(.notFound, "A row of \"\(table)\" is gone that was to be linked.", table: table)
        }
        return try await self.link(operation, owner, others, key, keys, fileID, line) { (_: inout Link) in }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    private func link<Owner: TableObject, Element: TableObject, Link: TableObject>(
        _ operation: LinkOperation, _ owner: Owner, _ elements: [Element], _ key: Key, _ keys: [Key],
        _ fileID: StaticString, _ line: UInt, _ prepare: (inout Link) throws -> Void
    ) async throws -> Int {
        guard !elements.isEmpty, let type = operation.relation.linkType else { return 0 }
        try Link.ownDescription.requireWritable()
        let rows = try operation.rows(key, keys)
        return try await transaction(fileID: fileID, line: line) { transaction in
            let access = transaction.access(fileID, line)
            let missing = try await operation.on(access).unlinked(rows.key, rows.elements)
            guard !missing.isEmpty else { return 0 }
            let positions = try operation.positions(of: keys)
            var links = try missing.compactMap { key in positions[key].map { elements[$0] } }.map { element in
                var link = try Link.ownMapping.making(type, from: owner, to: element)
                try prepare(&link)
                return link
            }
            try await SaveOperation(access: access, verb: .insert, scope: .object).run(&links)
            return links.count
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func unlink<Link: TableObject>(
        _ operation: LinkOperation, by type: Link.Type, _ key: Key, _ keys: [Key], _ fileID: StaticString, _ line: UInt
    ) async throws -> Int {
        guard let link = operation.relation.linkType, !keys.isEmpty else { return 0 }
        let rows = try operation.rows(key, keys)
        let properties = type.ownDescription.properties
        func path(_ property: Int) -> QueryNode { .path(QueryPath(scope: .root, [properties[property].name])) }
        func nodes(_ rows: ParameterBuffer) -> [QueryNode] {
            rows.rowIndices.compactMap { rows.key(ofRow: $0).map { .key($0) } }
        }
        var specification = QuerySpecification()
        specification.conditions = [
            .isIn(path(link.near), nodes(rows.key)), .isIn(path(link.far), nodes(rows.elements)),
        ]
        return try await Query<Link>(access: access(fileID, line), specification: specification).delete()
    }
}

extension LinkOperation {
    /// The operation within a transaction.
    fileprivate func on(_ access: DatabaseAccess) -> LinkOperation {
        var operation = self
        operation.access = access
        return operation
    }
}

extension TableMapping {
    /// Makes an object that links two others, with the defaults of its properties.
    fileprivate func making<Near: TableObject, Far: TableObject>(
        _ type: JoinTable.LinkType, from owner: Near, to element: Far
    ) throws -> Model {
        var given: [(index: Int, value: GivenValue<Model>)] = []
        var objects: [Int: RelatedColumn] = [:]
        func lead<Object: TableObject>(_ property: Int, to object: Object) throws {
            if description.columns.relation(property)?.target.isLazy == true {
                let key = try Object.ownMapping.key(of: object)
                given.append((property, try converted(key, at: property)))
            } else {
                let store = ObjectStore<Object>()
                store.objects = [object]
                objects[property] = TypedRelatedColumn(RelatedRowIndices(starts: nil, targets: [0]), store: store)
            }
        }
        try lead(type.near, to: owner)
        try lead(type.far, to: element)
        return try making(given.inOrder { $0.index < $1.index }, leadingTo: objects)
    }
}

extension MappingPlan {
    /// Has objects forget that they know the arrays in which links between them would be seen.
    func forget<Element: TableObject>(
        _ relation: Relation, by others: MappingPlan<Element>, _ owners: [Model], _ elements: [Element]
    ) {
        forget(relation.property, of: owners)
        if let property = others.otherSide(of: relation, from: description) { others.forget(property, of: elements) }
        guard let link = relation.linkType else { return }
        for property in description.columns.arrays(of: link.target, at: link.near) { forget(property, of: owners) }
        for property in others.columns.arrays(of: link.target, at: link.far) { others.forget(property, of: elements) }
    }
}

extension TableColumns {
    /// The properties that hold the objects of a type which lead here by a property of theirs.
    fileprivate func arrays(of type: RelationTarget, at property: Int) -> [Int] {
        relations.filter { $0.target.type == type.type && !$0.isInJoinTable && $0.inverseProperty == property }
            .map(\.property)
    }
}
