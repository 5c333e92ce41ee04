extension SaveGraph {
    /// Shows what was saved from the other side as well: an object whose reference was set appears in the array on the
    /// other side, and one whose reference was set to another disappears there.
    ///
    /// Else a save by one side would leave the other side out of date, and the next save of that would undo the first.
    func showInverses(undoingIn scope: TransactionScope?) throws {
        var undos: [() -> Void] = []
        for near in savedObjects where near.description.isClass {
            for relation in near.description.columns.relations where relation.isInverse {
                let far = savedObjects.first { $0.description === relation.target.description }
                // A relation through a join table is not remembered: a save of this side takes nothing out of the
                // table.
                let isRemembered = if case .inverseReference = relation.storage { true } else { false }
                if isRemembered, far == nil { undos += rememberEmpty(relation, of: near) }
                guard let far, let property = relation.inverseProperty, far.description.isClass,
                    far.description.properties[property].shape.target?.isLazy == false
                else { continue }
                var shown: [Int] = []
                if let arrivals = try arrivals(by: property, of: far, at: near.table) {
                    undos += try show(relation, of: near, far: far, arrivals, &shown, isUndoable: scope != nil)
                }
                guard isRemembered else { continue }
                var changed = Set(shown)
                for batch in near.table.batches
                where batch.group.action != .update || batch.group.mask.contains(relation.property) {
                    changed.formUnion(batch.entries.lazy.map(\.index))
                }
                for index in changed where near.isLoaded(relation.property, of: index) {
                    let node = NodeID(table: near.table.tableIndex, index: index)
                    let held = try collector.collect(relation.property, of: node)
                    if collector.hasMissed { continue }
                    let keys = held.map { far.table.elementKey(of: Int($0.index)) }
                    undos.append(near.rememberInverse(relation.property, of: index, held: Set(keys)))
                }
            }
        }
        scope?.register(undoing: undos)
    }

    /// Remembers that an inverse relation of the saved objects holds nothing, as the graph has no objects of its type.
    private func rememberEmpty(_ relation: Relation, of near: any AnySavedObjects) -> [() -> Void] {
        near.table.batches.filter { $0.group.action != .update || $0.group.mask.contains(relation.property) }
            .flatMap(\.entries).filter { near.isLoaded(relation.property, of: $0.index) }
            .map { near.rememberInverse(relation.property, of: $0.index, held: []) }
    }

    /// The links of a relation that was written, seen from their targets: for each object on the near side, the objects
    /// on the far side that lead to it.
    ///
    /// Everything is looked up by the indices of objects: there are as many entries as links in the graph.
    ///
    /// Several instances may stand for one row. A link to any of them is a link to the row, which is identified by the
    /// first of them.
    struct Arrivals {
        /// Whether the relation of each row was written.
        var isWritten: [Bool]
        /// For each object on the near side the objects that lead to it, each once, in their order.
        var positions: RelatedRowIndices
        /// For each row on the near side the objects that lead to any of its instances.
        var positionsOfRows: RelatedRowIndices
        /// For each object the first instance of its row, on the near side and on the far side; nil if no two objects
        /// of a side are one row.
        let firsts: (near: [Int32]?, far: [Int32]?)

        func nearRow(_ index: Int) -> Int { firsts.near.map { Int($0[index]) } ?? index }
        func farRow(_ index: Int32) -> Int { firsts.far.map { Int($0[Int(index)]) } ?? Int(index) }
    }

    /// - Returns: nil if the relation of no object was written.
    private func arrivals(
        by property: Int, of far: any AnySavedObjects, at near: SaveTable
    ) throws -> Arrivals? {
        var isWritten = [Bool](repeating: false, count: far.table.count)
        var isAnyWritten = false
        for batch in far.table.batches where batch.group.action != .update || batch.group.mask.contains(property) {
            for (row, entry) in batch.entries.enumerated() {
                // An upsert may have found that the row leads elsewhere.
                guard !batch.ignored.contains(row), far.isLoaded(property, of: entry.index) else { continue }
                isWritten[entry.index] = true
                isAnyWritten = true
            }
        }
        guard isAnyWritten else { return nil }
        let firsts = (near: near.firstsOfRows(), far: far.table.firstsOfRows())
        var links: [RelationLinks.Link] = []
        // The latest object that was found to lead to each.
        var latest = [Int32](repeating: -1, count: near.count)
        for index in 0..<far.table.count where isWritten[index] {
            let source = Int32(index)
            for target in try collector.collect(property, of: NodeID(table: far.table.tableIndex, index: index))
            where Int(target.table) == near.tableIndex && latest[Int(target.index)] != source {
                latest[Int(target.index)] = source
                links.append((target.index, source))
            }
        }
        let positions = RelatedRowIndices(links, rowCount: near.count)
        let ofRows = firsts.near.map { firsts in
            RelatedRowIndices(links.map { (firsts[Int($0.row)], $0.target) }, rowCount: near.count)
        }
        if let firsts = firsts.far {
            for index in isWritten.indices where isWritten[index] { isWritten[Int(firsts[index])] = true }
        }
        return Arrivals(
            isWritten: isWritten, positions: positions, positionsOfRows: ofRows ?? positions, firsts: firsts)
    }

    private func show(
        _ relation: Relation, of near: any AnySavedObjects, far: any AnySavedObjects, _ arrivals: Arrivals,
        _ shown: inout [Int], isUndoable: Bool
    ) throws -> [() -> Void] {
        var undos: [() -> Void] = []
        // The new targets of the objects whose relation has changed: a run for each object, empty for all others.
        var (starts, targets): ([Int32], [Int32]) = ([], [])
        let count = near.table.count
        starts.reserveCapacity(count + 1)
        // The latest owner that each object on the far side leads to, and the latest that holds it.
        var leading = [Int32](repeating: -1, count: far.table.count)
        var holding = leading
        for index in 0..<count {
            let owner = Int32(index)
            starts.append(Int32(targets.count))
            guard near.isLoaded(relation.property, of: index) else { continue }
            let held = try collector.collect(
                relation.property, of: NodeID(table: near.table.tableIndex, index: index))
            let hasMissed = collector.hasMissed
            for number in arrivals.positionsOfRows.range(ofRow: arrivals.nearRow(index)) {
                leading[arrivals.farRow(arrivals.positionsOfRows.targets[number])] = owner
            }
            if hasMissed {
                // A relation to one object that is outside of the save stays as it is.
                guard relation.isArray else { continue }
                undos += try showAmongOthers(relation, of: index, near, far, arrivals, leading, isUndoable)
                continue
            }
            let countBefore = targets.count
            var isChanged = false
            for node in held {
                let row = arrivals.farRow(node.index)
                holding[row] = owner
                if arrivals.isWritten[row], leading[row] != owner {
                    isChanged = true
                } else {
                    targets.append(node.index)
                }
            }
            for number in arrivals.positions.range(ofRow: index) {
                let target = arrivals.positions.targets[number]
                guard holding[arrivals.farRow(target)] != owner else { continue }
                targets.append(target)
                isChanged = true
            }
            if isChanged { shown.append(index) } else { targets.removeLast(targets.count - countBefore) }
        }
        starts.append(Int32(targets.count))
        guard !shown.isEmpty else { return undos }
        let runs = RelatedRowIndices(starts: starts, targets: targets)
        let positions =
            relation.isArray
            ? runs : RelatedRowIndices(targets: (0..<count).map { targets[runs.range(ofRow: $0)].last ?? -1 })
        return try undos + near.relink(shown, relation.property, far.column(positions), isUndoable: isUndoable)
    }
}

extension SaveTable {
    /// For each object the first that is the same row; nil if each is a row of its own.
    func firstsOfRows() -> [Int32]? {
        guard count > 1, !batches.contains(where: { $0.group.action == .insert && $0.entries.count == count }) else {
            return nil
        }
        var (seen, firsts, hasSame) = (KeyIndex(), [Int32](), false)
        firsts.reserveCapacity(count)
        for index in 0..<count {
            let own = Int32(truncatingIfNeeded: index)
            guard let key = keys.key(ofRow: index) else {
                firsts.append(own)
                continue
            }
            if let first = seen[key] {
                firsts.append(first)
                hasSame = true
            } else {
                seen[key] = own
                firsts.append(own)
            }
        }
        return hasSame ? firsts : nil
    }
}
