extension SaveTable {
    /// Completes a successful save: marks are dropped, and keys, timestamps and rounded values are set.
    ///
    /// - Parameter scope: The transaction that may still roll back, and then undoes it; nil after COMMIT.
    func writeBack(undoingIn scope: TransactionScope?) throws {
        var undos: [() -> Void] = []
        for batch in batches {
            if scope == nil, isClass, batch.returned.cells.isEmpty, batch.ignored.isEmpty {
                try settle(batch)
                continue
            }
            let arrays = batch.arrayValues
            for place in batch.passengers.indices {
                batch.landedCount = place + 1
                do {
                    let undo = try writeBack(batch, arrays, place: place, isUndoable: scope != nil)
                    if let undo { undos.append(undo) }
                } catch {
                    // What was read back does not fit. The transaction rolls back, and nothing was registered of this yet.
                    for undo in undos.reversed() { undo() }
                    throw located(error, batch.passengers[place].row)
                }
            }
        }
        if let scope, !undos.isEmpty {
            scope.register(undo: { for undo in undos.reversed() { undo() } }, complete: { _ in })
        }
    }

    /// Does the same for objects of a class that need not be undone: the frequent case, with nothing done for each that can
    /// be done once.
    private func settle(_ batch: SaveBatch) throws {
        let keyMask = batch.group.generatesKeys ? description.keyMask : PropertyMask()
        let passengers = batch.passengers
        var rewritten: [Int] = []
        var landedCount = 0
        defer { batch.landedCount = landedCount }
        // Set in a row's place, so that nothing is copied for each: a key that the engine makes is one integer.
        try keys.cells.withUnsafeBufferPointer { cells in
            guard let base = cells.baseAddress else { return }
            let run = RowRun(base: base, width: keys.width, layout: plan.keyLayout)
            var dirtySince = PropertyMask()
            try plan.mapping.loops.setKeys(
                objects, batch.rows, run,
                { place, tracker in
                    landedCount = place + 1
                    passengers[place].land(&tracker)
                    dirtySince = tracker.dirty
                    if !passengers[place].writtenBack.isEmpty { rewritten.append(place) }
                    return !keyMask.isEmpty && (dirtySince.isEmpty || dirtySince.intersection(keyMask).isEmpty)
                },
                { _, tracker in
                    // The setter marked it; a user's observer may have changed more, and that stays.
                    tracker.dirty.subtract(keyMask)
                    tracker.dirty.formUnion(dirtySince)
                })
        }
        guard !rewritten.isEmpty else { return }
        let arrays = batch.arrayValues
        for place in rewritten {
            var model = objects[passengers[place].row]
            var dirtySince = PropertyMask()
            changes?(model) { dirtySince = $0.dirty }
            let others = passengers[place].writtenBack.subtracting(dirtySince).subtracting(description.keyMask)
            let (columns, row) = batch.encoded(place)
            try assign(columns, row, others, batch.group.mask, arrays, to: &model)
            changes?(model) { tracker in
                tracker.dirty.subtract(others)
                tracker.dirty.formUnion(dirtySince)
            }
        }
    }

    private func writeBack(
        _ batch: SaveBatch, _ arrays: ArrayValues, place: Int, isUndoable: Bool
    ) throws -> (() -> Void)? {
        let mapping = plan.mapping
        let passenger = batch.passengers[place]
        var model = objects[passenger.row]
        if batch.ignored.contains(place) {
            mapping.changes?(model) { passenger.turnBack(&$0) }
            return nil
        }
        var dirtySince = PropertyMask()
        mapping.changes?(model) { tracker in
            passenger.land(&tracker)
            dirtySince = tracker.dirty
        }
        // What was read back is what the row holds; the rest of what is written back is what was sent.
        let differing = batch.differing(place, description)
        let unknown = batch.unknown(differing, description)
        let kept = differing.subtracting(dirtySince).subtracting(unknown).subtracting(description.columns.joinTableMask)
        var back = passenger.writtenBack.subtracting(dirtySince)
        let generatesKeys = batch.group.generatesKeys && batch.group.action.explicitUpsert == nil
        if generatesKeys { back.formUnion(description.keyMask.subtracting(dirtySince)) }
        // A struct is a value that the caller has, which nothing can change any more.
        let isUndoable = isUndoable && isClass
        guard !back.isEmpty || !kept.isEmpty || !unknown.isEmpty || isUndoable else { return nil }
        let written = back.union(kept)
        let restore = isUndoable ? mapping.capture(model, written) : nil

        do {
            try assign(
                batch.columns, place, back.subtracting(description.keyMask).subtracting(kept), batch.group.mask, arrays,
                to: &model)
            if generatesKeys {
                try assign(
                    keys, passenger.row, back.intersection(description.keyMask), description.keyMask, nil, to: &model)
            }
            try assign(batch.returned, place, kept, batch.returnedMask, nil, to: &model)
        } catch {
            restore?.undo(in: &model)
            mapping.changes?(model) { tracker in
                if passenger.stateBefore != .persisted { tracker.state = passenger.stateBefore }
                tracker.dirty = passenger.marks.union(dirtySince)
            }
            throw error
        }
        var unloadedBefore = PropertyMask()
        mapping.changes?(model) { tracker in
            // The setters marked what was just written; a user's observer may have changed more, and that stays.
            tracker.dirty = tracker.dirty.subtracting(written).union(dirtySince)
            unloadedBefore = tracker.unloaded
            tracker.unloaded.formUnion(unknown.subtracting(dirtySince))
        }
        objects[passenger.row] = model
        guard isUndoable else { return nil }
        let holdsOurs = mapping.capture(model, written)
        let object = model
        return {
            mapping.changes?(object) { tracker in
                if passenger.stateBefore != .persisted { tracker.state = passenger.stateBefore }
                tracker.dirty.formUnion(passenger.marks)
                tracker.unloaded.subtract(unknown.subtracting(unloadedBefore))
            }
            restore?.undo(in: object, ifStill: holdsOurs)
        }
    }

