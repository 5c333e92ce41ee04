/// What objects have in common of which the same is to be decided.
struct AlikeObjects {
    /// The keys of all.
    let keys: ParameterBuffer
    let lacksKey: Bool
    /// That of the first one.
    let tracker: ChangeTracker
}

/// The objects that are given to the operation.
extension SaveTable {
    /// Takes the objects that are given, of a class that tracks changes, each once.
    ///
    /// - Returns: For each of them where it is; nil if they have to be taken one by one.
    func append(given models: [Model]) -> [NodeID]? {
        guard isClass, changes != nil, objects.isEmpty, plan.mapping.loops.areExact(models) else { return nil }
        if !isVisited, models.count > 1, let alike = appendAlike(models) {
            self.alike = alike
            return models.indices.map { NodeID(table: number, row: $0) }
        }
        var nodes: [NodeID] = []
        nodes.reserveCapacity(models.count)
        // Kept here while all objects are taken: each look at a property of an object is checked for others that change it.
        var (identities, positions): ([ObjectIdentifier], [Int32]) = ([], [])
        positions.reserveCapacity(models.count)
        identities.reserveCapacity(models.count)
        let (table, save, waitsForUpdates) = (number, saveNumber, waitsForUpdates)
        var awaited: AwaitedObject?
        plan.mapping.loops.track(models) { index, identity, tracker in
            let place = tracker.place
            if place.save == save, Int(place.row) < identities.count, identities[Int(place.row)] == identity {
                nodes.append(NodeID(table: table, row: Int(place.row)))
                return
            }
            let row = identities.count
            tracker.place = SavePlace(save: save, row: Int32(truncatingIfNeeded: row))
            if tracker.isAwaited(evenUpdated: waitsForUpdates) {
                awaited = AwaitedObject(identity: identity, inserter: tracker.inserter)
            }
            identities.append(identity)
            positions.append(Int32(truncatingIfNeeded: index))
            nodes.append(NodeID(table: table, row: row))
        }
        (self.identities, self.positions, self.awaited) = (identities, positions, awaited)
        objects = positions.count == models.count ? models : positions.map { models[Int($0)] }
        return nodes
    }

    /// Takes objects that lead nowhere, if the same is to be decided of each: looking at a million objects takes long, so they are
    /// looked at once.
    ///
    /// - Returns: What they have in common; nil if one is not like the first, or was given twice. Then none was taken, though some
    ///   know a place: a place is one only where the table has that object.
    private func appendAlike(_ models: [Model]) -> AlikeObjects? {
        let (save, waitsForUpdates, description) = (saveNumber, waitsForUpdates, description)
        var encoder = RowEncoder(description, mask: description.keyMask)
        encoder.columns.buffer.cells.reserveCapacity(models.count * keys.width)
        var common: (decision: Decision, lacksKey: Bool, tracker: ChangeTracker)?
        var count = 0
        // Not told of here: of a key that can't be encoded, and of a mapping that encodes none, the other way tells, with the object.
        try? plan.mapping.loops.encode(models, models.indices.map { Int32(truncatingIfNeeded: $0) }, &encoder, { _ in })
        {
            row, encoder, tracker in
            guard tracker.place.save != save, !tracker.isAwaited(evenUpdated: waitsForUpdates),
                let lacksKey = try? encoder.columns.buffer.lacksKey(row, of: description)
            else { return false }
            if let common {
                guard common.decision.applies(isGiven: true, lacksKey: lacksKey, tracker) else { return false }
            } else {
                // Of no batch yet: what counts is to whom else it applies.
                guard let decision = Decision(nil, isGiven: true, lacksKey: lacksKey, tracker) else { return false }
                common = (decision, lacksKey, tracker)
            }
            tracker.place = SavePlace(save: save, row: Int32(truncatingIfNeeded: row))
            count += 1
            return true
        }
        guard count == models.count, let common else { return nil }
        // An object of a class is a reference to it.
        identities = models.withUnsafeBufferPointer { $0.withMemoryRebound(to: ObjectIdentifier.self) { Array($0) } }
        positions = models.indices.map { Int32(truncatingIfNeeded: $0) }
        objects = models
        return AlikeObjects(keys: encoder.columns.buffer, lacksKey: common.lacksKey, tracker: common.tracker)
    }
}
