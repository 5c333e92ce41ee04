/// Arrays of values and of objects, which join tables hold.
extension SaveTable {
    /// Writes the arrays of the objects of a batch.
    func sendArrays(_ batch: SaveBatch, of tables: [SaveTable], through session: Session) async throws {
        let owners = owners(of: batch)
        let rows = batch.entries.indices
        let isNew = batch.group.action.hasNewArrays
        // Two instances of one row were checked to hold the same, so their array is written once. No two new rows are
        // the same.
        var seen = Set<ElementKey>()
        let repeated = rows.filter { row in
            !isNew && !batch.ignored.contains(row) && !seen.insert(owners.withRow(row) { ElementKey($0) }).inserted
        }
        let skipped = batch.ignored.union(repeated)
        for array in batch.arrays where batch.writes(array.property) {
            let elements = ArrayElementRows(
                rows: array.encoder.buffer, ranges: rows.map { array.elements(ofRow: $0) }, skipped: skipped)
            try await sendArray(array.property, owners, elements, isNew: isNew, session)
        }
        for links in batch.links {
            guard batch.writes(links.property),
                case .joinTable = description.columns.relation(links.property)?.storage
            else { continue }
            let elements = ArrayElementRows(
                rows: links.keys, targets: links.targets, tables: tables,
                ranges: rows.map { links.elements(ofRow: $0) }, skipped: skipped)
            try await sendArray(links.property, owners, elements, isNew: isNew, session)
        }
    }

    /// Writes what an array lacks, and deletes what it has too much: in portions, so that the links of a large graph
    /// are not all there once more.
    private func sendArray(
        _ property: Int, _ owners: ParameterBuffer, _ given: ArrayElementRows, isNew: Bool, _ session: Session
    ) async throws {
        var elements = given
        var givesPositions = true
        if let table = description.columns.joinTables[property] {
            if table.sharesColumns { try elements.shareColumns(of: table, property, of: description, owners) }
            givesPositions = table.givesPositions
            if table.position == nil { return try await sendSet(property, table, owners, elements, isNew, session) }
        }
        for portion in elements.portions {
            let changes =
                try await isNew
                ? ArrayChanges(ofNew: owners, elements, in: portion, givesPositions: givesPositions)
                : ArrayChanges(
                    from: storedElements(property, owners.selecting(Array(portion)), session), owners, elements,
                    in: portion, givesPositions: givesPositions)
            try await send(changes, property, of: owners, in: portion, session)
        }
    }

    @inline(never)  // decision 0069
    private func send(
        _ changes: ArrayChanges, _ property: Int, of owners: ParameterBuffer, in portion: Range<Int>, _ session: Session
    ) async throws {
        try await sendElements(property, deleting: changes.deleted, inserting: changes.inserted, session) {
            let left = try await storedElements(property, owners.selecting(Array(portion)), session)
            return changes.isIncomplete(in: left)
        }
    }

    /// Deletes rows of a join table, then inserts others.
    ///
    /// - Parameter isLeft: Whether a row is still there that was to be deleted; asked only if the engine counted fewer
    ///   than it was given, since engines don't count what a trigger deletes in place of a view's rows.
    func sendElements(
        _ property: Int, deleting deleted: ParameterBuffer, inserting inserted: ParameterBuffer, _ session: Session,
        isLeft: nonisolated(nonsending) () async throws -> Bool
    ) async throws {
        do {
            if !deleted.cells.isEmpty {
                let statement = try statements.rendered(.deleteElement(property: property))
                let count = try await session.execute(statement, deleted)
                if count < deleted.rowCount, try await isLeft() { throw description.passedOver }
            }
            if !inserted.cells.isEmpty {
                let statement = try statements.rendered(.insertElement(property: property))
                let count = try await session.execute(statement, inserted)
                if count < inserted.rowCount { throw description.passedOver }
            }
        } catch var error as DatabaseError {
            error.objectIndex = nil  // it counts elements
            error.table = description.table
            let name = description.properties[property].name
            error.properties = [name]
            if let side = error.foreignKeySide {
                error.foreignKeySide = nil
                error.message = DatabaseError.foreignKeyMessage(
                    side, of: description.table, by: ["\"\(name)\" of \(description.type)"])
            }
            throw error
        }
    }

    @inline(never)  // decision 0069
    private func storedElements(
        _ property: Int, _ owners: ParameterBuffer, _ session: Session
    ) async throws -> ArrayChanges.Stored {
        let width = owners.width
        let elementWidth = description.columns.joinTables[property]?.elementColumns.count ?? 1
        let statement = try statements.rendered(.elements(property: property, ofAll: false, withPositions: true))
        return try await session.run(statement, owners.asLists) { rows in
            var result: ArrayChanges.Stored = [:]
            while let cells = try rows.next() {
                let owner = ElementKey(UnsafeBufferPointer(start: cells, count: width))
                let element = ElementKey(UnsafeBufferPointer(start: cells + width + 1, count: elementWidth))
                result[owner, default: []].append((cells[width].integer, element))
            }
            return result
        }
    }
}
