/// How an object is written of which the operation names the properties.
extension TableDescription {
    /// Decides how some properties of an object are updated, changed or not; nil if nothing is to be written.
    func updating(_ mask: PropertyMask, lacksKey: Bool, _ tracker: ChangeTracker?) throws -> SaveBatch.Group? {
        if lacksKey { throw unsaved() }
        if let tracker {
            guard tracker.state == .persisted else {
                throw DatabaseError(
                    .conflict,
                    "Some properties of a \(type) that was neither fetched nor saved can't be updated. Save it, or update by a query.",
                    table: table)
            }
            let unloaded = mask.intersection(tracker.unloaded)
            if !unloaded.isEmpty { throw notLoaded(unloaded) }
        }
        // What the other side keeps is written where it was changed here.
        let written = columns.addingShared(
            mask.subtracting(columns.inverseMask.subtracting(tracker?.dirty ?? PropertyMask())), keys: keyMask,
            unloaded: tracker?.unloaded ?? PropertyMask())
        return written.isEmpty
            ? nil : .init(action: .update, mask: written.union(automaticMask(with: written)), generatesKeys: false)
    }

    /// Decides how an object is inserted, or updates the row that has the same unique key.
    ///
    /// - Parameters:
    ///   - key: The properties of the unique key.
    ///   - updated: The properties of a row that exists which are updated; nil for all that can be.
    ///   - readsBack: Whether the row is read back.
    ///   - tells: Whether the row tells if it was inserted.
    ///   - changes: What is computed for a row that exists.
    ///   - insertion: How it is inserted.
    func upserting(
        _ key: PropertyMask, updated: PropertyMask?, readsBack: Bool, tells: Bool, changes: UpsertChanges?,
        lacksKey: Bool, insertion: SaveBatch.Group, _ tracker: ChangeTracker?
    ) throws -> SaveBatch.Group {
        // What the engine makes can't be there yet.
        if lacksKey, key == keyMask {
            try requireLoaded(tracker)
            return insertion
        }
        let sent = columns.mask.union(updated?.intersection(columns.joinTableMask) ?? columns.joinTableMask)
        if let lost = tracker?.unloaded.intersection(sent), !lost.isEmpty { throw notLoaded(lost) }
        let writable = nonKeyMask.subtracting(key).subtracting(columns.inverseMask)
        // A row that is marked as deleted is there again, if the object is.
        let upsert = Upsert(
            key: key,
            updated: updated.map {
                $0.isEmpty ? masks.deletion : $0.union(automaticMask(with: $0).union(masks.deletion))
            }
                ?? writable.subtracting(createdMask),
            returned: readsBack ? columns.mask : PropertyMask(), isExplicit: true, tells: tells,
            changes: changes)
        return .init(action: .upsert(upsert), mask: insertion.mask, generatesKeys: lacksKey)
    }
}
