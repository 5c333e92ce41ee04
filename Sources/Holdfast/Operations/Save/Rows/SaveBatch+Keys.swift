extension SaveBatch {
    /// Puts the keys of rows that were inserted meanwhile where the batch refers to them.
    func fillInKeys(from tables: [SaveTable]) {
        // A reference that holds a unique property of its target has no generated key to wait for: it was encoded
        // already.
        let alternates = edges.first.map { tables[Int($0.owner.table)].description.columns.alternateMask }
        for edge in edges {
            if let alternates, !alternates.isEmpty, alternates.contains(edge.property) { continue }
            let target = tables[Int(edge.target.table)]
            if !sharedCells.isEmpty, !sharedCells[edge.property].isEmpty {
                setSharedKey(edge, from: target, in: tables[Int(edge.owner.table)])
                continue
            }
            for part in 0..<target.keys.width {
                if edge.isDeferred {
                    encodedRows.cells[edge.cell + part] = .null
                } else {
                    encodedRows.replace(
                        edge.cell + part, with: target.keys.cells[Int(edge.target.index) * target.keys.width + part],
                        of: target.keys)
                }
            }
        }
    }
}
