/// Links objects by a relation, or undoes links, by their keys and without what else the relation leads to.
struct LinkOperation {
    let access: DatabaseAccess
    let relation: Relation
    private let owner: TableStatements
    private let element: TableStatements

    /// - Throws: ``DatabaseError/Code/invalidValue`` for a property that is no array of objects in a table.
    init(_ access: DatabaseAccess, _ owner: TableStatements, _ property: AnyKeyPath) throws {
        let description = owner.description
        guard let index = description.index(ofKeyPath: property), let relation = description.columns.relation(index),
            relation.isArray
        else {
            throw DatabaseError(
                .invalidValue,
                "The property is no array of objects of \(description.type). Set what leads to one object, and save.",
                table: description.table)
        }
        self.access = access
        self.owner = owner
        self.relation = relation
        element = try relation.target.type.statements(in: access.core)
    }

    /// Links an object with others that it is not linked with.
    ///
    /// - Returns: The number of new links.
    func link(_ key: Key, with others: [Key]) async throws -> Int {
        try await run(key, others) { key, elements in
            try await access.perform(.atomic, purpose: "link") { session, _ in
                try await link(key, elements, through: session)
            }
        }
    }

    /// Undoes the links of an object with others.
    ///
    /// - Returns: The number of links that there were.
    func unlink(_ key: Key, from others: [Key]) async throws -> Int {
        try await run(key, others) { key, elements in
            try await access.perform(.write, purpose: "unlink") { session, _ in
                if case .inverseReference(let property, _) = relation.storage {
                    return try await update(property, of: elements, from: key, to: nil, through: session)
                }
                let (array, rows) = try rows(key, elements, withNumbers: false)
                let count = try await session.execute(
                    array.holder.rendered(.unlink(property: array.property)), rows.asLists)
                if count > 0 { note(array, key, elements, in: session) }
                return count
            }
        }
    }

    /// The keys of one side and of the other, a row each.
    private func run(
        _ key: Key, _ others: [Key],
        _ body: nonisolated(nonsending) (ParameterBuffer, ParameterBuffer) async throws -> Int
    ) async throws -> Int {
        guard !others.isEmpty else { return 0 }
        try holder.description.requireWritable()
        let key = try owner.description.parameters(of: owner.description.canonical(key))
        var elements = ParameterBuffer(width: element.description.keyIndices.count)
        var seen: Set<Key> = []
        for other in others.map(element.description.canonical) where seen.insert(other).inserted {
            elements.appendRow(0, of: try element.description.parameters(of: other))
        }
        do {
            return try await access.runningAgainIfRefused(while: { true }) { [elements] in
                try await body(key, elements)
            }
        } catch let error as DatabaseError {
            throw access.core.explained(error, of: holder.description)
        }
    }

    private func link(
        _ key: ParameterBuffer, _ elements: ParameterBuffer, through session: Session
    ) async throws -> Int {
        if case .inverseReference(let property, _) = relation.storage {
            try await require(key, owner, isLocked: false, session)
            try await require(elements, element, isLocked: true, session)
            return try await update(property, of: elements, from: nil, to: key, through: session)
        }
        let (array, rows) = try rows(key, elements, withNumbers: true)
        // Whoever appends to an array locks its owner, as a save does.
        let givesPositions = array.table.givesPositions
        try await require(key, owner, isLocked: givesPositions && array.holder === owner, session)
        try await require(elements, element, isLocked: givesPositions && array.holder === element, session)
        let count = try await session.execute(array.holder.rendered(.link(property: array.property)), rows.asLists)
        if count > 0 { note(array, key, elements, in: session) }
        return count
    }

    /// Throws if a row is gone.
    private func require(
        _ keys: ParameterBuffer, _ statements: TableStatements, isLocked: Bool, _ session: Session
    ) async throws {
        let statement = isLocked ? statements.lockExisting : statements.selectExisting
        let count = try await session.run(statement, keys.asLists) { rows in
            var count = 0
            while try rows.next() != nil { count += 1 }
            return count
        }
        guard count < keys.rowCount else { return }
        throw DatabaseError(
            .notFound, "A row of \"\(statements.description.table)\" is gone that was to be linked.",
            table: statements.description.table)
    }

    // MARK: Join tables

    /// The array that has the links.
    private struct LinkedArray {
        /// The type that has the array, with its property.
        let holder: TableStatements
        let property: Int
        let table: JoinTable
    }

    /// The type whose rows, or rows of whose arrays, are written.
    private var holder: TableStatements {
        switch relation.storage {
        case .inverseJoinTable, .inverseReference: element
        case .joinTable, .reference: owner
        }
    }

