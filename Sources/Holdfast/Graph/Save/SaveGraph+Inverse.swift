extension SaveGraph {
    /// Shows what was saved from the other side as well: an object whose reference was set appears in the array on the other
    /// side, and one whose reference was set to another disappears there.
    ///
    /// Else a save by one side would leave the other side out of date, and the next save of that would undo the first.
    func showInverses(undoingIn scope: TransactionScope?) throws {
        var undos: [() -> Void] = []
        for near in objects where near.description.isClass {
            for relation in near.description.columns.relations where relation.isInverse {
                let far = objects.first { $0.description === relation.target.description }
                if far == nil { undos += rememberEmpty(relation, of: near) }
                guard let far, let property = relation.inverseProperty, far.description.isClass,
                    far.description.properties[property].shape.target?.isLazy == false
                else { continue }
                let leads = try written(property, of: far, to: near.table)
                var changed: Set<Int> = []
                if !leads.isEmpty {
                    undos += try show(relation, of: near, far: far, leads, &changed, isUndoable: scope != nil)
                }
                for batch in near.table.batches
                where batch.group.action != .update || batch.group.mask.contains(relation.property) {
                    changed.formUnion(batch.entries.lazy.map(\.index))
                }
                for index in changed where near.isLoaded(relation.property, of: index) {
                    let node = NodeID(table: near.table.number, index: index)
                    let held = try collector.collect(relation.property, of: node)
                    if collector.hasMissed { continue }
                    let keys = held.map { far.table.elementKey(of: Int($0.index)) }
                    undos.append(near.rememberInverse(relation.property, of: index, held: Set(keys)))
                }
            }
        }
        scope?.register(undo: { for undo in undos.reversed() { undo() } }, complete: { _ in })
    }

    /// Remembers that relations to objects of which there are none in the graph hold nothing.
    private func rememberEmpty(_ relation: Relation, of near: any AnySavedObjects) -> [() -> Void] {
        near.table.batches.filter { $0.group.action != .update || $0.group.mask.contains(relation.property) }
            .flatMap(\.entries).filter { near.isLoaded(relation.property, of: $0.index) }
            .map { near.rememberInverse(relation.property, of: $0.index, held: []) }
    }

    /// The objects whose relation was written, and where each of them leads.
    private func written(
        _ property: Int, of far: any AnySavedObjects, to near: SaveTable
    ) throws -> [Int32: Set<Int32>] {
        var leads: [Int32: Set<Int32>] = [:]
        for batch in far.table.batches where batch.group.action != .update || batch.group.mask.contains(property) {
            for (row, entry) in batch.entries.enumerated() {
                // An upsert may have found that the row leads elsewhere.
                guard !batch.ignored.contains(row), far.isLoaded(property, of: entry.index) else { continue }
                let node = NodeID(table: far.table.number, index: entry.index)
                let targets = try collector.collect(property, of: node)
                leads[node.index] = Set(targets.lazy.filter { Int($0.table) == near.number }.map(\.index))
            }
        }
        return leads
    }

    private func show(
        _ relation: Relation, of near: any AnySavedObjects, far: any AnySavedObjects, _ leads: [Int32: Set<Int32>],
        _ changed: inout Set<Int>, isUndoable: Bool
    ) throws -> [() -> Void] {
        var arrivals: [Int32: [Int32]] = [:]
        for (index, owners) in leads.sorted(by: { $0.key < $1.key }) {
            for owner in owners { arrivals[owner, default: []].append(index) }
        }
        var undos: [() -> Void] = []
        for index in 0..<near.table.count where near.isLoaded(relation.property, of: index) {
            let owner = Int32(index)
            let node = NodeID(table: near.table.number, index: index)
            let held = try collector.collect(relation.property, of: node).map(\.index)
            // What is not part of the save must not disappear from there: as it is, it can be reloaded.
            if collector.hasMissed { continue }
            var now = held.filter { leads[$0]?.contains(owner) ?? true }
            let known = Set(held)
            now += (arrivals[owner] ?? []).filter { !known.contains($0) }
            guard now != held else { continue }
            changed.insert(index)
            let column = far.column(
                relation.isArray
                    ? RelatedPositions(starts: [0, Int32(now.count)], targets: now)
                    : RelatedPositions(targets: [now.last ?? -1]))
            undos.append(try near.relink(index, [relation.property: column], isUndoable: isUndoable))
        }
        return undos
    }
}
