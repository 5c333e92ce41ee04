extension SaveOperation {
    /// The objects of a save that is nothing but many rows of one statement; nil if it is more, or has few rows.
    func soleObjects<Model: TableObject>(of graph: SaveGraph, _ type: Model.Type) -> SavedObjects<Model>? {
        // Where a statement is a round trip, several of them take longer than one with all rows, which goes out by
        // itself.
        guard !access.core.capabilities.hasRoundTrips, access.isOutsideTransaction, graph.tables.count == 1,
            graph.tables[0].batches.count == 1
        else { return nil }
        let batch = graph.tables[0].batches[0]
        guard batch.objectIndices.count >= 2 * SaveBatch.portionSize,
            graph.tables[0].description.columnCount(batch.group.mask) > 0,
            batch.group.action == .insert || batch.group.action == .update, !access.core.observations.isActive,
            let objects = graph.savedObjects[0] as? SavedObjects<Model>, objects.plan.isSavedByRow,
            objects.description.versionIndex == nil, objects.description.expiry == nil
        else { return nil }
        return objects
    }

    /// Encodes the rows of the only batch, while those that are encoded are sent.
    ///
    /// They are encoded without suspension, as in other saves. If one can't be, those that were sent are rolled back.
    func sendWhileEncoding(_ graph: SaveGraph, _ objects: SavedObjects<some TableObject>) async throws {
        let (table, batch) = (objects.table, objects.table.batches[0])
        let indices = batch.objectIndices.map(Int.init)
        enterQueue(graph)
        let sender = PortionSender(
            access: access, statements: table.statements, group: batch.group, keys: table.keys.selecting(indices),
            queuedAs: graph.isQueued ? graph.saveID : nil)
        let (portions, feed) = SaveBatch.Portions.makeStream()
        async let sending = sender.send(portions)
        do {
            try objects.encode(batch, to: feed)
        } catch {
            // What was sent is rolled back before this returns: what leaves the scope is cancelled and waited for.
            feed.finish(throwing: error)
            throw error
        }
        feed.finish()
        graph.isPreparing = false
        do {
            table.setGeneratedKeys(try await sending, of: indices)
        } catch var error as DatabaseError {
            error.objectIndex = error.objectIndex.flatMap { table.errorPosition(of: indices[$0]) }
            throw error
        }
        try graph.writeBack(undoingIn: nil)
    }
}

extension SavedObjects {
    /// Encodes a batch, and hands its rows on by the portion.
    fileprivate func encode(_ batch: SaveBatch, to feed: SaveBatch.Portions.Continuation) throws {
        try encode(batch, try description.timestamps()) { feed.yield($0) }
    }
}
