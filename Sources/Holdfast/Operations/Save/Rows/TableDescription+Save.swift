import Foundation

/// How an object is written.
extension TableDescription {
    /// Decides which properties of an object are written, and by which statement; nil if nothing of it has changed.
    ///
    /// - Parameters:
    ///   - lacksKey: Whether a part of its key is nil.
    ///   - tracker: What it remembers of itself; nil if it is not tracked.
    ///   - lacksCreated: Whether its creation time is nil; asked only of what is not tracked.
    func group(
        of verb: SaveVerb, lacksKey: Bool, _ tracker: ChangeTracker?, lacksCreated: () throws -> Bool
    ) throws -> SaveBatch.Group? {
        let insertion = SaveBatch.Group(
            action: .insert, mask: lacksKey ? nonKeyMask : writtenMask, generatesKeys: lacksKey)
        if lacksKey, !hasGeneratedKey {
            throw self.lacksKey
        }
        switch verb {
        case .insert:
            try requireLoaded(tracker)
            return insertion
        case .update:
            if lacksKey { throw unsaved() }
            if let tracker, tracker.state == .persisted { return try changed(tracker) }
            try requireLoaded(tracker)
            return .init(action: .update, mask: nonKeyMask.subtracting(createdMask), generatesKeys: false)
        case .updateOnly(let mask):
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
        case .upsert(let key, let updated, let readsBack):
            // What the engine makes can't be there yet.
            if lacksKey, key == keyMask {
                try requireLoaded(tracker)
                return insertion
            }
            let sent = columns.mask.union(updated?.intersection(columns.joinTableMask) ?? columns.joinTableMask)
            if let lost = tracker?.unloaded.intersection(sent), !lost.isEmpty { throw notLoaded(lost) }
            let writable = nonKeyMask.subtracting(key).subtracting(columns.inverseMask)
            let upsert = Upsert(
                key: key,
                updated: updated.map { $0.isEmpty ? $0 : $0.union(automaticMask(with: $0)) }
                    ?? writable.subtracting(createdMask),
                returned: readsBack ? columns.mask : PropertyMask(), isExplicit: true)
            return .init(action: .upsert(upsert), mask: insertion.mask, generatesKeys: lacksKey)
        case .insertOrIgnore:
            try requireLoaded(tracker)
            if lacksKey, columns.mask == keyMask { return insertion }
            return .init(action: .insertOrIgnore, mask: insertion.mask, generatesKeys: lacksKey)
        case .save:
            guard let tracker else { return lacksKey ? insertion : try replacement(lacksCreated) }
            if tracker.state == .persisted { return try changed(tracker) }
            // The row of a deleted object is gone, and with it what the object lacks.
            let lost = tracker.unloaded.subtracting(columns.relationMask)
            if !lost.isEmpty { throw notLoaded(lost) }
            return insertion
        case .replace:
            if let tracker, tracker.state == .persisted { return try changed(tracker) }
            try requireLoaded(tracker)
            return lacksKey ? insertion : try replacement(lacksCreated)
        }
    }

    /// A new row, or all of the one with the primary key but a creation time that the object lacks.
    private func replacement(_ lacksCreated: () throws -> Bool) throws -> SaveBatch.Group {
        let kept = try lacksCreated() ? createdMask : PropertyMask()
        let upsert = Upsert(
            key: keyMask, updated: nonKeyMask.subtracting(kept), returned: kept.union(versionMask), isExplicit: false)
        return .init(action: .upsert(upsert), mask: writtenMask, generatesKeys: false)
    }

