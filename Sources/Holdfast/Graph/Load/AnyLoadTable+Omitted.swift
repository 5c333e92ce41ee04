/// Rows that lack something for which objects are left out.
extension AnyLoadTable {
    /// Leaves out the rows that lack it.
    ///
    /// - Returns: Those rows.
    func omitLacking() -> [NodeID] {
        guard !description.omitMask.isEmpty else { return [] }
        let arrays = arrayValues
        var lacking: Set<Int> = []
        for property in description.omitMask.indices {
            let isThere = presence(of: property, arrays)
            for row in 0..<rowCount where !isGiven(row) && !isThere(row) { lacking.insert(row) }
        }
        return lacking.filter { drop($0) }.map { NodeID(table: number, index: $0) }
    }

    /// Tells of each row whether it has something in a property.
    private func presence(of property: Int, _ arrays: ArrayValues?) -> (Int) -> Bool {
        if let starts = arrays?.columns[property]?.starts { return { starts[$0] < starts[$0 + 1] } }
        if let relation = layout.relation(property), !relation.target.isLazy {
            if relation.isArray {
                let owners = Set((pairs[property] ?? []).lazy.map { Int($0.row) })
                return { owners.contains($0) }
            }
            // What was followed is known better than by its key, which may lead nowhere.
            if let targets = references[property] {
                return { [self] row in
                    guard row < targets.count, isRequested(property, row: row) else { return hasCells(property, row) }
                    return targets[row] != Self.none
                }
            }
        }
        return { [self] row in hasCells(property, row) }
    }

    private func hasCells(_ property: Int, _ row: Int) -> Bool {
        !layout.ranges[property].contains { rows.row(row)[$0].isNull }
    }

    /// Tells who is left out with the rows that it leads to: whoever refers to one; and the owner of an array that has to have
    /// elements, or whose owner can't remember that it lacks some, as a struct.
    func collectHolders(into holders: inout [NodeID: [NodeID]]) throws {
        for relation in layout.relations where !relation.target.isLazy {
            let target = try graph.table(of: relation.target)
            func hold(_ position: Int32, _ row: Int) {
                guard position >= 0, !isGiven(row) else { return }
                holders[NodeID(table: target.number, index: Int(position)), default: []]
                    .append(NodeID(table: number, index: row))
            }
            for (row, position) in (references[relation.property] ?? []).enumerated() { hold(position, row) }
            guard description.omitMask.contains(relation.property) || !description.remembersLeftOut else { continue }
            for pair in pairs[relation.property] ?? [] { hold(pair.target, Int(pair.row)) }
        }
    }

    /// Throws if an object that is there already can't be without one that is left out: because it needs it, or because it
    /// would not remember that it lacks it.
    func requireNeeded() throws {
        for relation in layout.relations where !relation.target.isLazy {
            if case .inverseReference = relation.storage { continue }
            let target = try graph.table(of: relation.target)
            guard !target.droppedRows.isEmpty, relation.isNeeded || !description.remembersLeftOut else { continue }
            let references = (references[relation.property] ?? []).enumerated().map { (row: $0, target: Int($1)) }
            let links = (pairs[relation.property] ?? []).map { (row: Int($0.row), target: Int($0.target)) }
            for (row, position) in references + links
            where isGiven(row) && position >= 0 && target.isDropped(position) {
                throw DatabaseError(
                    .notFound,
                    "\"\(relation.name)\" of \(description.type) leads to a \(target.description.type) that is left out for what it lacks.",
                    table: description.table, properties: [relation.name])
            }
        }
    }

    /// Remembers which relations of rows lead to what is left out, so that what they hold counts as not loaded: saved, it would
    /// lose that.
    func rememberOmitted() throws {
        for relation in layout.relations where !relation.target.isLazy {
            // What the other side keeps is not lost by a save of this one.
            if case .inverseReference = relation.storage { continue }
            let target = try graph.table(of: relation.target)
            guard !target.droppedRows.isEmpty else { continue }
            var found: Set<Int> = []
            for pair in pairs[relation.property] ?? [] where target.isDropped(Int(pair.target)) {
                found.insert(Int(pair.row))
            }
            for (row, position) in (references[relation.property] ?? []).enumerated()
            where position >= 0 && target.isDropped(Int(position)) {
                found.insert(row)
            }
            if !found.isEmpty { incomplete[relation.property, default: []].formUnion(found) }
        }
    }
}
