extension SaveOperation {
    /// The table of a save that is nothing but many rows of one statement.
    func soleTable(of graph: SaveGraph) -> SaveTable<Model>? {
        // Where a statement is a round trip, several of them take longer than one with all rows, which goes out by itself.
        guard !access.core.capabilities.hasRoundTrips, access.isOutsideTransaction, graph.tables.count == 1,
            let table = graph.tables[0] as? SaveTable<Model>,
            table.plan.isSavedByRow, table.description.versionIndex == nil, table.batches.count == 1
        else { return nil }
        let batch = table.batches[0]
        guard batch.group.action == .insert || batch.group.action == .update, batch.columns.width > 0,
            batch.rows.count >= 2 * SaveBatch.portionSize
        else { return nil }
        return table
    }

    /// Encodes the rows of the only batch, while those that are encoded are sent.
    ///
    /// They are encoded without suspension, as in other saves. If one can't be, those that were sent are rolled back.
    func sendWhileEncoding(_ graph: SaveGraph, _ table: SaveTable<Model>) async throws {
        let batch = table.batches[0]
        let rows = batch.rows.map(Int.init)
        let sender = PortionSender(
            access: access, plan: table.plan, group: batch.group, keys: table.keys.selecting(rows),
            queuedAs: queues ? graph.number : nil)
        let (portions, feed) = SaveBatch.Portions.makeStream()
        async let sending = sender.send(portions)
        do {
            try table.encode(batch, to: feed)
        } catch {
            // What was sent is rolled back before this returns: what leaves the scope is cancelled and waited for.
            feed.finish(throwing: error)
            throw error
        }
        feed.finish()
        graph.isTakingOff = false
        do {
            table.take(try await sending, of: rows)
        } catch var error as DatabaseError {
            error.objectIndex = error.objectIndex.flatMap { table.errorPosition(ofRow: rows[$0]) }
            throw error
        }
        try graph.writeBack(undoingIn: nil)
    }
}
