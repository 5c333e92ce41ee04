/// What a save writes back that may be undone, or of which a part was read back.
extension SavedObjects {
    /// Completes the objects of a batch, one by one.
    ///
    /// - Parameter undos: Gets what undoes it, if it can be undone.
    func writeBack(_ batch: SaveBatch, isUndoable: Bool, _ undos: inout [() -> Void]) throws {
        if batch.group.action.explicitUpsert?.isSilent == true {
            batch.completedCount = batch.entries.count
            return
        }
        let arrays = batch.arrayValues
        for row in batch.entries.indices {
            batch.completedCount = row + 1
            do {
                let undo = try writeBack(batch, arrays, row, isUndoable: isUndoable)
                if let undo { undos.append(undo) }
            } catch {
                // What was read back does not fit. The transaction rolls back, and nothing was registered of this yet.
                for undo in undos.reversed() { undo() }
                throw table.located(error, batch.entries[row].index)
            }
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
}