    private func changed(_ tracker: ChangeTracker) throws -> SaveBatch.Group? {
        var mask = tracker.dirty
        guard !mask.isEmpty else { return nil }
        guard mask.intersection(keyMask).isEmpty else {
            throw DatabaseError(
                .conflict,
                "The primary key of a saved \(type) was changed. Insert a copy under the new key and delete this one.",
                table: table, properties: keyIndices.map { properties[$0].name })
        }
        try requireComputedByNone(mask)
        mask = columns.addingShared(mask, keys: keyMask, unloaded: tracker.unloaded.subtracting(mask))
        let unloaded = mask.intersection(tracker.unloaded)
        if !unloaded.isEmpty { throw notLoaded(unloaded) }
        for property in mask.intersection(columns.inverseMask).indices {
            try columns.relation(property)?.target.description.requireWritable()
        }
        mask.formUnion(automaticMask(with: mask))
        return .init(action: .update, mask: mask, generatesKeys: false)
    }

    /// Throws unless an object that is only read was reached, and is as it was read.
    func requireRead(isGiven: Bool, lacksKey: Bool, _ tracker: ChangeTracker?) throws {
        let isAsRead = tracker.map { $0.state == .persisted && $0.dirty.isEmpty } ?? !lacksKey
        if isGiven || !isAsRead { throw onlyRead }
    }

    /// Throws if something was left out of an object of which all is to be written.
    private func requireLoaded(_ tracker: ChangeTracker?) throws {
        if let tracker, !tracker.unloaded.isEmpty { throw notLoaded(tracker.unloaded) }
    }

    private func notLoaded(_ mask: PropertyMask) -> DatabaseError {
        let names = mask.indices.map { properties[$0].name }
        return DatabaseError(
            .notLoaded,
            "\(names.map { "\"\($0)\"" }.joined(separator: ", ")) of \(type) was not loaded, so what was set there can't be saved. Load it first, with `loadRelation` or `reload`.",
            table: table, properties: names)
    }

    /// The error about an object whose key nobody makes.
    var lacksKey: DatabaseError {
        DatabaseError(
            .invalidValue, "The \(type) has no value for its primary key. Give it one.",
            table: table, properties: keyIndices.map { properties[$0].name })
    }

    private func unsaved() -> DatabaseError {
        DatabaseError(
            .notFound, "The \(type) has no key yet, so there is no row to update. Save or insert it.", table: table)
    }

    /// Returns the properties that every save sets: modification times; and the version, unless nothing is written but
    /// what other rows hold.
    private func automaticMask(with mask: PropertyMask) -> PropertyMask {
        guard versionIndex != nil, !mask.subtracting(columns.inverseMask).isEmpty else { return modifiedMask }
        return modifiedMask.union(versionMask)
    }

    // MARK: Timestamps

    /// The time of a save, encoded as each timestamp's column holds it.
    func timestamps() throws -> [Int: ParameterBuffer] {
        guard !masks.timestamps.isEmpty else { return [:] }
        let now = Date(microseconds: try Date().roundedToMicroseconds())
        var result: [Int: ParameterBuffer] = [:]
        for index in timestampIndices {
            var encoder = CellEncoder(width: 1)
            try now._encode(into: &encoder, properties[index].storage)
            result[index] = encoder.buffer
        }
        return result
    }

    /// Puts the time of the save where the row that begins at `firstCell` has timestamps to be set.
    func stamp(
        _ buffer: inout ParameterBuffer, from firstCell: Int, group: SaveBatch.Group, _ now: [Int: ParameterBuffer],
        keepsTimes: Bool, writtenBack: inout PropertyMask
    ) {
        let slots = slots(group.mask)
        for (index, stamp) in now {
            guard slots[index] >= 0, let cell = stamp.cells.first else { continue }
            let position = firstCell + Int(slots[index])
            if keepsTimes, !buffer.cells[position].isNull { continue }
            if createdMask.contains(index) {
                let isOptional = properties[index].isNullable || properties[index].isRequired
                let isSet = isOptional ? !buffer.cells[position].isNull : !group.action.insertsNew
                if group.action == .update || isSet { continue }
            }
            buffer.replace(position, with: cell, of: stamp)
            writtenBack.insert(index)
        }
    }
}
