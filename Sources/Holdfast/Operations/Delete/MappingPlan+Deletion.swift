import Foundation

extension MappingPlan {
    /// Sets the time of the deletion in an object of a class that has none, and leaves its marks as they are.
    ///
    /// - Returns: What sets it back; nil if nothing was set.
    func setDeletion(of model: Model, to time: Date) -> (() -> Void)? {
        // The row is marked by now: an object that can't be read or set keeps what it has, and the deletion holds.
        guard let deletion = description.deletion, let row = try? description.deletionTime(time, deletion) else {
            return nil
        }
        let mask = description.masks.deletion
        var encoder = RowEncoder(description, mask: mask)
        guard (try? mapping.encode(model, &encoder)) != nil, encoder.cells.buffer.cells.first?.isNull == true else {
            return nil
        }
        return try? set(mask, of: model, to: row)
    }

    /// Sets properties of an object of a class to what a row of their columns holds, and leaves its marks as they are.
    ///
    /// - Returns: What sets them back; nil for an object that does not remember what has changed.
    func set(_ mask: PropertyMask, of model: Model, to row: ParameterBuffer) throws -> (() -> Void)? {
        guard mapping.changes != nil else { return nil }
        var encoder = RowEncoder(description, mask: mask)
        try mapping.encode(model, &encoder)
        let before = encoder.cells.buffer
        try assign(mask, of: model, to: row)
        // It was read from the object a moment ago, so it can be set in it.
        return { try? self.assign(mask, of: model, to: before) }
    }

    private func assign(_ mask: PropertyMask, of model: Model, to row: ParameterBuffer) throws {
        var model = model
        var dirty = PropertyMask()
        // Marked before they are assigned, so that their old values are not kept as originals.
        mapping.changes?(model) { tracker in
            dirty = tracker.dirty
            tracker.dirty.formUnion(mask)
        }
        defer {
            mapping.changes?(model) { $0.dirty = dirty.subtracting(mask) }
            mapping.keepOriginals(of: model, mask)
        }
        try assign(row, 0, description.layout(mask), nil, to: &model)
    }
}
