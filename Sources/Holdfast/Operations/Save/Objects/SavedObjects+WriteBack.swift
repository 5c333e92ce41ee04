/// The changes that a successful save makes to the objects.
extension SavedObjects {
    /// Completes a successful save: marks are dropped, and keys, timestamps and rounded values are set.
    ///
    /// - Parameter scope: The transaction that may still roll back, and then undoes it; nil after COMMIT.
    func writeBack(undoingIn scope: TransactionScope?) throws {
        var undos: [() -> Void] = []
        for batch in table.batches {
            if scope == nil, description.isClass, batch.returned.cells.isEmpty, batch.ignored.isEmpty {
                try complete(batch)
                continue
            }
            if batch.group.action.explicitUpsert?.isSilent == true {
                batch.completedCount = batch.entries.count
                continue
            }
            let arrays = batch.arrayValues
            for row in batch.entries.indices {
                batch.completedCount = row + 1
                do {
                    let undo = try writeBack(batch, arrays, row, isUndoable: scope != nil)
                    if let undo { undos.append(undo) }
                } catch {
                    // What was read back does not fit. The transaction rolls back, and nothing was registered of this
                    // yet.
                    for undo in undos.reversed() { undo() }
                    throw table.located(error, batch.entries[row].index)
                }
            }
        }
        scope?.register(undoing: undos)
    }

    /// Completes the objects of a batch whose transaction is over: the frequent case, with nothing done for each that
    /// can be done once.
    private func complete(_ batch: SaveBatch) throws {
        let keyMask = batch.group.generatesKeys ? description.keyMask : PropertyMask()
        let entries = batch.entries
        var rewritten: [Int] = []
        var completedCount = 0
        defer { batch.completedCount = completedCount }
        // The keys are assigned from where their rows are, so that no row is copied for each object.
        try table.keys.withCells { cells in
            guard let base = cells.baseAddress else { return }
            let run = RowRun(base: base, width: table.keys.width, layout: plan.keyLayout)
            var dirtySince = PropertyMask()
            try plan.mapping.loops.assignKeys(
                objects, batch.objectIndices, run,
                { row, tracker in
                    completedCount = row + 1
                    entries[row].markSaved(&tracker)
                    dirtySince = tracker.dirty
                    if !entries[row].writtenBack.isEmpty { rewritten.append(row) }
                    guard !keyMask.isEmpty, dirtySince.isEmpty || dirtySince.intersection(keyMask).isEmpty else {
                        return false
                    }
                    // The key is marked before it is assigned, so that its old value is not kept as an original.
                    tracker.dirty.formUnion(keyMask)
                    return true
                },
                { _, tracker in
                    // A user's observer may have changed more, and that stays.
                    tracker.dirty.subtract(keyMask)
                    tracker.dirty.formUnion(dirtySince)
                    if tracker.dirty.isEmpty { tracker.isUncertain = false }
                })
        }
        guard !rewritten.isEmpty else { return }
        let arrays = batch.arrayValues
        for entry in rewritten {
            var model = objects[entries[entry].index]
            var (dirtySince, others) = (PropertyMask(), PropertyMask())
            changes?(model) { tracker in
                dirtySince = tracker.dirty
                others = entries[entry].writtenBack.subtracting(dirtySince)
                    .subtracting(description.columns.settledKeyMask)
                // The properties are marked before they are assigned, so that their old values are not kept as
                // originals.
                tracker.dirty.formUnion(others)
            }
            let (rows, row) = batch.encoded(entry)
            try assign(rows, row, others, batch.group.mask, arrays, to: &model)
            changes?(model) { tracker in
                tracker.dirty.subtract(others)
                tracker.dirty.formUnion(dirtySince)
                if tracker.dirty.isEmpty { tracker.isUncertain = false }
            }
            plan.mapping.keepOriginals(of: model, others)
        }
    }

