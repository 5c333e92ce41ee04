extension SaveGraph {
    /// Shows what was saved from the other side as well: an object whose reference was set appears in the array on the other
    /// side, and one whose reference was set to another disappears there.
    ///
    /// Else a save by one side would leave the other side out of date, and the next save of that would undo the first.
    func showInverses(undoingIn scope: TransactionScope?) throws {
        var undos: [() -> Void] = []
        for table in tables where table.description.isClass {
            for relation in table.description.columns.relations where relation.isInverse {
                if !tables.contains(where: { $0.description === relation.target.description }) {
                    undos += rememberEmpty(relation, of: table)
                }
                guard let property = relation.inverseProperty,
                    let far = tables.first(where: { $0.description === relation.target.description }),
                    far.description.isClass, far.description.properties[property].shape.target?.isLazy == false
                else { continue }
                let leads = try written(property, of: far, to: table)
                var rows: Set<Int> = []
                if !leads.isEmpty {
                    undos += try show(relation, of: table, far: far, leads, &rows, isUndoable: scope != nil)
                }
                for batch in table.batches
                where batch.group.action != .update || batch.group.mask.contains(relation.property) {
                    rows.formUnion(batch.passengers.lazy.map(\.row))
                }
                for row in rows where table.isLoaded(relation.property, of: row) {
                    let held = try objects(of: NodeID(table: table.number, row: row), relation: relation.property)
                    if hasMissed { continue }
                    let keys = held.map { node in far.keys.withRow(Int(node.row)) { ElementKey($0) } }
                    undos.append(table.rememberInverse(relation.property, of: row, held: Set(keys)))
                }
            }
        }
        scope?.register(undo: { for undo in undos.reversed() { undo() } }, complete: { _ in })
    }

    /// Remembers that relations to objects of which there are none in the graph hold nothing.
    private func rememberEmpty(_ relation: Relation, of table: any AnySaveTable) -> [() -> Void] {
        table.batches.filter { $0.group.action != .update || $0.group.mask.contains(relation.property) }
            .flatMap(\.passengers).filter { table.isLoaded(relation.property, of: $0.row) }
            .map { table.rememberInverse(relation.property, of: $0.row, held: []) }
    }

    /// The objects whose relation was written, and where each of them leads.
    private func written(
        _ property: Int, of far: any AnySaveTable, to near: any AnySaveTable
    ) throws -> [Int32: Set<Int32>] {
        var leads: [Int32: Set<Int32>] = [:]
        for batch in far.batches where batch.group.action != .update || batch.group.mask.contains(property) {
            for (place, passenger) in batch.passengers.enumerated() {
                // An upsert may have found that the row leads elsewhere.
                guard !batch.ignored.contains(place), far.isLoaded(property, of: passenger.row) else { continue }
                let node = NodeID(table: far.number, row: passenger.row)
                let targets = try objects(of: node, relation: property)
                leads[node.row] = Set(targets.lazy.filter { Int($0.table) == near.number }.map(\.row))
            }
        }
        return leads
    }

    private func show(
        _ relation: Relation, of table: any AnySaveTable, far: any AnySaveTable, _ leads: [Int32: Set<Int32>],
        _ shown: inout Set<Int>, isUndoable: Bool
    ) throws -> [() -> Void] {
        var arrivals: [Int32: [Int32]] = [:]
        for (row, owners) in leads.sorted(by: { $0.key < $1.key }) {
            for owner in owners { arrivals[owner, default: []].append(row) }
        }
        var undos: [() -> Void] = []
        for row in 0..<table.count where table.isLoaded(relation.property, of: row) {
            let owner = Int32(row)
            let held = try objects(of: NodeID(table: table.number, row: row), relation: relation.property).map(\.row)
            // What is not part of the save must not disappear from there: as it is, it can be reloaded.
            if hasMissed { continue }
            var now = held.filter { leads[$0]?.contains(owner) ?? true }
            let known = Set(held)
            now += (arrivals[owner] ?? []).filter { !known.contains($0) }
            guard now != held else { continue }
            shown.insert(row)
            var related: [RelatedColumn?] = table.description.properties.map { _ in nil }
            related[relation.property] = far.column(
                relation.isArray
                    ? RelatedPositions(starts: [0, Int32(now.count)], targets: now)
                    : RelatedPositions(targets: [now.last ?? -1]))
            undos.append(
                try table.relink(
                    row, PropertyMask([relation.property]), RelatedObjects(columns: related), isUndoable: isUndoable))
        }
        return undos
    }
}
