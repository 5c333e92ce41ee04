/// References that a save sets because of what the other side of a relation holds.
extension SaveGraph {
    /// Makes the objects that a relation leads to lead back, where the other side holds the key.
    func reconcileInverses() throws {
        for objects in savedObjects {
            for relation in objects.description.columns.relations where relation.isInverse && !relation.target.isLazy {
                let property = relation.property
                for index in 0..<objects.table.count {
                    var isSet = false
                    objects.withTracker(of: index) { tracker in
                        isSet =
                            (tracker.state != .persisted || tracker.dirty.contains(property))
                            && !tracker.unloaded.contains(property)
                    }
                    guard isSet, objects.table.chosenProperties(of: index)?.contains(property) ?? true else { continue }
                    try objects.table.locating(index) { try reconcile(relation, of: index, in: objects) }
                }
            }
        }
    }

    private func reconcile(_ relation: Relation, of index: Int, in near: any AnySavedObjects) throws {
        let node = NodeID(table: near.table.tableIndex, index: index)
        let description = near.description
        let held = try collector.collect(relation.property, of: node)
        guard case .inverseReference(let property, _) = relation.storage else {
            guard let property = relation.inverseProperty else { return }
            // What an array holds that was not loaded is known to the database alone, which is asked later.
            for other in held where savedObjects[Int(other.table)].isLoaded(property, of: Int(other.index)) {
                let leadsBack = try collector.collect(property, of: other).contains { try areOneRow($0, node) }
                guard leadsBack else { throw description.otherSideKeeps(relation) }
            }
            return
        }
        guard !held.isEmpty else { return }
        if Set(held).count != held.count {
            throw DatabaseError(
                .conflict,
                "\"\(relation.name)\" of \(description.type) holds an object twice, but the object holds the key, once. Remove one.",
                table: description.table, properties: [relation.name])
        }
        let before = near.tracker(of: index)?.inverses?[relation.property] ?? []
        for other in held {
            let far = savedObjects[Int(other.table)]
            let (position, name) = (Int(other.index), far.description.properties[property].name)
            if far.description.properties[property].shape.target?.isLazy == true {
                guard try far.referenceKey(property, of: position) == near.currentKey(of: index) else {
                    throw DatabaseError(
                        .unsupported,
                        "\"\(relation.name)\" of \(description.type) was changed, but the objects in it refer back lazily. Set their \"\(name)\".",
                        table: description.table, properties: [relation.name])
                }
                continue
            }
            let now = try collector.collect(property, of: other).first
            if let now, try areOneRow(now, node) { continue }
            let isChanged = far.isChanged(property, of: position)
            // The object was in the array when that was loaded, and its reference was changed since, or changed and
            // saved without this one: the array is only out of date.
            if isChanged || now != nil, try before.contains(elementKey(of: position, in: far)) { continue }
            if now != nil, isChanged {
                throw DatabaseError(
                    .conflict,
                    "\"\(relation.name)\" of \(description.type) holds a \(far.description.type) whose \"\(name)\" was set to another one. Make both sides agree.",
                    table: description.table, properties: [relation.name])
            }
            try setReference(property, of: position, in: far, to: node, near.column(leadingTo: index))
        }
    }

    /// Sets a reference of an object, as if its property had been set; undone if the save fails or is rolled back.
    func setReference(
        _ property: Int, of index: Int, in objects: any AnySavedObjects, to target: NodeID?, _ column: RelatedColumn?
    ) throws {
        let mask = PropertyMask([property])
        let before = objects.tracker(of: index)
        let stored = before?.unloaded.contains(property) == true ? before?.originals[property] as? StoredKey : nil
        let restore = objects.capture(property, of: index)
        try objects.assign(RelationValues([property: column], objects.description), to: index)
        objects.withTracker(of: index) { $0.unloaded.subtract(mask) }
        guard let before else { return }
        let node = NodeID(table: objects.table.tableIndex, index: index)
        // Unowned: it is kept in the graph.
        addReferenceUndo { [unowned self] in
            // A reference that was set again in the meantime keeps its new target, and one that can't be read stays as
            // it is.
            guard let now = try? collector.collect(property, of: node), now.first == target else { return }
            restore()
            objects.withTracker(of: index) { tracker in
                tracker.dirty = tracker.dirty.subtracting(mask).union(before.dirty.intersection(mask))
                tracker.unloaded = tracker.unloaded.subtracting(mask).union(before.unloaded.intersection(mask))
                if let stored { tracker.keep(StoredKey(stored.key, at: property)) }
            }
        }
    }

    /// The key of an object before its table knows it.
    private func elementKey(of index: Int, in objects: any AnySavedObjects) throws -> ElementKey {
        let row = try objects.encoded(objects.description.keyMask, of: [index]).cells.buffer
        try row.requireEncodedKey(0, of: objects.description)
        return row.withRow(0) { ElementKey($0) }
    }

    /// Whether two objects are one row, as far as they know their keys yet.
    func areOneRow(_ left: NodeID, _ right: NodeID) throws -> Bool {
        if left == right { return true }
        guard left.table == right.table else { return false }
        let objects = savedObjects[Int(left.table)]
        guard let key = try objects.currentKey(of: Int(left.index)) else { return false }
        return try key == objects.currentKey(of: Int(right.index))
    }
}
