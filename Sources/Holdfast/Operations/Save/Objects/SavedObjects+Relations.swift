/// Setting and reading the relations of single objects.
extension SavedObjects {
    func assign(_ values: RelationValues, to index: Int) throws {
        let (mapping, position) = (plan.mapping, values.isByIndex ? index : 0)
        try withoutSpecialization(&objects[index]) { object in
            try withUnsafePointer(to: Cell.null) { empty in
                try mapping.assign(
                    &object,
                    Row(cells: empty, layout: values.layout, related: values.related, position: position))
            }
        }
        store?.objects[index] = objects[index]
    }

    func capture(_ property: Int, of index: Int) -> () -> Void {
        let object = objects[index]
        let restore = plan.mapping.accessors[property].capture(object)
        return {
            var object = object
            restore(&object)
        }
    }

    func keepOriginals(of properties: PropertyMask, _ index: Int) {
        plan.mapping.keepOriginals(of: objects[index], properties)
    }

    func column(leadingTo index: Int) -> RelatedColumn {
        let store = ObjectStore<Model>()
        store.objects = [objects[index]]
        return TypedRelatedColumn(RelatedRowIndices(targets: [0]), store: store)
    }

    func column(_ positions: RelatedRowIndices) -> RelatedColumn {
        let store = store ?? ObjectStore<Model>()
        if self.store == nil {
            store.objects = objects
            self.store = store
        }
        return TypedRelatedColumn(positions, store: store)
    }

    func column(keeping positions: [Int], adding indices: [Int32]) -> RelatedColumn {
        let store = ObjectStore<Model>()
        store.objects = positions.map { holdings[$0] } + indices.map { objects[Int($0)] }
        let count = Int32(truncatingIfNeeded: store.objects.count)
        return TypedRelatedColumn(RelatedRowIndices(starts: [0, count], targets: Array(0..<count)), store: store)
    }

    func dropHoldings() { holdings = [] }

    func encoded(_ properties: PropertyMask, of indices: [Int]) throws -> RowEncoder {
        var encoder = RowEncoder(description, mask: properties, sink: graph.linkEncoder)
        for index in indices {
            graph.linkEncoder.begin(NodeID(table: table.tableIndex, index: index), into: nil)
            try plan.mapping.encode(objects[index], &encoder)
        }
        return encoder
    }

    /// Notes what was taken out of the relations that the other side keeps.
    func noteTakenOut(_ batch: SaveBatch, _ links: [ArrayLinks], _ entries: [SaveBatch.Entry]) {
        for links in links where description.columns.inverseMask.contains(links.property) {
            batch.takenOut[links.property] = entries.enumerated().map { row, entry in
                let now = links.elements(ofRow: row).map { element in links.keys.withRow(element) { ElementKey($0) } }
                return tracker(of: entry.index)?.inverses?[links.property]?.subtracting(now)
            }
        }
    }
}

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

    func visit(
        _ relations: PropertyMask?, unlessUnchanged passedOver: PropertyMask, of index: Int, _ sink: SaveSink
    ) throws {
        guard !relationMask.isEmpty else { return }
        var mask = relations ?? relationMask
        if relations == nil {
            changes?(objects[index]) { tracker in
                tracker.takeReplaced(description)
                mask.subtract(tracker.unloaded)
                if tracker.state == .persisted { mask.subtract(passedOver.subtracting(tracker.dirty)) }
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
