/// The effect of writing a row where one with its unique key exists.
struct Upsert: Hashable, Sendable {
    /// The properties of the unique key.
    let key: PropertyMask
    /// The properties that are set in the row that exists.
    let updated: PropertyMask
    /// The properties that are read back, because the row that exists may hold others.
    let returned: PropertyMask
    /// Whether it was asked for, so that the object becomes what its row is; else a struct is saved whole.
    let isExplicit: Bool
}

extension SaveBatch {
    /// The properties of an entry of which the row holds something else than was sent, or nothing was.
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

    /// The properties of an entry of which it is not known any more what the database has: references to others than it
    /// holds, and arrays that were not written.
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
}

extension TableDescription {
    /// Throws if there can be several rows that have the same in some properties.
    func requireUnique(_ key: PropertyMask) throws {
        let keys = uniqueKeys
        guard !keys.contains(key) else { return }
        func names(_ mask: PropertyMask) -> String {
            mask.indices.map { "\"\(self.properties[$0].name)\"" }.joined(separator: ", ")
        }
        throw DatabaseError(
            .syntax,
            "\(names(key)) of \(type) is no unique key, so there can be several rows like it. Unique keys: \(keys.map(names).joined(separator: "; ")).",
            table: table, properties: key.indices.map { self.properties[$0].name })
    }

    /// The primary key and the other unique keys.
    private var uniqueKeys: [PropertyMask] {
        [keyMask] + properties.indices.filter { properties[$0].isUnique }.map { PropertyMask([$0]) }
            + indexes.filter { $0.isUnique && $0.isPlain }.map {
                PropertyMask($0.properties.compactMap { index(ofProperty: $0) })
            }
    }
}
