/// Setting properties of the objects that were saved to what rows hold.
extension SavedObjects {
    /// Sets what a save made or rounded to what was sent: timestamps, versions, and values as their columns hold them.
    ///
    /// - Parameter rewritten: The entries of the batch that have any of that.
    func assignEncoded(_ batch: SaveBatch, _ rewritten: [Int]) throws {
        let entries = batch.entries
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

    /// Sets the properties of `writtenBack` to what is in a row that holds the columns of `mask`.
    func assign(
        _ buffer: ParameterBuffer, _ row: Int, _ writtenBack: PropertyMask, _ mask: PropertyMask,
        _ arrays: ArrayValues?,
        to model: inout Model
    ) throws {
        guard !writtenBack.isEmpty else { return }
        try plan.assign(buffer, row, layout(of: writtenBack, in: mask), arrays, to: &model)
    }

    /// The layout of a row of the columns of `mask`, of which only the properties of `writtenBack` are looked at.
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
    /// The layout of a row of the columns of `mask`, of which only the properties of `writtenBack` are looked at.
    func layout(of writtenBack: PropertyMask, in mask: PropertyMask) -> RowLayout {
        var slots = slots(mask)
        for index in slots.indices where !writtenBack.contains(index) { slots[index] = RowLayout.absent }
        return RowLayout(table: table, propertyNames: properties.map(\.name), slots: slots)
    }
}

extension SaveBatch {
    /// The arrays of values as rows can read them.
    var arrayValues: ArrayValues {
        var arrayColumns = [ArrayColumn?](repeating: nil, count: propertyCount)
        for array in arrays {
            let end = array.encoder.buffer.cells.count
            arrayColumns[array.property] = ArrayColumn(elements: array.encoder.buffer, starts: array.starts + [end])
        }
        return ArrayValues(arrayColumns)
    }
}
