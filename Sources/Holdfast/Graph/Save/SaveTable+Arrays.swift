extension SaveTable {
    func sendArrays(_ batch: SaveBatch, through session: Session) async throws {
        let owners = keys.selecting(batch.passengers.map(\.row))
        let places = batch.passengers.indices
        // Two values of one row, which were found to be the same, have one array.
        var seen = Set<ElementKey>()
        let repeated = Set(
            places.filter { place in
                !batch.ignored.contains(place)
                    && !seen.insert(owners.withRow(place) { ElementKey($0) }).inserted
            })
        let (skipped, isNew) = (repeated.union(batch.ignored), batch.group.action.hasNewArrays)
        for array in batch.encoder.arrays where batch.writes(array.property) {
            let elements = ArrayElementRows(
                rows: array.encoder.buffer, ranges: places.map { array.elements(ofRow: $0) }, skipped: skipped)
            try await sendArray(array.property, owners, elements, isNew: isNew, session)
        }
        for links in batch.encoder.links {
            guard batch.writes(links.property),
                case .joinTable = description.columns.relation(links.property)?.storage
            else { continue }
            let elements = ArrayElementRows(
                rows: links.keys, targets: links.targets, tables: graph.tables,
                ranges: places.map { links.elements(ofRow: $0) }, skipped: skipped)
            try await sendArray(links.property, owners, elements, isNew: isNew, session)
        }
    }

    func checkInverseArrays(_ batch: SaveBatch, through session: Session) async throws {
        let owners = keys.selecting(batch.passengers.map(\.row))
        for links in batch.encoder.links {
            guard let relation = description.columns.relation(links.property),
                case .inverseJoinTable(_, let table) = relation.storage
            else { continue }
            var held = Set<[ElementKey]>()
            let elements = ArrayElementRows(
                rows: links.keys, targets: links.targets, tables: graph.tables,
                ranges: batch.passengers.indices.map { links.elements(ofRow: $0) })
            for (place, range) in elements.ranges.enumerated() {
                let owner = owners.withRow(place) { ElementKey($0) }
                for element in range { held.insert([owner, elements.key(element)]) }
            }
            let (near, far) = (owners.width, links.keys.width)
            let sql = TableSQL(description: description, dialect: session.dialect)
            let text = sql.selectLinks(table, isReversed: true, ofAll: false)
            let stored = try await session.run(
                graph.core.rawStatements.statement(text, table: table.name), owners.asLists
            ) { rows in
                var pairs = Set<[ElementKey]>()
                while let cells = try rows.next() {
                    pairs.insert([
                        ElementKey(UnsafeBufferPointer(start: cells, count: near)),
                        ElementKey(UnsafeBufferPointer(start: cells + near, count: far)),
                    ])
                }
                return pairs
            }
            // A new object's array says nothing of what else leads to it.
            let isKept = batch.group.action.hasNewArrays ? held.isSubset(of: stored) : held == stored
            if !isKept { throw otherSideKeeps(relation) }
        }
    }

    /// Writes what an array lacks, and deletes what it has too much: in portions, so that the links of a large graph are not
    /// all there once more.
    private func sendArray(
        _ property: Int, _ owners: ParameterBuffer, _ elements: ArrayElementRows, isNew: Bool, _ session: Session
    ) async throws {
        for portion in elements.portions {
            try await sendArray(property, portion, owners, elements, isNew: isNew, session)
        }
    }

    private func sendArray(
        _ property: Int, _ portion: Range<Int>, _ owners: ParameterBuffer, _ elements: ArrayElementRows, isNew: Bool,
        _ session: Session
    ) async throws {
        let width = owners.width
        var inserted = ParameterBuffer(width: width + 1 + elements.rows.width)
        var deleted = ParameterBuffer(width: width + 1)
        func insert(_ owner: Int, _ position: Int64, _ element: Int) {
            inserted.appendRow(owner, of: owners)
            inserted.append(.integer(position))
            elements.append(element, to: &inserted)
        }
        if isNew {
            inserted.cells.reserveCapacity(elements.count(in: portion) * inserted.width)
            for owner in portion where !elements.skipped.contains(owner) {
                for (index, element) in elements.ranges[owner].enumerated() {
                    insert(owner, Int64(index) * JoinTable.stride, element)
                }
            }
        } else {
            let current = try await currentElements(property, owners.selecting(Array(portion)), session)
            for owner in portion where !elements.skipped.contains(owner) {
                let range = elements.ranges[owner]
                let key = owners.withRow(owner) { ElementKey($0) }
                let diff = ArrayDiff(from: current[key] ?? [], to: range.map { elements.key($0) })
                for position in diff.deleted {
                    deleted.appendRow(owner, of: owners)
                    deleted.append(.integer(position))
                }
                for (position, element) in diff.inserted { insert(owner, position, range.lowerBound + element) }
            }
        }
        do {
            if !deleted.cells.isEmpty {
                let count = try await session.execute(plan.statement(.deleteElement(property: property)), deleted)
                if count < deleted.rowCount {
                    try await requireDeleted(property, deleted, of: owners.selecting(Array(portion)), session)
                }
            }
            if !inserted.cells.isEmpty {
                let count = try await session.execute(plan.statement(.insertElement(property: property)), inserted)
                if count < inserted.rowCount { throw description.passedOver }
            }
        } catch var error as DatabaseError {
            error.objectIndex = nil  // it counts elements
            error.table = description.table
            error.properties = [description.properties[property].name]
            throw error
        }
    }

    /// Throws if elements that were deleted are still there, since a trigger or a rule of their table passed that over.
    private func requireDeleted(
        _ property: Int, _ deleted: ParameterBuffer, of owners: ParameterBuffer, _ session: Session
    ) async throws {
        let current = try await currentElements(property, owners, session)
        for row in deleted.rowIndices {
            let position = deleted.cells[row * deleted.width + owners.width].integer
            let owner = deleted.withRow(row) { ElementKey($0, prefix: owners.width) }
            if current[owner]?.contains(where: { $0.position == position }) == true { throw description.passedOver }
        }
    }

    private func currentElements(
        _ property: Int, _ owners: ParameterBuffer, _ session: Session
    ) async throws -> [ElementKey: [(position: Int64, element: ElementKey)]] {
        let width = owners.width
        let elementWidth = description.columns.joinTables[property]?.elementColumns.count ?? 1
        let statement = try plan.statement(.elements(property: property, ofAll: false, withPositions: true))
        return try await session.run(statement, owners.asLists) { rows in
            var result: [ElementKey: [(position: Int64, element: ElementKey)]] = [:]
            while let cells = try rows.next() {
                let owner = ElementKey(UnsafeBufferPointer(start: cells, count: width))
                let element = ElementKey(UnsafeBufferPointer(start: cells + width + 1, count: elementWidth))
                result[owner, default: []].append((cells[width].integer, element))
            }
            return result
        }
    }

    /// Before anything else, so that what takes the place of an object that was let go finds it free.
    func sendReleases(_ batch: SaveBatch, through session: Session) async throws {
        let owners = keys.selecting(batch.passengers.map(\.row))
        for links in batch.encoder.links {
            guard let relation = description.columns.relation(links.property),
                case .inverseReference(let property, let columns) = relation.storage
            else { continue }
            let elements = ArrayElementRows(
                rows: links.keys, ranges: batch.passengers.indices.map { links.elements(ofRow: $0) })
            try await release(relation, property, columns, owners, elements, taken(from: links, of: batch), session)
        }
    }

    /// What was taken out of a relation since it was loaded or saved; nil where that is not known.
    private func taken(from links: ArrayLinks, of batch: SaveBatch) -> Set<ElementKey>? {
        var taken = Set<ElementKey>()
        for (place, passenger) in batch.passengers.enumerated() {
            guard let before = plan.tracker(of: objects[passenger.row])?.inverses?[links.property] else { return nil }
            let now = links.elements(ofRow: place).map { element in links.keys.withRow(element) { ElementKey($0) } }
            taken.formUnion(before.subtracting(now))
        }
        return taken
    }

    /// Takes objects that an owner no longer holds out of its relation, which they keep themselves.
    private func release(
        _ relation: Relation, _ property: Int, _ columns: [String], _ owners: ParameterBuffer,
        _ elements: ArrayElementRows, _ taken: Set<ElementKey>?, _ session: Session
    ) async throws {
        // What others put in meanwhile stays.
        if let taken, taken.isEmpty { return }
        let other = relation.target.description
        let sql = TableSQL(description: other, dialect: session.dialect)
        let width = other.keyIndices.count
        var held = Set<ElementKey>()
        for range in elements.ranges {
            for element in range { held.insert(elements.key(element)) }
        }
        // What was itself written says by itself whom it belongs to.
        for table in graph.tables where table.description === other {
            for batch in table.batches where batch.group.action != .update || batch.group.mask.contains(property) {
                for passenger in batch.passengers { held.insert(table.keys.withRow(passenger.row) { ElementKey($0) }) }
            }
        }
        let keeping = held
        let referring = graph.core.rawStatements.statement(
            sql.selectReferringKeys(columns, to: description), table: other.table)
        let released = try await session.run(referring, owners.asLists) { rows in
            // Each with its owner.
            var result = ParameterBuffer(width: width + columns.count)
            while let cells = try rows.next() {
                let key = ElementKey(UnsafeBufferPointer(start: cells, count: width))
                if keeping.contains(key) || taken.map({ !$0.contains(key) }) ?? false { continue }
                for part in 0..<result.width { result.append(copying: cells[part]) }
            }
            return result
        }
        guard !released.cells.isEmpty else { return }
        guard other.properties[property].isNullable else {
            throw DatabaseError(
                .notNullViolation,
                "\"\(relation.name)\" of \(description.type) no longer holds a \(other.type), whose \"\(other.properties[property].name)\" can't be nil. Delete it, or give it to another.",
                table: other.table, properties: [other.properties[property].name])
        }
        let done = try await session.collect(
            graph.core.rawStatements.statement(sql.release(columns), table: other.table), released, width: width)
        let gone = Set(done.rowIndices.map { row in done.withRow(row) { ElementKey($0) } })
        // What another client gave to another owner meanwhile stays there: this one does not hold it either way.
        let moved = Set(released.rowIndices.map { row in released.withRow(row) { ElementKey($0, prefix: width) } })
            .subtracting(gone)
        if !moved.isEmpty {
            let isHeld = try await session.run(referring, owners.asLists) { rows in
                var isHeld = false
                while let cells = try rows.next() {
                    if moved.contains(ElementKey(UnsafeBufferPointer(start: cells, count: width))) { isHeld = true }
                }
                return isHeld
            }
            if isHeld { throw other.passedOver }
        }
        for table in graph.tables where table.description === other {
            try table.forget(property, of: gone, isKnown: true)
            try table.forget(property, of: moved, isKnown: false)
        }
    }

    /// Sets a reference to nil in those objects that another side let go.
    ///
    /// - Parameter isKnown: Whether it is NULL in their rows; if not, what it leads to is not loaded.
    func forget(_ property: Int, of released: Set<ElementKey>, isKnown: Bool) throws {
        guard !released.isEmpty else { return }
        for row in objects.indices where released.contains(self.keys.withRow(row, { ElementKey($0) })) {
            guard !isChanged(property, of: row) else { continue }
            try setReference(property, of: row, to: nil, nil)
            let mask = PropertyMask([property])
            plan.mapping.changes?(objects[row]) { tracker in
                tracker.dirty.subtract(mask)
                if !isKnown { tracker.unloaded.formUnion(mask) }
            }
        }
    }
}
