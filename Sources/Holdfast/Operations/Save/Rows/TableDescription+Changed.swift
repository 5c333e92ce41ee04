/// How an object is written that has a row, or may have one; and what there is to refuse.
extension TableDescription {
    func changed(_ tracker: ChangeTracker) throws -> SaveBatch.Group? {
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

    /// A new row, or all of the one with the primary key but a creation time that the object lacks.
    func replacement(_ lacksCreated: () throws -> Bool) throws -> SaveBatch.Group {
        let kept = try lacksCreated() ? createdMask : PropertyMask()
        let upsert = Upsert(
            key: keyMask, updated: nonKeyMask.subtracting(kept), returned: kept.union(versionMask), isExplicit: false)
        return .init(action: .upsert(upsert), mask: writtenMask, generatesKeys: false)
    }

    /// Throws unless an object that is only read was reached, and is as it was read.
    func requireRead(isGiven: Bool, lacksKey: Bool, _ tracker: ChangeTracker?) throws {
        let isAsRead = tracker.map { $0.state == .persisted && $0.dirty.isEmpty } ?? !lacksKey
        if isGiven || !isAsRead { throw onlyRead }
    }

    /// Throws if something was left out of an object of which all is to be written.
    func requireLoaded(_ tracker: ChangeTracker?) throws {
        if let tracker, !tracker.unloaded.isEmpty { throw notLoaded(tracker.unloaded) }
    }

    func notLoaded(_ mask: PropertyMask) -> DatabaseError {
        let names = mask.indices.map { properties[$0].name }
        // An object that is new to such an array needs nothing but its own reference.
        var advice = "Load it first, with `loadRelation` or `reload`."
        if !mask.intersection(masks.onDemand).isEmpty { advice = "Load it first, with `loadColumn`." }
        if let index = mask.intersection(columns.inverseMask).indices.first, let relation = columns.relation(index),
            let reference = relation.inverseProperty
        {
            let target = relation.target.description
            advice =
                "Set \"\(target.properties[reference].name)\" of the \(target.type), and save that; or load the array first, with `loadRelation`."
        }
        return DatabaseError(
            .notLoaded,
            "\(names.map { "\"\($0)\"" }.joined(separator: ", ")) of \(type) was not loaded, so what was set there can't be saved. \(advice)",
            table: table, properties: names)
    }

    func unsaved() -> DatabaseError {
        DatabaseError(
            .notFound, "The \(type) has no key yet, so there is no row to update. Save or insert it.", table: table)
    }

    /// Returns the properties that every save sets: modification times; and the version, unless nothing is written but
    /// what other rows hold.
    func automaticMask(with mask: PropertyMask) -> PropertyMask {
        guard versionIndex != nil, !mask.subtracting(columns.inverseMask).isEmpty else { return modifiedMask }
        return modifiedMask.union(versionMask)
    }

    /// The error about an object whose key nobody makes.
    var lacksKey: DatabaseError {
        DatabaseError(
            .invalidValue, "The \(type) has no value for its primary key. Give it one.",
            table: table, properties: keyIndices.map { properties[$0].name })
    }
}