    /// A row for each link: the keys of both, and if asked for the number of the link.
    private func rows(
        _ key: ParameterBuffer, _ elements: ParameterBuffer, withNumbers: Bool
    ) throws -> (LinkedArray, ParameterBuffer) {
        let (array, isReversed): (LinkedArray, Bool)
        switch relation.storage {
        case .joinTable(let table):
            (array, isReversed) = (LinkedArray(holder: owner, property: relation.property, table: table), false)
        case .inverseJoinTable(let property, let table):
            (array, isReversed) = (LinkedArray(holder: element, property: property, table: table), true)
        case .reference, .inverseReference:
            throw DatabaseError(.unsupported, "\"\(relation.name)\" has no join table.")
        }
        let width = key.width + array.table.ownElementColumns.count + (withNumbers ? 1 : 0)
        var rows = ParameterBuffer(width: isReversed ? width - key.width + elements.width : width)
        for row in elements.rowIndices {
            let one = elements.selecting([row])
            let (owner, target) = isReversed ? (one, key) : (key, one)
            rows.appendRow(0, of: owner)
            try append(target, of: owner, array, to: &rows)
            // Each owner of a reversed relation gets one.
            if withNumbers { rows.append(.integer(isReversed ? 1 : Int64(row) + 1)) }
        }
        return (array, rows)
    }

    /// Appends the parts of an element that are not in columns of its owner.
    private func append(
        _ target: ParameterBuffer, of owner: ParameterBuffer, _ array: LinkedArray, to rows: inout ParameterBuffer
    ) throws {
        for (part, shared) in array.table.sharedParts.enumerated() {
            guard let shared else {
                rows.append(target.cells[part], of: target)
                continue
            }
            func key(_ buffer: ParameterBuffer, _ part: Int) -> ElementKey {
                buffer.withRow(0) { ElementKey(UnsafeBufferPointer(rebasing: $0[part..<part + 1])) }
            }
            guard key(target, part) == key(owner, shared) else {
                throw DatabaseError(
                    .invalidValue,
                    "Keys that are to be linked don't agree in what both have in the column \"\(array.table.ownerColumns[shared])\" of \"\(array.table.name)\".",
                    table: array.holder.description.table, properties: [relation.name])
            }
        }
    }

    /// Tells whoever observes of the owners whose arrays have changed.
    private func note(_ array: LinkedArray, _ key: ParameterBuffer, _ elements: ParameterBuffer, in session: Session) {
        let description = array.holder.description
        let owners = array.holder === owner && relation.property == array.property ? key : elements
        session.note {
            let name = description.properties[array.property].name
            return [
                TableChanges(
                    table: description.table,
                    changes: owners.rowIndices.map {
                        ObjectChange(kind: .updated, key: owners.key(ofRow: $0), properties: [name])
                    })
            ]
        }
    }

    // MARK: References of the other side

    /// Sets a reference of the other side.
    ///
    /// - Parameters:
    ///   - key: Where it has to lead; nil for anywhere else than it is to.
    ///   - target: Where it is to lead; nil for nowhere.
    private func update(
        _ property: Int, of elements: ParameterBuffer, from key: ParameterBuffer?, to target: ParameterBuffer?,
        through session: Session
    ) async throws -> Int {
        let description = element.description
        let reference = QueryNode.path(QueryPath(scope: .root, [description.properties[property].name]))
        func isAt(_ key: ParameterBuffer) -> QueryNode { .comparison(.equal, reference, node(of: key)) }
        let keys = elements.rowIndices.compactMap { elements.key(ofRow: $0) }
        var specification = QuerySpecification()
        specification.conditions = [.isIn(.path(QueryPath(scope: .root)), keys.map { .key($0) })]
        if let key { specification.conditions.append(isAt(key)) }
        if let target { specification.conditions.append(.not(isAt(target))) }
        let core = access.core
        let query = QuerySQL(
            specification: specification, description: description, dialect: core.looseTables.dialect)
        let (rendering, sets) = try query.update([(reference, target.map(node(of:)) ?? .null)])
        let table = description.tableName
        let statement = core.statementTexts.statement(rendering.sql) {
            Statement($0, table: table.description, rowChange: sets.change(of: table), columnTypes: sets.map(\.type))
        }
        return try await session.execute(statement, rendering.parameters)
    }

    private func node(of key: ParameterBuffer) -> QueryNode { key.key(ofRow: 0).map { .key($0) } ?? .null }
}

extension TableObject {
    fileprivate static func statements(in core: DatabaseCore) throws -> TableStatements {
        try core.plan(for: Self.self).statements
    }
}

extension MappingPlan {
    /// Has objects forget that they know an array, of which something was written behind their back.
    func forget(_ property: Int, of models: [Model]) {
        guard let changes = mapping.changes else { return }
        for model in models { changes(model) { $0.unloaded.insert(property) } }
    }

    /// The array of the other side of a relation, which the same join table keeps; nil if there is none.
    func otherSide(of relation: Relation, from owner: TableDescription) -> Int? {
        switch relation.storage {
        case .inverseJoinTable(let property, _): property
        case .joinTable:
            description.columns.relations.first { other in
                guard case .inverseJoinTable(let property, _) = other.storage else { return false }
                return property == relation.property && other.target.description === owner
            }?.property
        case .reference, .inverseReference: nil
        }
    }
}
