extension SaveBatch {
    /// The properties that are read back.
    var returnedMask: PropertyMask {
        if case .upsert(let upsert) = group.action { upsert.returned } else { PropertyMask() }
    }

    /// The objects whose rows were there, where rows tell that.
    var updatedObjects: [Int] {
        guard group.action.explicitUpsert?.tells == true, returned.width > 0 else { return [] }
        return returned.rowIndices.filter { returned.cells[($0 + 1) * returned.width - 1].integer == 0 }
            .map { entries[$0].index }
    }

    /// Keeps what was read back of some entries, a row each.
    func store(_ rows: ParameterBuffer, of entries: [Int]) {
        if returned.width != rows.width {
            returned = ParameterBuffer(width: rows.width)
            returned.cells = [Cell](repeating: .null, count: self.entries.count * rows.width)
        }
        for (row, entry) in entries.enumerated() {
            for column in 0..<rows.width {
                returned.replace(entry * rows.width + column, with: rows.cells[row * rows.width + column], of: rows)
            }
        }
    }

    /// The properties of an entry for which the row, as it was read back, holds another value than the one that was
    /// sent, or for which none was sent.
    func differing(_ row: Int, _ description: TableDescription) -> PropertyMask {
        guard !returned.cells.isEmpty else { return PropertyMask() }
        let ranges = description.columns.ranges
        let (sent, found) = (description.slots(group.mask), description.slots(returnedMask))
        var result = entries[row].writtenBack.intersection(returnedMask).subtracting(
            description.columns.joinTableMask)
        encodedRows.withRow(row) { sentCells in
            returned.withRow(row) { foundCells in
                for property in returnedMask.indices {
                    func part(_ cells: UnsafeBufferPointer<Cell>, _ slots: [Int32]) -> ElementKey {
                        let first = Int(slots[property])
                        return ElementKey(.init(rebasing: cells[first..<first + ranges[property].count]))
                    }
                    if sent[property] < 0 || part(sentCells, sent) != part(foundCells, found) {
                        result.insert(property)
                    }
                }
            }
        }
        return result
    }

    /// The properties of an entry whose content in the database is unknown after an upsert: references to other objects
    /// than the entry holds, and arrays that were not written.
    func unknown(_ differing: PropertyMask, _ description: TableDescription) -> PropertyMask {
        guard let upsert = group.action.explicitUpsert else { return PropertyMask() }
        let unwritten = description.columns.joinTableMask.union(description.columns.inverseMask).subtracting(
            upsert.updated)
        return unwritten.union(
            differing.intersection(description.columns.referenceMask.union(description.columns.joinTableMask)))
    }

    /// The first of the entries with each key; and for each entry, the index of its key among those.
    func distinctKeys(of chosen: [Int], in keys: ParameterBuffer) -> (entries: [Int], keyIndices: [Int]) {
        var distinct: [Int] = []
        var known: [ElementKey: Int] = [:]
        let keyIndices = chosen.map { entry in
            let key = keys.withRow(entries[entry].index) { ElementKey($0) }
            if let index = known[key] { return index }
            known[key] = distinct.count
            distinct.append(entry)
            return distinct.count - 1
        }
        return (distinct, keyIndices)
    }

    /// Throws if the row that was found holds something else than a property that can't be set.
    func requireSettable(_ entry: Int, row: Int, _ description: TableDescription) throws {
        guard !description.fixedMask.isEmpty else { return }
        let differing = differing(entry, description)
        let fixed = differing.subtracting(unknown(differing, description)).intersection(description.fixedMask)
        guard !fixed.isEmpty else { return }
        let names = fixed.indices.map { description.properties[$0].name }
        var error = description.conflict(
            "The row with the unique key holds something else in \(names.map { "\"\($0)\"" }.joined(separator: ", ")), which the \(description.type) can't take: it is a `let`. Make it a `var`, or update it.",
            row: row)
        error.properties = names
        throw error
    }

    /// Whether an entry holds anything in an array, or in a relation that the other side keeps.
    func holdsAny(_ property: Int, row: Int) -> Bool {
        arrays.contains { $0.property == property && !$0.elements(ofRow: row).isEmpty }
            || links.contains { $0.property == property && !$0.elements(ofRow: row).isEmpty }
    }
}
