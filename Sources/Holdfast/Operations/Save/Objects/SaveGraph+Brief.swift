/// A save of one row, by one statement that commits by itself: most saves are.
extension SaveGraph {
    /// The batch that is all there is to send, of one row, by one statement; nil if there is more.
    var soleBatch: (table: SaveTable, batch: SaveBatch)? {
        var sole: (table: SaveTable, batch: SaveBatch)?
        for table in tables {
            for batch in table.batches {
                if sole != nil { return nil }
                sole = (table, batch)
            }
        }
        guard let sole, sole.batch.entries.count == 1, !sole.batch.touchesArrays else { return nil }
        // A new object that refers to itself may need its key first: a second statement.
        guard sole.batch.edges.isEmpty else { return nil }
        return sole.table.hasHooks || sole.table.advancesKeys || sole.table.meetsExpired ? nil : sole
    }

    /// Sends the row on a connection that is free, mostly without a suspension (decision 0018).
    ///
    /// - Returns: Whether the row is written. If not, nothing was done, and the save is sent as any other: to wait for
    ///   a connection, or since the row was to be inserted or updated and was neither.
    func writesBriefly(through access: DatabaseAccess) async throws -> Bool {
        guard access.isOutsideTransaction, let (table, batch) = soleBatch,
            let (statement, parameters) = try table.statement(for: batch)
        else { return false }
        let index = batch.entries[0].index
        var (generated, affectedCount) = (ParameterBuffer(width: 1), 0)
        do {
            let hasRun = try await access.runBriefly(
                .write, statement, parameters, purpose: "save",
                telling: {
                    table.setGeneratedKeys(generated, of: [index])
                    return affectedCount == 0 && generated.cells.isEmpty ? [] : [table.changes(for: core.observations)]
                }
            ) { rows in
                while let cells = try rows.next() { generated.append(copying: cells[0]) }
                affectedCount = rows.affectedRows
            }
            guard hasRun else { return false }
            if batch.group.generatesKeys {
                guard generated.cells.count == 1 else { throw table.description.passedOver }
                guard !generated.cells[0].isNull else { throw table.description.madeNoKey }
                table.setGeneratedKeys(generated, of: [index])
                return true
            }
            if affectedCount == 1 { return true }
            if case .upsert = batch.group.action { return false }
            // Not sent again: an engine does not count what a trigger writes in place of a view's rows.
            try await access.perform(.read, purpose: "save") { [affectedCount] session, _ in
                try await table.requireWritten(batch, count: affectedCount, through: session)
            }
            return true
        } catch {
            throw table.explained(error, about: [0], of: batch)
        }
    }
}

extension SaveTable {
    /// The statement that writes the rows of a batch where nothing is read back but a key; nil if there is more to it.
    fileprivate func statement(for batch: SaveBatch) throws -> (Statement, ParameterBuffer)? {
        let (group, rows) = (batch.group, batch.encodedRows)
        switch group.action {
        case .insert:
            return (try statements.rendered(.insert(group.mask, returningKey: group.generatesKeys)), rows)
        case .update where rows.width > 0:
            let conditions = description.conditionParameters(owners(of: batch), of: rows, mask: group.mask)
            return (try statements.rendered(.update(group.mask)), rows.joined(with: conditions))
        case .upsert(let upsert) where upsert.returned.isEmpty:
            return (try statements.rendered(.upsert(group.mask, upsert)), rows)
        case .update, .upsert, .insertOrIgnore: return nil
        }
    }
}