    /// Sets the properties of `back` to what is in a row that holds the columns of `mask`.
    private func assign(
        _ buffer: ParameterBuffer, _ row: Int, _ back: PropertyMask, _ mask: PropertyMask, _ arrays: ArrayValues?,
        to model: inout Model
    ) throws {
        guard !back.isEmpty else { return }
        let layout = layout(of: back, in: mask)
        let mapping = plan.mapping
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

    /// The layout of a row of the columns of `mask`, of which only the properties of `back` are looked at.
    private func layout(of back: PropertyMask, in mask: PropertyMask) -> RowLayout {
        if let (key, layout) = latestLayout, key.0 == back, key.1 == mask { return layout }
        var slots = description.slots(mask)
        for index in slots.indices where !back.contains(index) { slots[index] = RowLayout.absent }
        let layout = RowLayout(
            table: description.table, propertyNames: description.properties.map(\.name), slots: slots)
        latestLayout = ((back, mask), layout)
        return layout
    }

    // MARK: Structs that objects hold

    func relink(
        _ row: Int, _ properties: PropertyMask, _ related: RelatedObjects, isUndoable: Bool
    ) throws -> () -> Void {
        let mapping = plan.mapping
        var model = objects[row]
        var before = PropertyMask()
        mapping.changes?(model) { before = $0.dirty }
        let back = properties.subtracting(before)  // what was set meanwhile is newer
        guard !back.isEmpty else { return {} }
        let isUndoable = isUndoable && isClass
        let setters = isUndoable ? back.indices.map { ($0, mapping.accessors[$0].capture(model)) } : []
        let slots = description.properties.indices.map { back.contains($0) ? RowLayout.withoutCell : RowLayout.absent }
        let layout = RowLayout(
            table: description.table, propertyNames: description.properties.map(\.name), slots: slots)
        try withoutSpecialization(&model) { model in
            try withUnsafePointer(to: Cell.null) { empty in
                try mapping.assign(&model, Row(cells: empty, layout: layout, related: related))
            }
        }
        mapping.changes?(model) { $0.dirty = $0.dirty.subtracting(back).union(before) }
        objects[row] = model
        store?.objects[row] = model
        guard isUndoable else { return {} }
        let object = model
        return {
            var marks = PropertyMask()
            mapping.changes?(object) { marks = $0.dirty }
            var object = object
            // What was set since stays.
            for (index, set) in setters where !marks.contains(index) { set(&object) }
            mapping.changes?(object) { $0.dirty = marks }
        }
    }

    func rememberInverse(_ property: Int, of row: Int, held: Set<ElementKey>) -> () -> Void {
        guard let changes = plan.mapping.changes else { return {} }
        let object = objects[row]
        var before: [Int: Set<ElementKey>]?
        changes(object) { tracker in
            before = tracker.inverses
            tracker.inverses = (before ?? [:]).merging([property: held]) { $1 }
        }
        let old = before
        return { changes(object) { $0.inverses = old } }
    }

    // MARK: Hooks

    func runDidSave(in transaction: Transaction) async throws {
        guard let hooks = plan.hooks else { return }
        for batch in batches {
            for (place, passenger) in batch.passengers.enumerated() where !batch.ignored.contains(place) {
                do {
                    try await hooks.didSave(objects[passenger.row], transaction)
                } catch var error as DatabaseError {
                    error.objectIndex = error.objectIndex ?? errorPosition(ofRow: passenger.row)
                    throw error
                }
            }
        }
    }

    func registerAfterCommit(with scope: TransactionScope) {
        guard let hooks = plan.hooks, !batches.isEmpty else { return }
        let ignored = ignoredRows
        let saved = batches.flatMap(\.passengers).filter { !ignored.contains($0.row) }.map { objects[$0.row] }
        scope.register(undo: {}, complete: { $0.callHooks(hooks, of: saved) })
    }
}
