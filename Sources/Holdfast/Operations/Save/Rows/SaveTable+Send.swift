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
        error.objectIndex = error.row(among: chosen.count).flatMap {
            chosen.indices.contains($0) ? errorPosition(of: batch.entries[chosen[$0]].index) : nil
        }
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
            error.objectIndex = error.objectIndex.flatMap {
                edges.indices.contains($0) ? errorPosition(of: Int(edges[$0].owner.index)) : nil
            }
            throw description.explained(error)
        }
    }
}
