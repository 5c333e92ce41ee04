/// Showing what was saved in arrays that hold objects outside of the save as well.
extension SaveGraph {
    /// Shows what came and what went in an array that also holds objects outside of the save, which stay in it.
    ///
    /// - Parameter leading: For each row on the far side the object that it leads to now.
    func showAmongOthers(
        _ relation: Relation, of index: Int, _ near: any AnySavedObjects, _ far: any AnySavedObjects,
        _ arrivals: Arrivals, _ leading: [Int32], _ isUndoable: Bool
    ) throws -> [() -> Void] {
        let remembered = near.tracker(of: index)?.inverses?[relation.property]
        let node = NodeID(table: near.table.tableIndex, index: index)
        let held = try collector.collectHoldings(relation.property, of: node)
        var (kept, added): ([Int], [Int32]) = ([], [])
        var rows: Set<Int> = []
        var keys = remembered ?? []
        for (position, node) in held.enumerated() {
            if let node, arrivals.isWritten[arrivals.farRow(node.index)],
                leading[arrivals.farRow(node.index)] != Int32(index)
            {
                keys.remove(far.table.elementKey(of: Int(node.index)))
                continue
            }
            kept.append(position)
            if let node { rows.insert(arrivals.farRow(node.index)) }
        }
        for number in arrivals.positions.range(ofRow: index) {
            let target = arrivals.positions.targets[number]
            // Another instance of its row may be in the array, which is outside of the save.
            guard rows.insert(arrivals.farRow(target)).inserted,
                keys.insert(far.table.elementKey(of: Int(target))).inserted
            else { continue }
            added.append(target)
        }
        guard kept.count < held.count || !added.isEmpty else { return [] }
        let column = far.column(keeping: kept, adding: added)
        let undo = try near.relink(index, [relation.property: column], isUndoable: isUndoable)
        let undos = undo.map { [$0] } ?? []
        return remembered == nil ? undos : undos + [near.rememberInverse(relation.property, of: index, held: keys)]
    }
}

/// Setting relations of objects to what was saved.
extension AnySavedObjects {
    /// Sets relations of an object to what was saved; a property that was set meanwhile is newer, and stays.
    ///
    /// - Returns: A function that undoes it; nil if there is nothing to undo.
    func relink(_ index: Int, _ relatedColumns: [Int: RelatedColumn], isUndoable: Bool) throws -> (() -> Void)? {
        var before = PropertyMask()
        withTracker(of: index) { before = $0.dirty }
        let newColumns = relatedColumns.filter { !before.contains($0.key) }
        guard !newColumns.isEmpty else { return nil }
        return try relink(index, RelationValues(newColumns, description), before, isUndoable: isUndoable)
    }

    /// Sets one relation of objects to what was saved; a property that was set meanwhile is newer, and stays.
    ///
    /// - Parameter column: What the objects of the table lead to, each by its number.
    /// - Returns: Functions that undo it.
    func relink(
        _ indices: [Int], _ property: Int, _ column: RelatedColumn, isUndoable: Bool
    ) throws -> [() -> Void] {
        let values = RelationValues([property: column], description, isByIndex: true)
        var undos: [() -> Void] = []
        for index in indices {
            var before = PropertyMask()
            withTracker(of: index) { before = $0.dirty }
            if before.contains(property) { continue }
            if let undo = try relink(index, values, before, isUndoable: isUndoable) { undos.append(undo) }
        }
        return undos
    }

    /// Sets relations of an object, and leaves its marks as they were.
    private func relink(
        _ index: Int, _ values: RelationValues, _ before: PropertyMask, isUndoable: Bool
    ) throws -> (() -> Void)? {
        let mask = values.properties
        let restores = isUndoable && description.isClass ? mask.indices.map { ($0, capture($0, of: index)) } : []
        try assign(values, to: index)
        withTracker(of: index) { $0.dirty = $0.dirty.subtracting(mask).union(before) }
        keepOriginals(of: mask, index)
        guard !restores.isEmpty else { return nil }
        return { [self] in
            var marks = PropertyMask()
            withTracker(of: index) { marks = $0.dirty }
            // What was set since stays.
            for (property, restore) in restores where !marks.contains(property) { restore() }
            withTracker(of: index) { $0.dirty = marks }
            keepOriginals(of: mask, index)
        }
    }
}
