/// What a batch holds besides its rows: arrays, and links to others.
extension SaveBatch {
    /// A reference to an object that is inserted by the same save.
    struct Edge {
        let owner: NodeID
        let target: NodeID
        let property: Int
        /// The first of its cells in the batch; of a reference that shares columns the first cell of the row.
        let cell: Int
        /// Whether it is set after all rows were inserted.
        var isDeferred = false
    }

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

    /// Whether its objects lead to others of the save.
    var leadsToOthers: Bool {
        !edges.isEmpty || links.contains { links in links.targets.contains { $0 != nil } }
    }

    /// Whether relations that the other side keeps are written.
    var writesInverses: Bool { group.action != .insertOrIgnore && group.action.explicitUpsert == nil }

    /// Whether an entry holds anything in an array, or in a relation that the other side keeps.
    func holdsAny(_ property: Int, row: Int) -> Bool {
        arrays.contains { $0.property == property && !$0.elements(ofRow: row).isEmpty }
            || links.contains { $0.property == property && !$0.elements(ofRow: row).isEmpty }
    }

    /// The arrays of values as rows can read them.
    var arrayValues: ArrayValues {
        var arrayColumns = [ArrayColumn?](repeating: nil, count: propertyCount)
        for array in arrays {
            let end = array.encoder.buffer.cells.count
            arrayColumns[array.property] = ArrayColumn(elements: array.encoder.buffer, starts: array.starts + [end])
        }
        return ArrayValues(arrayColumns)
    }
}
