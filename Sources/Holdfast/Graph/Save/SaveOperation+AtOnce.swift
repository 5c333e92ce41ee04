extension SaveOperation {
    /// Saves an object at once, by one statement: false if there is more to it, and nothing was done.
    ///
    /// For an object without arrays, relations and hooks, outside of a transaction, where that takes no wait of any kind.
    /// As nothing is suspended, no other save can meet the object meanwhile: there is nothing to mark as in flight.
    func savesAtOnce(_ model: Model) throws -> Bool {
        guard access.isOutsideTransaction, !access.core.capabilities.hasRoundTrips, case .graph = scope.extent else {
            return false
        }
        let plan = try access.core.plan(for: Model.self)
        guard plan.isSavedByRow, type(of: model) == Model.self, let tracker = plan.tracker(of: model),
            tracker.state != .inserting, tracker.flights == 0
        else { return false }
        let description = plan.description
        var keys = RowEncoder(description, mask: description.keyMask)
        try plan.mapping.encode(model, &keys)
        let group = try description.group(
            of: verb, lacksKey: keys.columns.buffer.lacksKey(0, of: description), tracker, lacksCreated: { false })
        guard let group else { return true }
        // Only an engine's own keys are advanced past, by a second statement.
        if plan.advanceGeneratedKey != nil, group.action != .update, !group.generatesKeys { return false }

        var encoder = RowEncoder(description, mask: group.mask)
        encoder.columns.buffer.cells.reserveCapacity(encoder.columns.buffer.width + description.keyIndices.count)
        try plan.mapping.encode(model, &encoder)
        var back = encoder.adjusted
        let now = try description.timestamps()
        description.stamp(&encoder.columns.buffer, from: 0, group: group, now, back: &back)

        var generated = ParameterBuffer(width: 1)
        guard try send(encoder.columns.buffer, keys.columns.buffer, group, plan, &generated) else { return false }
        try plan.settle(model, group, encoder.columns.buffer, generated, back: back.subtracting(description.keyMask))
        return true
    }

    private func send(
        _ columns: ParameterBuffer, _ keys: ParameterBuffer, _ group: SaveBatch.Group, _ plan: MappingPlan<Model>,
        _ generated: inout ParameterBuffer
    ) throws -> Bool {
        let isUpdate = group.action == .update
        let statement = try plan.statement(
            isUpdate ? .update(group.mask) : .insert(group.mask, returningKey: group.generatesKeys))
        var affected = 0
        do {
            let isDone = try access.writeAtOnce(
                statement, isUpdate ? columns.joined(with: keys) : columns, purpose: "save"
            ) { rows in
                while let cells = try rows.next() { generated.append(copying: cells[0]) }
                affected = rows.affectedRows
            }
            // What was updated nowhere was not: the other way finds out whether the row is gone.
            if !isDone || isUpdate && affected != 1 { return false }
        } catch let error as DatabaseError {
            throw plan.description.explained(error)
        }
        if group.generatesKeys, generated.cells.count != 1 {
            throw DatabaseError(
                .engine, "The engine did not return the key of a row inserted into \"\(plan.description.table)\".",
                table: plan.description.table)
        }
        return true
    }
}

extension MappingPlan {
    /// Whether a save of an object is one row, with nothing before and after it.
    fileprivate var isSavedByRow: Bool {
        description.isClass && mapping.changes != nil && hooks == nil && columns.isWrittenByRow
            && columns.relationMask.isEmpty
    }

    /// Sets in a saved object what the engine or the save made, and marks it as saved.
    fileprivate func settle(
        _ model: Model, _ group: SaveBatch.Group, _ columns: ParameterBuffer, _ generated: ParameterBuffer,
        back: PropertyMask
    ) throws {
        mapping.changes?(model) { $0.markPersisted() }
        if group.generatesKeys {
            try assign(generated, keyLayout, to: model)
        }
        if !back.isEmpty {
            var slots = description.slots(group.mask)
            for index in slots.indices where !back.contains(index) { slots[index] = RowLayout.absent }
            let names = description.properties.map(\.name)
            try assign(columns, RowLayout(table: description.table, propertyNames: names, slots: slots), to: model)
        }
        // The setters marked what was just written; a user's observer may have changed more, and that stays.
        let written = group.generatesKeys ? back.union(description.keyMask) : back
        mapping.changes?(model) { $0.dirty.subtract(written) }
    }

    private func assign(_ row: ParameterBuffer, _ layout: RowLayout, to model: Model) throws {
        var model = model
        try withoutSpecialization(&model) { model in
            try row.withRow(0) { cells in
                guard let base = cells.baseAddress else { return }
                try mapping.assign(&model, Row(cells: base, layout: layout))
            }
        }
    }
}
