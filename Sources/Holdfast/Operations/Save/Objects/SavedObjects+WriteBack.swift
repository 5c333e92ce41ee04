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
            } else {
                try writeBack(batch, isUndoable: scope != nil, &undos)
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
        if !rewritten.isEmpty { try assignEncoded(batch, rewritten) }
    }
}
