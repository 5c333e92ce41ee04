/// Deciding what is written, and encoding it.
extension SavedObjects {
    func settle() {
        // Mostly there is nothing to be found out, unless a hook has set something since the objects were met.
        guard changes != nil, hasUncertain || graph.tables.contains(where: \.hasHooks) else { return }
        let (objects, mapping) = (objects, plan.mapping)
        mapping.loops.track(objects) { index, _, tracker in
            if tracker.isUncertain { mapping.settle(objects[index], &tracker) }
        }
    }

    func sortIntoBatches() throws {
        var sorter = BatchSorter(
            description, count: objects.count,
            decidesAlike: description.createdMask.isEmpty || changes != nil && !graph.verb.extendsToReached)
        // Kept here while all objects are looked at: each look at a property of an object is checked for others that
        // change it.
        let (table, description, positions) = (table, description, table.positions)
        var encoder = RowEncoder(description, mask: description.keyMask)
        encoder.cells.buffer.cells.reserveCapacity(objects.count * table.keys.width)
        var failure: (any Error)?
        try table.locatingEach { current in
            let all = Array(0..<Int32(truncatingIfNeeded: positions.count))
            try plan.mapping.loops.encode(objects, all, &encoder, { current = $0 }) { index, encoder, tracker in
                do {
                    try encoder.cells.buffer.requireEncodedKey(index, of: description)
                    let lacksKey = encoder.cells.buffer.lacksKey(index)
                    try sorter.add(
                        index, verb: table.verb(of: index), isGiven: positions[index] >= 0, lacksKey: lacksKey, tracker
                    ) { try lacksCreated(objects[index]) }
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
        }
        table.setBatches(from: sorter, keys: encoder.cells.buffer)
    }

    /// Whether the creation time is nil, so that an existing row has to keep its own.
    private func lacksCreated(_ model: Model) throws -> Bool {
        let mask = description.createdMask
        guard !mask.isEmpty else { return false }
        var encoder = RowEncoder(description, mask: mask)
        try plan.mapping.encode(model, &encoder)
        return encoder.cells.buffer.cells.contains(where: \.isNull)
    }

    // MARK: Encoding

    func encode() throws {
        guard !table.batches.isEmpty else { return }
        let now = try description.timestamps()
        for batch in table.batches {
            try encode(batch, now)
            if batch.group.action.mayLeaveOut { try table.refuseUnwritten(batch) }
        }
    }

    /// Encodes a batch, and takes the marks of its objects.
    ///
    /// - Parameters:
    ///   - now: The time of the save, for each timestamp.
    ///   - feed: Takes the rows by the portion, where they are sent while the rest is encoded.
    func encode(
        _ batch: SaveBatch, _ now: [Int: ParameterBuffer], _ feed: ((ParameterBuffer) -> Void)? = nil
    ) throws {
        let (saveID, isTracked, table, mapping) = (graph.saveID, changes != nil, table, plan.mapping)
        let linkEncoder = relationMask.isEmpty ? nil : graph.linkEncoder
        let keepsOriginals = !mapping.inPlaceIndices.isEmpty
        let bufferedRows = feed == nil ? batch.objectIndices.count : SaveBatch.portionSize
        // Kept here, so that it is changed in place.
        var encoder = RowEncoder(description, mask: batch.group.mask, sink: linkEncoder)
        encoder.cells.reserveCells(rows: bufferedRows)
        var entries: [SaveBatch.Entry] = []
        entries.reserveCapacity(batch.objectIndices.count)
        defer {
            (batch.encodedRows, batch.arrays, batch.links) = (encoder.cells.buffer, encoder.arrays, encoder.links)
            batch.entries = entries
        }
        var firstCell = 0
        let choosesProperties = if case .updateOnly = graph.verb { true } else { false }
        let stamp = RowStamp(description, batch.group, now, keepsTimes: graph.keepsTimes)
        let shared = linkEncoder == nil ? nil : SharedColumns(batch, of: table)
        var failure: (any Error)?
        try table.locatingEach { current in
            try plan.mapping.loops.encode(
                objects, batch.objectIndices, &encoder,
                { index in
                    current = index
                    linkEncoder?.begin(NodeID(table: table.tableIndex, index: index), into: batch)
                },
                { index, encoder, tracker in
                    var entry = SaveBatch.Entry(index: index)
                    if !encoder.adjusted.isEmpty {
                        entry.writtenBack = encoder.adjusted
                        encoder.adjusted = PropertyMask()
                    }
                    if let stamp {
                        do {
                            try stamp.apply(to: &encoder.cells.buffer, from: firstCell, writtenBack: &entry.writtenBack)
                        } catch {
                            failure = error
                            return false
                        }
                        firstCell = encoder.cells.buffer.cells.count
                    }
                    if let shared, let linkEncoder {
                        do {
                            try shared.apply(
                                to: &encoder.cells.buffer, row: entries.count, index: index, linkEncoder, tracker,
                                writtenBack: &entry.writtenBack)
                        } catch {
                            failure = error
                            return false
                        }
                    }
                    if isTracked {
                        let chosen = choosesProperties ? table.chosenProperties(of: index) : nil
                        entry.markInFlight(&tracker, save: saveID, only: chosen)
                        if keepsOriginals { mapping.keepOriginals(of: objects[index], batch.group.mask, &tracker) }
                    }
                    entries.append(entry)
                    if entries.count == 256 { encoder.cells.reserveBytes(rows: bufferedRows, encoded: 256) }
                    if let feed, entries.count % SaveBatch.portionSize == 0 {
                        feed(batch.portion(encoder.cells.takeBuffer(), entries))
                        firstCell = 0
                    }
                    return true
                })
            if let failure { throw failure }
            if let feed, entries.count % SaveBatch.portionSize != 0 {
                feed(batch.portion(encoder.cells.takeBuffer(), entries))
            }
        }
        if batch.group.action == .update, !encoder.links.isEmpty { noteTakenOut(batch, encoder.links, entries) }
    }
}
