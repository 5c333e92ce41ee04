/// Rows that lack something for which objects are left out.
extension LoadTable {
    /// Leaves out the rows that lack it.
    ///
    /// - Returns: Those rows.
    func omitLacking() -> [NodeID] {
        guard !description.omitMask.isEmpty else { return [] }
        let arrays = arrayValues
        var lacking: Set<Int> = []
        for property in description.omitMask.indices {
            let isThere = presence(of: property, arrays)
            for row in 0..<rows.count where !hasObject(row) && !isThere(row) { lacking.insert(row) }
        }
        return lacking.filter { omit($0) }.map { NodeID(table: tableIndex, index: $0) }
    }

    /// Returns a function that tells whether a row has a value, an element or a target in a property.
    private func presence(of property: Int, _ arrays: ArrayValues?) -> (Int) -> Bool {
        if let starts = arrays?.arrayColumns[property]?.starts { return { starts[$0] < starts[$0 + 1] } }
        if let relation = columns.relation(property), !relation.target.isLazy {
            if relation.isArray {
                let owners = Set((self[relation].links ?? []).lazy.map { Int($0.row) })
                return { owners.contains($0) }
            }
            // If the relation was followed, its target decides: the key may lead to no row.
            if let targets = self[relation].targets {
                return { [self] row in
                    guard row < targets.count, isFollowed(property, from: row) else { return hasCells(property, row) }
                    return targets[row] != RelationLinks.none
                }
            }
        }
        return { [self] row in hasCells(property, row) }
    }

    private func hasCells(_ property: Int, _ row: Int) -> Bool {
        if let shared = columns.sharedReference(property) { return shared.cells.key(in: rows.cells(ofRow: row)) != nil }
        return !columns.ranges[property].contains { rows.cells(ofRow: row)[$0].isNull }
    }
}
