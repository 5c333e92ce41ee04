/// References that a save takes away, because of what was deleted or of what the other side of a relation let go.
extension SaveGraph {
    /// Takes objects that were deleted out of whatever holds them, as the database has done.
    func releaseDeleted() throws {
        for holding in walker.deletions {
            let owner = savedObjects[Int(holding.owner.table)]
            let description = owner.description
            let relation = description.columns.relation(holding.property)
            guard relation?.isNeeded != true else {
                let name = description.properties[holding.property].name
                throw DatabaseError(
                    .conflict,
                    "\"\(name)\" of \(description.type) holds an object that was deleted, and can't be nil. Give it another.",
                    table: description.table, properties: [name])
            }
            let left = try collector.collect(holding.property, of: holding.owner).map(\.index)
            let column = savedObjects[holding.target].column(
                relation?.isArray ?? false
                    ? RelatedRowIndices(starts: [0, Int32(left.count)], targets: left)
                    : RelatedRowIndices(targets: [left.first ?? -1]))
            try setWithoutMark(holding.property, of: Int(holding.owner.index), in: owner, to: column)
        }
    }

    /// Sets a relation, and leaves the marks of its object as they are; undone if the save fails or is rolled back.
    private func setWithoutMark(
        _ property: Int, of index: Int, in objects: any AnySavedObjects, to column: RelatedColumn
    ) throws {
        guard let before = objects.tracker(of: index)?.dirty else { return }
        let mask = PropertyMask([property])
        let restore = objects.capture(property, of: index)
        try objects.assign(RelationValues([property: column], objects.description), to: index)
        objects.withTracker(of: index) { $0.dirty = before }
        objects.keepOriginals(of: mask, index)
        addReferenceUndo {
            var marks = PropertyMask()
            objects.withTracker(of: index) { marks = $0.dirty }
            // A relation that was set again in the meantime stays as it is.
            guard marks.intersection(mask) == before.intersection(mask) else { return }
            restore()
            objects.withTracker(of: index) { $0.dirty = marks }
            objects.keepOriginals(of: mask, index)
        }
    }

    /// Sets to nil, in the objects that have joined the save, the references that another side let go.
    func forget(_ release: SaveTable.Release) throws {
        for objects in savedObjects where objects.description === release.description {
            try forget(release.property, of: release.cleared, in: objects, isKnown: true)
            try forget(release.property, of: release.moved, in: objects, isKnown: false)
        }
    }

    /// - Parameter isKnown: Whether the reference is NULL in the rows; if not, what it leads to is not loaded.
    private func forget(
        _ property: Int, of released: Set<ElementKey>, in objects: any AnySavedObjects, isKnown: Bool
    ) throws {
        guard !released.isEmpty else { return }
        let mask = PropertyMask([property])
        for index in 0..<objects.table.count where released.contains(objects.table.elementKey(of: index)) {
            guard !objects.isChanged(property, of: index) else { continue }
            try setReference(property, of: index, in: objects, to: nil, nil)
            objects.withTracker(of: index) { tracker in
                tracker.dirty.subtract(mask)
                guard !isKnown else { return }
                tracker.unloaded.formUnion(mask)
                // It leads elsewhere now.
                tracker.dropOriginal(of: property)
            }
        }
    }

}
