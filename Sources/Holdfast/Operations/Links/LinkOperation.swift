/// What is done with links between objects.
enum LinkChange {
    case link, unlink

    var purpose: LeasePurpose { self == .link ? "link" : "unlink" }
}

/// Links objects by a relation, or undoes links, by their keys and without what else the relation leads to.
struct LinkOperation {
    var access: DatabaseAccess
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

    /// Links an object with others that it is not linked with, or undoes its links with them.
    ///
    /// - Returns: The number of links that there are now, or were.
    func run(_ change: LinkChange, _ key: Key, with others: [Key]) async throws -> Int {
        guard !others.isEmpty else { return 0 }
        try holder.description.requireWritable()
        let (key, elements) = try rows(key, others)
        do {
            return try await access.runningAgainIfRefused(while: { true }) {
                try await access.perform(change == .link ? .atomic : .write, purpose: change.purpose) { session, _ in
                    switch change {
                    case .link: try await link(key, elements, through: session)
                    case .unlink: try await unlink(key, elements, through: session)
                    }
                }
            }
        } catch let error as DatabaseError {
            throw access.core.explained(error, of: holder.description)
        }
    }

    /// The keys of one side and of the other, a row each.
    func rows(_ key: Key, _ others: [Key]) throws -> (key: ParameterBuffer, elements: ParameterBuffer) {
        let key = try owner.description.parameters(of: owner.description.canonical(key))
        var elements = ParameterBuffer(width: element.description.keyIndices.count)
        var seen: Set<Key> = []
        for other in others.map(element.description.canonical) where seen.insert(other).inserted {
            elements.appendRow(0, of: try element.description.parameters(of: other))
        }
        return (key, elements)
    }

    /// The positions of the elements' keys, by the keys as rows have them.
    func positions(of keys: [Key]) throws -> [Key: Int] {
        var positions: [Key: Int] = [:]
        for (position, key) in keys.enumerated() {
            let row = try element.description.parameters(of: element.description.canonical(key))
            if let key = row.key(ofRow: 0) { positions[key] = position }
        }
        return positions
    }

    private func unlink(
        _ key: ParameterBuffer, _ elements: ParameterBuffer, through session: Session
    ) async throws -> Int {
        if case .inverseReference(let property, _) = relation.storage {
            return try await update(property, of: elements, from: key, to: nil, through: session)
        }
        let (array, rows) = try rows(key, elements, withNumbers: false)
        // A link has no value of a scope: whoever holds the array has, or else what it holds.
        let sides = array.holder === owner ? [(owner, key), (element, elements)] : [(element, elements), (owner, key)]
        if let (statements, keys) = sides.first(where: { $0.0.description.takesScopeValues }) {
            let marked = statements.seeing(SeenRows(deleted: .included).ofHeld)
            try await require(keys, marked, isLocked: false, session)
        }
        let count = try await session.execute(array.holder.rendered(.unlink(property: array.property)), rows.asLists)
        if count > 0 { note(array, key, elements, in: session) }
        return count
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

    /// Of objects those that no object of the type that keeps the links links with an owner, which is locked.
    func unlinked(_ key: ParameterBuffer, _ elements: ParameterBuffer) async throws -> [Key] {
        guard case .inverseJoinTable(_, let table) = relation.storage else { return [] }
        let rows = try rows(key, elements, in: table, isReversed: true, withNumbers: false)
        return try await access.perform(.atomic, purpose: "link") { session, _ in
            try await require(key, owner, isLocked: true, session)
            try await require(elements, element, isLocked: false, session)
            let sql = TableSQL(description: element.description, dialect: session.dialect)
            let statement = session.core.statementTexts.statement(
                sql.selectLinked(table), table: table.name.description)
            let linked = try await session.run(statement, rows.asLists) { found in
                var keys: Set<ElementKey> = []
                while let cells = try found.next() {
                    keys.insert(ElementKey(UnsafeBufferPointer(start: cells, count: elements.width)))
                }
                return keys
            }
            return elements.rowIndices.filter { row in !linked.contains(elements.withRow(row) { ElementKey($0) }) }
                .compactMap { elements.key(ofRow: $0) }
        }
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
            .notFound, "A row of \"\(statements.description.table)\" is gone that was to be linked, or let go.",
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
        case .inverseJoinTable(let property?, let table):
            (array, isReversed) = (LinkedArray(holder: element, property: property, table: table), true)
        case .reference, .inverseReference, .inverseJoinTable(nil, _):
            throw DatabaseError(.unsupported, "\"\(relation.name)\" has no join table.")
        }
        return (array, try rows(key, elements, in: array.table, isReversed: isReversed, withNumbers: withNumbers))
    }

    private func rows(
        _ key: ParameterBuffer, _ elements: ParameterBuffer, in table: JoinTable, isReversed: Bool, withNumbers: Bool
    ) throws -> ParameterBuffer {
        let width = key.width + table.ownElementColumns.count + (withNumbers ? 1 : 0)
        var rows = ParameterBuffer(width: isReversed ? width - key.width + elements.width : width)
        for row in elements.rowIndices {
            let one = elements.selecting([row])
            let (owner, target) = isReversed ? (one, key) : (key, one)
            rows.appendRow(0, of: owner)
            try append(target, of: owner, table, to: &rows)
            // Each owner of a reversed relation gets one.
            if withNumbers { rows.append(.integer(isReversed ? 1 : Int64(row) + 1)) }
        }
        return rows
    }

    /// Appends the parts of an element that are not in columns of its owner.
    private func append(
        _ target: ParameterBuffer, of owner: ParameterBuffer, _ table: JoinTable, to rows: inout ParameterBuffer
    ) throws {
        for (part, shared) in table.sharedParts.enumerated() {
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
                    "Keys that are to be linked don't agree in what both have in the column \"\(table.ownerColumns[shared])\" of \"\(table.name)\".",
                    table: holder.description.table, properties: [relation.name])
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
        specification.seen = specification.seen.ofHeld
        specification.conditions = [.isIn(.path(QueryPath(scope: .root)), keys.map { .key($0) })]
        if let key { specification.conditions.append(isAt(key)) }
        if let target { specification.conditions.append(.not(isAt(target))) }
        let core = access.core
        let query = QuerySQL(
            specification: specification, description: description, dialect: core.queryDialect)
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
        case .inverseJoinTable(let property?, _): property
        case .inverseJoinTable(nil, let table):
            description.columns.relations.first { other in
                table.linkType.map {
                    other.linkType == JoinTable.LinkType(target: $0.target, near: $0.far, far: $0.near)
                } ?? false
            }?.property
        case .joinTable:
            description.columns.relations.first { other in
                guard case .inverseJoinTable(let property, _) = other.storage else { return false }
                return property == relation.property && other.target.description === owner
            }?.property
        case .reference, .inverseReference: nil
        }
    }
}
