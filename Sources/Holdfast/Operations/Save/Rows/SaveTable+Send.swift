/// Insertions, updates, and references that have to wait.
extension SaveTable {
    /// Sends rows of a batch: all, or those of some entries.
    ///
    /// - Parameter objects: The objects of the table, which know how to delete rows that have expired.
    func send(
        _ batch: SaveBatch, rowIndices: [Int]?, of objects: any AnySavedObjects, through session: Session
    ) async throws {
        let chosen = rowIndices ?? Array(batch.entries.indices)
        do {
            let encodedRows = rowIndices.map { batch.encodedRows.selecting($0) } ?? batch.encodedRows
            switch batch.group.action {
            case .insert: try await insert(batch, chosen, encodedRows, session)
            case .upsert(let upsert) where upsert.isSilent:
                try await upsertSilently(batch, chosen, of: objects, encodedRows, session, upsert)
            case .upsert(let upsert): try await self.upsert(batch, chosen, encodedRows, session, upsert)
            case .insertOrIgnore: try await insertOrIgnore(batch, chosen, encodedRows, session)
            case .update: try await update(batch, session)
            }
        } catch {
            throw explained(error, about: chosen, of: batch)
        }
    }

    /// The error about rows that were sent, with the position of the object that it is about.
    func explained(_ error: any Error, about chosen: [Int], of batch: SaveBatch) -> any Error {
        guard var error = error as? DatabaseError else { return error }
        // The driver counts the rows of the batch, if they are several; the caller knows the objects it gave.
        let index = error.row(among: chosen.count).flatMap {
            chosen.indices.contains($0) ? batch.entries[chosen[$0]].index : nil
        }
        error.objectIndex = index.flatMap { errorPosition(of: $0) }
        error.node = error.node ?? index.map { NodeID(table: tableIndex, index: $0) }
        return description.explained(error)
    }

    private func insert(
        _ batch: SaveBatch, _ chosen: [Int], _ encodedRows: ParameterBuffer, _ session: Session
    ) async throws {
        let generated = try await statements.insert(encodedRows, rowCount: chosen.count, batch.group, through: session)
        if !batch.group.generatesKeys, let advance = statements.advanceGeneratedKey {
            try await session.execute(advance)
        }
        setGeneratedKeys(generated, of: chosen.map { batch.entries[$0].index })
    }

    private func update(_ batch: SaveBatch, _ session: Session) async throws {
        let owners = owners(of: batch)
        if isVersioned(batch) {
            return try await writingVersions(batch, Array(batch.entries.indices), session) {
                let conditions = description.conditionParameters(owners, of: batch.encodedRows, mask: batch.group.mask)
                return try await session.execute(
                    statements.rendered(.update(batch.group.mask)), batch.encodedRows.joined(with: conditions))
            }
        }
        try await statements.update(batch.encodedRows, of: owners, batch.group, through: session)
    }

    private func isVersioned(_ batch: SaveBatch) -> Bool {
        description.versionIndex.map { batch.group.mask.contains($0) } ?? false
    }

    /// Throws unless the rows of a batch are in the database that was sent already.
    ///
    /// - Parameter count: How many rows the engine said were written.
    func requireWritten(_ batch: SaveBatch, count: Int, through session: Session) async throws {
        guard batch.group.action == .update else {
            return try await statements.requireStored(batch.encodedRows, batch.group.mask, through: session)
        }
        if isVersioned(batch) {
            return try await writingVersions(batch, Array(batch.entries.indices), session) { count }
        }
        try await statements.requireUpdated(
            batch.encodedRows, batch.group.mask, of: owners(of: batch), count: count, through: session)
    }

    // MARK: References that had to wait

    /// Sets references that had to wait until all rows were inserted.
    func sendDeferred(
        _ property: Int, edges: [SaveBatch.Edge], of tables: [SaveTable], through session: Session
    ) async throws {
        var targets = ParameterBuffer(width: description.columns.ranges[property].count)
        for edge in edges {
            targets.appendRow(Int(edge.target.index), of: tables[Int(edge.target.table)].keys)
        }
        let owners = keys.selecting(edges.map { Int($0.owner.index) })
        do {
            let mask = PropertyMask([property])
            let written = try await session.execute(statements.rendered(.update(mask)), targets.joined(with: owners))
            if written < edges.count {
                try await statements.requireStored(targets, mask, of: owners, through: session)
            }
        } catch var error as DatabaseError {
            let index = error.row(among: edges.count).flatMap {
                edges.indices.contains($0) ? Int(edges[$0].owner.index) : nil
            }
            error.objectIndex = index.flatMap { errorPosition(of: $0) }
            error.node = error.node ?? index.map { NodeID(table: tableIndex, index: $0) }
            throw description.explained(error)
        }
    }
}

/// Rows that are written by one statement each, and need nothing else.
extension TableStatements {
    /// Inserts rows of a group.
    ///
    /// - Returns: The keys that the engine made, one for each row; none if it does not make them.
    func insert(
        _ rows: ParameterBuffer, rowCount: Int, _ group: SaveBatch.Group, through session: Session
    ) async throws -> ParameterBuffer {
        let statement = try rendered(.insert(group.mask, returningKey: group.generatesKeys))
        var generated = ParameterBuffer(width: 1)
        guard group.generatesKeys else {
            if try await session.execute(statement, rows) < rowCount {
                try await requireStored(rows, group.mask, through: session)
            }
            return generated
        }
        // A table of nothing but its key takes no parameters, so that one run inserts one row.
        for _ in 0..<(rows.width == 0 ? rowCount : 1) {
            generated.appendAll(try await session.collect(statement, rows))
        }
        guard generated.cells.count == rowCount else { throw description.passedOver }
        for key in generated.cells where description.keySource != nil || !key.isNull {
            try description.requireMade(key)
        }
        return generated
    }

    /// Updates the rows of some owners; with no columns to be written, it locks them.
    ///
    /// - Parameter owners: The keys of the rows.
    /// - Throws: ``DatabaseError/Code/notFound``, with the position among the owners, if a row is gone.
    func update(
        _ rows: ParameterBuffer, of owners: ParameterBuffer, _ group: SaveBatch.Group, through session: Session
    ) async throws {
        let found: Int
        if rows.width > 0 {
            found = try await session.execute(rendered(.update(group.mask)), rows.joined(with: owners))
        } else {
            // Only arrays changed: the owner is locked, so that two savers of one array end with one of the two, whole.
            found = try await session.run(lock, owners) { rows in
                var count = 0
                while try rows.next() != nil { count += 1 }
                return count
            }
        }
        try await requireUpdated(rows, group.mask, of: owners, count: found, through: session)
    }
}

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
                try await requireInside(deleted, property, session)
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