    private func writeBack(
        _ batch: SaveBatch, _ arrays: ArrayValues, _ row: Int, isUndoable: Bool
    ) throws -> (() -> Void)? {
        let mapping = plan.mapping
        let entry = batch.entries[row]
        var model = objects[entry.index]
        if batch.ignored.contains(row) {
            mapping.changes?(model) { entry.restoreMarks(&$0) }
            return nil
        }
        var dirtySince = PropertyMask()
        mapping.changes?(model) { tracker in
            entry.markSaved(&tracker)
            dirtySince = tracker.dirty
        }
        // Properties that were read back get the value of the row; all others that are written back get the value that
        // was sent.
        let differing = batch.differing(row, description)
        let unknown = batch.unknown(differing, description)
        let kept = differing.subtracting(dirtySince).subtracting(unknown).subtracting(description.columns.joinTableMask)
        var writtenBack = entry.writtenBack.subtracting(dirtySince)
        let generatesKeys = batch.group.generatesKeys && batch.group.action.explicitUpsert == nil
        if generatesKeys { writtenBack.formUnion(description.keyMask.subtracting(dirtySince)) }
        // A struct is a value that the caller has, which nothing can change any more.
        let isUndoable = isUndoable && description.isClass
        guard !writtenBack.isEmpty || !kept.isEmpty || !unknown.isEmpty || isUndoable else { return nil }
        let written = writtenBack.union(kept)
        let restore = isUndoable ? mapping.capture(model, written) : nil
        // The properties are marked before they are assigned, so that their old values are not kept as originals.
        mapping.changes?(model) { $0.dirty.formUnion(written) }

        do {
            try assign(
                batch.encodedRows, row,
                writtenBack.subtracting(generatesKeys ? description.keyMask : description.columns.settledKeyMask)
                    .subtracting(kept), batch.group.mask, arrays,
                to: &model)
            if generatesKeys {
                try assign(
                    table.keys, entry.index, writtenBack.intersection(description.keyMask), description.keyMask, nil,
                    to: &model)
            }
            try assign(batch.returned, row, kept, batch.returnedMask, nil, to: &model)
        } catch {
            restore?.undo(in: &model)
            mapping.changes?(model) { tracker in
                if entry.stateBefore != .persisted { tracker.state = entry.stateBefore }
                tracker.dirty = dirtySince
                entry.remark(&tracker, isLatest: true)
            }
            throw error
        }
        var unloadedBefore = PropertyMask()
        mapping.changes?(model) { tracker in
            // A user's observer may have changed more, and that stays.
            tracker.dirty = tracker.dirty.subtracting(written).union(dirtySince)
            if tracker.dirty.isEmpty { tracker.isUncertain = false }
            // The originals of properties that were set meanwhile are out of date: the row now holds another value than
            // the object had when it was encoded.
            tracker.forgetOriginals(of: differing.union(description.keyMask).intersection(dirtySince))
            unloadedBefore = tracker.unloaded
            let unknown = unknown.subtracting(dirtySince)
            tracker.unloaded.formUnion(unknown)
            if !unknown.isEmpty, !tracker.originals.isEmpty { tracker.originals.take(where: unknown.contains) }
        }
        mapping.keepOriginals(of: model, written)
        objects[entry.index] = model
        guard isUndoable else { return nil }
        let holdsOurs = mapping.capture(model, written)
        let object = model
        return {
            mapping.changes?(object) { tracker in
                if entry.stateBefore != .persisted { tracker.state = entry.stateBefore }
                // The row has again what it had, which is not what was written back.
                tracker.forgetOriginals(of: written.intersection(tracker.dirty))
                entry.remark(&tracker, isLatest: true)
                tracker.unloaded.subtract(unknown.subtracting(unloadedBefore))
            }
            restore?.undo(in: object, ifStill: holdsOurs)
        }
    }

    /// Sets the properties of `back` to what is in a row that holds the columns of `mask`.
    private func assign(
        _ buffer: ParameterBuffer, _ row: Int, _ writtenBack: PropertyMask, _ mask: PropertyMask,
        _ arrays: ArrayValues?,
        to model: inout Model
    ) throws {
        guard !writtenBack.isEmpty else { return }
        try plan.assign(buffer, row, layout(of: writtenBack, in: mask), arrays, to: &model)
    }

    /// The layout of a row of the columns of `mask`, of which only the properties of `back` are looked at.
    private func layout(of writtenBack: PropertyMask, in mask: PropertyMask) -> RowLayout {
        if let (key, layout) = latestLayout, key.0 == writtenBack, key.1 == mask { return layout }
        let layout = description.layout(of: writtenBack, in: mask)
        latestLayout = ((writtenBack, mask), layout)
        return layout
    }
}

extension MappingPlan {
    /// Sets the properties of an object that a row holds.
    func assign(
        _ buffer: ParameterBuffer, _ row: Int, _ layout: RowLayout, _ arrays: ArrayValues?, to model: inout Model
    ) throws {
        let mapping = mapping
        try withoutSpecialization(&model) { model in
            try buffer.withRow(row) { cells in
                if let base = cells.baseAddress {
                    return try mapping.assign(
                        &model, Row(cells: base, layout: layout, arrays: arrays, position: row))
                }
                // A row of arrays alone has no cells, but a row needs an address.
                try withUnsafePointer(to: Cell.null) { empty in
                    try mapping.assign(&model, Row(cells: empty, layout: layout, arrays: arrays, position: row))
                }
            }
        }
    }
}

extension TableDescription {
    /// The layout of a row of the columns of `mask`, of which only the properties of `back` are looked at.
    func layout(of writtenBack: PropertyMask, in mask: PropertyMask) -> RowLayout {
        var slots = slots(mask)
        for index in slots.indices where !writtenBack.contains(index) { slots[index] = RowLayout.absent }
        return RowLayout(table: table, propertyNames: properties.map(\.name), slots: slots)
    }
}
