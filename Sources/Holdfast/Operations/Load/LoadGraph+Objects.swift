/// Objects: the order in which they are made of the rows.
extension LoadGraph {
    /// How far an object is that is made by itself.
    private enum Progress { case unmade, begun, made }

    /// Makes the objects of all rows, and links them.
    func makeObjects() throws {
        try resolveMissing()
        for maker in makers { maker.prepare() }
        useKnownObjects()
        var made: Set<Int> = []
        /// By table, the relations that are linked once all objects are made.
        var linkedAfterwards: [Int: PropertyMask] = [:]
        var unmade = inMakingOrder(tables)
        while let index = unmade.firstIndex(where: { isMakeable($0, after: made) }) {
            let table = unmade.remove(at: index)
            let others = relations(of: table, notLeadingTo: made)
            linkedAfterwards[table.tableIndex] = others
            try makers[table.tableIndex].makeAll(besides: others)
            made.insert(table.tableIndex)
        }
        for table in unmade { linkedAfterwards[table.tableIndex] = relations(of: table, notLeadingTo: made) }
        try makeOneByOne(unmade)
        for table in tables {
            guard let relations = linkedAfterwards[table.tableIndex], !relations.isEmpty else { continue }
            try makers[table.tableIndex].link(relations)
        }
        for maker in makers { try maker.finish() }
        try completeKnownObjects()
    }

    /// The objects that the rows of a table lead to, once all tables have their rows; nil if it has no relations.
    func relatedObjects(of table: LoadTable) throws -> RelatedObjects? {
        if let related = related[table.tableIndex] { return related }
        guard !table.columns.relations.isEmpty else { return nil }
        var relatedColumns = [RelatedColumn?](repeating: nil, count: table.description.properties.count)
        for relation in table.columns.relations where !relation.target.isLazy {
            let target = try self.table(of: relation.target)
            guard let positions = table[relation].arranged(rowCount: table.rows.count) else { continue }
            relatedColumns[relation.property] = makers[target.tableIndex].column(positions)
        }
        let result = RelatedObjects(relatedColumns)
        related[table.tableIndex] = result
        return result
    }

    /// Orders tables so that those come first to which others lead, as far as they don't lead to each other in a
    /// cycle.
    private func inMakingOrder(_ tables: [LoadTable]) -> [LoadTable] {
        var ordered: [LoadTable] = []
        var met: Set<Int> = []
        for table in tables where met.insert(table.tableIndex).inserted {
            var path = [(table: table, targets: targets(of: table))]
            while let next = path.last {
                guard let target = next.targets.last else {
                    ordered.append(next.table)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].targets.removeLast()
                if met.insert(target.tableIndex).inserted {
                    path.append((target, targets(of: target)))
                }
            }
        }
        return ordered
    }

    private func targets(of table: LoadTable) -> [LoadTable] {
        table.columns.relations.filter { !$0.target.isLazy }.compactMap { relation in
            tableIndices[ObjectIdentifier(relation.target.type)].map { tables[$0] }
        }
    }

    /// Whether all objects of a table can be made together: what they need is there.
    private func isMakeable(_ table: LoadTable, after made: Set<Int>) -> Bool {
        table.columns.relations.allSatisfy { relation in
            guard table.needs(relation), let index = tableIndices[ObjectIdentifier(relation.target.type)] else {
                return true
            }
            return made.contains(index)
        }
    }

    /// The relations of a table whose objects may not be there yet when its own are made.
    private func relations(of table: LoadTable, notLeadingTo made: Set<Int>) -> PropertyMask {
        var mask = PropertyMask()
        for relation in table.columns.relations where !relation.target.isLazy {
            if table.needs(relation) { continue }
            guard let index = tableIndices[ObjectIdentifier(relation.target.type)], made.contains(index) else {
                mask.insert(relation.property)
                continue
            }
        }
        return mask
    }

    // MARK: One by one

    /// Makes objects that need some of their own type, or of a type that needs theirs; and those of whoever needs them.
    private func makeOneByOne(_ unmade: [LoadTable]) throws {
        guard !unmade.isEmpty else { return }
        var progress: [Int: [Progress]] = [:]
        for table in unmade {
            progress[table.tableIndex] = (0..<table.rows.count).map {
                table.hasObject($0) || table.isOmitted($0) ? .made : .unmade
            }
        }
        for table in unmade {
            for row in 0..<table.rows.count { try make(NodeID(table: table.tableIndex, index: row), &progress) }
        }
    }

    /// Makes an object after those that it can't be made without.
    private func make(_ node: NodeID, _ progress: inout [Int: [Progress]]) throws {
        // Of a table that is not among these, all objects are made.
        func isMade(_ node: NodeID) -> Bool { progress[Int(node.table)].map { $0[Int(node.index)] == .made } ?? true }
        func note(_ state: Progress, _ node: NodeID) { progress[Int(node.table)]?[Int(node.index)] = state }
        var path: [(node: NodeID, needed: [NodeID])] = []
        func enter(_ node: NodeID) throws {
            let table = tables[Int(node.table)]
            guard progress[Int(node.table)]?[Int(node.index)] == .unmade else {
                throw DatabaseError(
                    .decoding,
                    "A \(table.description.type) is part of itself, by way of structs or of references that can't be nil: no such object can be made.",
                    table: table.description.table)
            }
            note(.begun, node)
            path.append((node, try needed(by: Int(node.index), of: table)))
        }
        guard !isMade(node) else { return }
        try enter(node)
        while let (node, needed) = path.last {
            if let next = needed.last {
                path[path.count - 1].needed.removeLast()
                if !isMade(next) { try enter(next) }
                continue
            }
            path.removeLast()
            try makers[Int(node.table)].make(Int(node.index))
            note(.made, node)
        }
    }

    /// The objects without which the one of a row can't be made.
    private func needed(by row: Int, of table: LoadTable) throws -> [NodeID] {
        guard let related = try relatedObjects(of: table) else { return [] }
        var nodes: [NodeID] = []
        for relation in table.columns.relations where table.needs(relation) {
            guard let positions = related.relatedColumns[relation.property]?.positions else { continue }
            let target = try self.table(of: relation.target)
            for index in positions.range(ofRow: row) where positions.targets[index] >= 0 {
                nodes.append(NodeID(table: target.tableIndex, index: Int(positions.targets[index])))
            }
        }
        return nodes
    }
}

/// Objects that are there already (``IdentityMap``).
extension LoadGraph {
    /// Lets known objects stand for their rows, before others are made.
    func useKnownObjects() {
        guard let known else { return }
        for maker in makers { maker.use(known) }
    }

    /// Gives known objects what they lack and the rows have, and makes the others known.
    func completeKnownObjects() throws {
        guard let known else { return }
        for maker in makers { try maker.complete(known) }
    }
}
