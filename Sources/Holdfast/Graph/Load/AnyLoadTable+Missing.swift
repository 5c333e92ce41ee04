extension AnyLoadTable {
    /// Settles what leads to no row.
    ///
    /// - Returns: The rows that are left out for it.
    func settleMissing(_ choice: MissingTarget) throws -> [NodeID] {
        var dropped: [NodeID] = []
        for relation in layout.relations {
            if relation.isArray {
                guard let all = pairs[relation.property],
                    let first = all.first(where: { $0.target == Self.missing && !isDropped(Int($0.row)) })
                else { continue }
                if choice == .throw { throw leadsNowhere(relation, row: Int(first.row)) }
                pairs[relation.property] = all.filter { $0.target != Self.missing }
                continue
            }
            guard let targets = references[relation.property] else { continue }
            for (row, target) in targets.enumerated() where target == Self.missing && !isDropped(row) {
                if choice == .throw || choice == .nil && relation.isNeeded { throw leadsNowhere(relation, row: row) }
                references[relation.property]?[row] = Self.none
                if choice == .skip, drop(row) { dropped.append(NodeID(table: number, index: row)) }
            }
        }
        return dropped
    }

    private func leadsNowhere(_ relation: Relation, row: Int) -> DatabaseError {
        var error = DatabaseError(
            .notFound,
            "\"\(relation.name)\" of a row of \"\(description.table)\" leads to no row of \"\(relation.target.description.table)\". Choose with `missingTarget` what is to become of it.",
            table: description.table, properties: [relation.name])
        if graph.core.configuration.showsValues { error.shownKey = key(ofRow: row).shown }
        return error
    }

    /// Leaves out a row.
    ///
    /// - Returns: Whether it was there.
    func drop(_ row: Int) -> Bool { droppedRows.insert(row).inserted }

    func isDropped(_ row: Int) -> Bool { !droppedRows.isEmpty && droppedRows.contains(row) }

    func collectNeeders(into needers: inout [NodeID: [NodeID]]) throws {
        for relation in layout.relations where relation.isNeeded && !relation.isArray {
            let target = try graph.table(of: relation.target)
            for (row, position) in (references[relation.property] ?? []).enumerated() where position >= 0 {
                needers[NodeID(table: target.number, index: Int(position)), default: []]
                    .append(NodeID(table: number, index: row))
            }
        }
    }

    /// Takes rows that are left out from whatever leads to them.
    func removeDropped() throws {
        for relation in layout.relations where !relation.target.isLazy {
            let target = try graph.table(of: relation.target)
            guard !target.droppedRows.isEmpty else { continue }
            if let all = pairs[relation.property] {
                pairs[relation.property] = all.filter { !target.isDropped(Int($0.target)) }
            }
            guard let targets = references[relation.property] else { continue }
            references[relation.property] = targets.map { $0 >= 0 && target.isDropped(Int($0)) ? Self.none : $0 }
        }
    }
}
