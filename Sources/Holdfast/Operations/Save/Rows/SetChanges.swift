/// The rows of a join table without positions that are inserted and deleted, so that it holds the sets of some owners.
struct SetChanges {
    /// The elements that a join table holds for each owner: indices of rows.
    typealias Stored = [ElementKey: [ElementKey: Int]]

    /// Rows of owner and element.
    private(set) var inserted: ParameterBuffer
    /// The indices of the rows to be deleted among those that are stored.
    private(set) var deleted: [Int] = []

    /// Compares what a join table holds with what owners hold.
    ///
    /// - Parameters:
    ///   - stored: The elements that the join table holds.
    ///   - owners: The keys of all owners.
    ///   - elements: The elements of all owners.
    ///   - portion: The owners that are meant.
    /// - Returns: nil if an owner holds an element twice.
    init?(
        from stored: Stored, _ owners: ParameterBuffer, _ elements: ArrayElementRows, in portion: Range<Int>
    ) {
        inserted = ParameterBuffer(width: owners.width + elements.width)
        for owner in portion where !elements.skipped.contains(owner) {
            var old = stored.isEmpty ? [:] : stored[owners.withRow(owner) { ElementKey($0) }] ?? [:]
            var seen = Set<ElementKey>()
            for element in elements.ranges[owner] {
                let key = elements.key(element)
                guard seen.insert(key).inserted else { return nil }
                guard old.removeValue(forKey: key) == nil else { continue }
                inserted.appendRow(owner, of: owners)
                elements.append(element, to: &inserted)
            }
            deleted += old.values.sorted()
        }
    }
}

/// Arrays in join tables that have no positions, or columns that owner and element share.
extension SaveTable {
    /// Writes what the sets of owners lack, and deletes what they have too much; rows that stay are not touched.
    func sendSet(
        _ property: Int, _ table: JoinTable, _ owners: ParameterBuffer, _ elements: ArrayElementRows, _ isNew: Bool,
        _ session: Session
    ) async throws {
        let name = description.properties[property].name
        for portion in elements.portions {
            var rows = ParameterBuffer(width: owners.width + table.elementColumns.count)
            let selected = owners.selecting(Array(portion))
            if !isNew { rows = try await storedSet(property, selected, rows.width, session) }
            guard
                let changes = SetChanges(
                    from: rows.elements(ownerWidth: owners.width), owners, elements, in: portion)
            else {
                throw DatabaseError(
                    .conflict,
                    "\"\(name)\" of \(description.type) holds an object twice, but its join table keeps no positions, so each object is in it once. Remove one.",
                    table: description.table, properties: [name])
            }
            let deleted = rows.selecting(changes.deleted)
            try await sendElements(property, deleting: deleted, inserting: changes.inserted, session) {
                let left = try await storedSet(property, selected, rows.width, session)
                let keys = Set(left.rowIndices.map { row in left.withRow(row) { ElementKey($0) } })
                return deleted.rowIndices.contains { row in keys.contains(deleted.withRow(row) { ElementKey($0) }) }
            }
        }
    }

    /// The rows that a join table holds for owners: their keys, followed by those of the elements.
    private func storedSet(
        _ property: Int, _ owners: ParameterBuffer, _ width: Int, _ session: Session
    ) async throws -> ParameterBuffer {
        let statement = try statements.rendered(.elements(property: property, ofAll: false, withPositions: false))
        return try await session.collect(statement, owners.asLists, width: width)
    }
}

extension ParameterBuffer {
    /// Arranges rows of owners and elements: for each owner the indices of rows by their elements.
    fileprivate func elements(ownerWidth: Int) -> SetChanges.Stored {
        var result: SetChanges.Stored = [:]
        for row in rowIndices {
            withRow(row) { cells in
                let owner = ElementKey(cells, prefix: ownerWidth)
                let element = ElementKey(UnsafeBufferPointer(rebasing: cells[ownerWidth...]))
                result[owner, default: [:]][element] = row
            }
        }
        return result
    }
}
