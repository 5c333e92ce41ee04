/// Objects that are met one by one: those that others lead to, and those of a class that has no tracker for each.
extension SavedObjects {
    /// Adds an object that was not met before.
    ///
    /// - Parameter position: Its position among those that were given; nil if a relation led to it.
    func append(_ object: Model, position: Int?) -> NodeID {
        let index = objects.count
        if let changes {
            changes(object) { tracker in
                if tracker.isUncertain { hasUncertain = true }
                tracker.membership = SaveMembership(save: graph.saveID, index: Int32(truncatingIfNeeded: index))
                if tracker.isAwaited(evenUpdated: graph.waitsForUpdates) {
                    table.awaited = AwaitedObject(
                        identity: identity(of: object), insertingSaveID: tracker.insertingSaveID)
                }
            }
        } else if isClass {
            indices[identity(of: object)] = index
        }
        if isClass { table.identities.append(identity(of: object)) }
        objects.append(object)
        table.positions.append(position.map { Int32(truncatingIfNeeded: $0) } ?? -1)
        return NodeID(table: table.tableIndex, index: index)
    }

    /// Where an object of a class is, if it was met before.
    func node(of object: Model) -> NodeID? {
        guard isClass else { return nil }
        if let changes {
            var known = SaveMembership()
            changes(object) { known = $0.membership }
            if known.save == graph.saveID, Int(known.index) < table.identities.count,
                table.identities[Int(known.index)] == identity(of: object)
            {
                return NodeID(table: table.tableIndex, index: Int(known.index))
            }
            // Until the save is prepared, no other one can meet its objects.
            if graph.isPreparing { return nil }
            if indices.count < table.identities.count {
                for (index, identity) in table.identities.enumerated() { indices[identity] = index }
            }
        }
        return indices[identity(of: object)].map { NodeID(table: table.tableIndex, index: $0) }
    }

    /// Throws ``DatabaseError/Code/conflict`` for an object of a subclass, which is kept in another table.
    func requireOwnClass(_ object: Model) throws {
        guard isClass, type(of: unsafeBitCast(object, to: AnyObject.self)) != Model.self else { return }
        throw DatabaseError(
            .conflict,
            "A relation to \(description.type) holds a \(type(of: object as Any)), which is kept in another table. Declare the property of that class.",
            table: description.table)
    }

    /// Returns the state of an object's row, as far as the object knows; nil if it is not tracked.
    func state(of object: Model) -> ChangeTracker.State? {
        var state: ChangeTracker.State?
        changes?(object) { state = $0.state }
        return state
    }

    func visit(_ relations: PropertyMask?, of index: Int, _ sink: SaveSink) throws {
        guard !relationMask.isEmpty else { return }
        var mask = relations ?? relationMask
        if relations == nil {
            changes?(objects[index]) { tracker in
                tracker.takeReplaced(description)
                mask.subtract(tracker.unloaded)
            }
        }
        guard !mask.isEmpty else { return }
        sink.begin(NodeID(table: table.tableIndex, index: index))
        try table.locating(index) {
            var encoder: RowEncoder
            if let visitor, visitor.mask == mask, visitor.sink === sink {
                encoder = visitor
            } else {
                encoder = RowEncoder(description, mask: mask, sink: sink, isWalking: true)
                visitor = encoder
            }
            try plan.mapping.encode(objects[index], &encoder)
        }
    }
}
