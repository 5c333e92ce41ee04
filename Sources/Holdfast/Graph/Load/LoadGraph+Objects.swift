/// Objects: how they are made of the rows.
extension LoadGraph {
    /// Makes the objects of all rows, and links them.
    func makeObjects() throws {
        try resolveMissing()
        for table in tables { table.prepareColumns() }
        var made: Set<Int> = []
        var unmade = inMakingOrder(tables)
        while let index = unmade.firstIndex(where: { isMakeable($0, after: made) }) {
            let table = unmade.remove(at: index)
            table.linkAfterwards(relations(of: table, notLeadingTo: made))
            try table.makeAll()
            made.insert(table.number)
        }
        // What needs objects of its own type, or of one that needs it, is made one by one, and so is whoever needs that.
        for table in unmade {
            table.linkAfterwards(relations(of: table, notLeadingTo: made))
            for row in 0..<table.rowCount { try makeConstrained(NodeID(table: table.number, index: row)) }
        }
        for table in tables { try table.link() }
        for table in tables { try table.finish() }
    }

    /// Orders tables so that those come first to which others lead, as far as they don't lead to each other in a circle.
    private func inMakingOrder(_ tables: [AnyLoadTable]) -> [AnyLoadTable] {
        var ordered: [AnyLoadTable] = []
        var met: Set<Int> = []
        for table in tables where met.insert(table.number).inserted {
            var path = [(table: table, targets: targets(of: table))]
            while let next = path.last {
                guard let target = next.targets.last else {
                    ordered.append(next.table)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].targets.removeLast()
                if met.insert(target.number).inserted {
                    path.append((target, targets(of: target)))
                }
            }
        }
        return ordered
    }

    private func targets(of table: AnyLoadTable) -> [AnyLoadTable] {
        table.layout.relations.filter { !$0.target.isLazy }.compactMap { relation in
            numbers[ObjectIdentifier(relation.target.type)].map { tables[$0] }
        }
    }

    /// Whether all objects of a table can be made at once: what they need is there.
    private func isMakeable(_ table: AnyLoadTable, after made: Set<Int>) -> Bool {
        table.layout.relations.allSatisfy { relation in
            guard table.needs(relation), let number = numbers[ObjectIdentifier(relation.target.type)] else {
                return true
            }
            return made.contains(number)
        }
    }

    /// The relations of a table whose objects may not be there yet when its own are made.
    private func relations(of table: AnyLoadTable, notLeadingTo made: Set<Int>) -> PropertyMask {
        var mask = PropertyMask()
        for relation in table.layout.relations where !relation.target.isLazy {
            if table.needs(relation) { continue }
            guard let number = numbers[ObjectIdentifier(relation.target.type)], made.contains(number) else {
                mask.insert(relation.property)
                continue
            }
        }
        return mask
    }

    /// Makes an object after those that it can't be made without.
    private func makeConstrained(_ node: NodeID) throws {
        var path: [(node: NodeID, needed: [NodeID])] = []
        func enter(_ node: NodeID) throws {
            let table = tables[Int(node.table)]
            guard table.begin(Int(node.index)) else {
                throw DatabaseError(
                    .decoding,
                    "A \(table.description.type) is part of itself, by way of structs or of references that can't be nil: no such object can be made.",
                    table: table.description.table)
            }
            path.append((node, try table.needed(by: Int(node.index))))
        }
        guard !tables[Int(node.table)].isMade(Int(node.index)) else { return }
        try enter(node)
        while let (node, needed) = path.last {
            if let next = needed.last {
                path[path.count - 1].needed.removeLast()
                if !tables[Int(next.table)].isMade(Int(next.index)) { try enter(next) }
                continue
            }
            path.removeLast()
            try tables[Int(node.table)].make(Int(node.index))
        }
    }

    /// Leaves out objects that lack something, and whoever leads to them.
    private func omitLacking() throws {
        guard scope.omitsLacking, tables.contains(where: { !$0.description.omitMask.isEmpty }) else { return }
        var omitted = tables.flatMap { $0.omitLacking() }
        guard !omitted.isEmpty else { return }
        var holders: [NodeID: [NodeID]] = [:]
        for table in tables { try table.collectHolders(into: &holders) }
        while let node = omitted.popLast() {
            for holder in holders[node] ?? [] where tables[Int(holder.table)].drop(Int(holder.index)) {
                omitted.append(holder)
            }
        }
        for table in tables { try table.requireNeeded() }
        for table in tables { try table.rememberOmitted() }
        for table in tables { try table.removeDropped() }
    }

    /// Settles where keys lead to no row.
    private func resolveMissing() throws {
        try omitLacking()
        var dropped: [NodeID] = []
        for table in tables { dropped += try table.settleMissing(scope.missingTarget) }
        // What led nowhere is not there any more, and may be what its owner has to have.
        guard !dropped.isEmpty else {
            if scope.missingTarget != .throw { try omitLacking() }
            return
        }
        // Whoever needs what is left out is left out too.
        var needers: [NodeID: [NodeID]] = [:]
        for table in tables { try table.collectNeeders(into: &needers) }
        while let node = dropped.popLast() {
            for needer in needers[node] ?? [] where tables[Int(needer.table)].drop(Int(needer.index)) {
                dropped.append(needer)
            }
        }
        for table in tables { try table.removeDropped() }
        try omitLacking()
    }
}
