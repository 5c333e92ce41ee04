extension SaveTable {
    /// Sends rows that may exist.
    func upsert(
        _ batch: SaveBatch, _ chosen: [Int], _ columns: ParameterBuffer, _ session: Session, _ upsert: Upsert
    ) async throws {
        let statement = try plan.statement(.upsert(batch.group.mask, upsert))
        let width = description.columns(upsert.returned).count
        if width > 0, !upsert.isExplicit, description.versionIndex != nil {
            // Values of one row, which are the same, are written once: the second would find the version that the first made.
            let (places, rows) = distinctKeys(of: chosen, in: batch)
            do {
                try await writingVersions(batch, places, session) {
                    let returned = try await session.collect(statement, batch.columns.selecting(places), width: width)
                    if returned.rowCount == places.count { batch.take(returned.selecting(rows), of: chosen) }
                    return returned.rowCount
                }
            } catch var error as DatabaseError {
                error.objectIndex = error.objectIndex.flatMap { index in
                    places.indices.contains(index) ? chosen.firstIndex(of: places[index]) : nil
                }
                throw error
            }
        } else if width > 0 {
            let returned = try await session.collect(statement, columns, width: width)
            guard returned.cells.count == chosen.count * width else { throw description.passedOver }
            batch.take(returned, of: chosen)
            if upsert.isExplicit { try takeKeys(batch, chosen) }
        } else {
            if try await session.execute(statement, columns) < chosen.count {
                try await plan.requireWritten(columns, batch.group.mask, through: session)
            }
        }
        if let advance = plan.advanceGeneratedKey, !batch.group.generatesKeys { try await session.execute(advance) }
    }

    /// Of passengers with the same key the first; and for each passenger where that is among them.
    private func distinctKeys(of chosen: [Int], in batch: SaveBatch) -> (places: [Int], rows: [Int]) {
        var places: [Int] = []
        var known: [ElementKey: Int] = [:]
        let rows = chosen.map { place in
            let key = keys.withRow(batch.passengers[place].row) { ElementKey($0) }
            if let row = known[key] { return row }
            known[key] = places.count
            places.append(place)
            return places.count - 1
        }
        return (places, rows)
    }

    /// Takes the keys of the rows that were inserted or found.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` if an object can't become the row that was found.
    private func takeKeys(_ batch: SaveBatch, _ chosen: [Int]) throws {
        let slots = description.slots(batch.returnedMask)
        var taken = keysOfOthers()
        for (index, place) in chosen.enumerated() {
            let row = batch.passengers[place].row
            var found = ParameterBuffer(width: keys.width)
            for property in description.keyIndices {
                found.append(
                    batch.returned.cells[place * batch.returned.width + Int(slots[property])], of: batch.returned)
            }
            let isOther =
                !batch.group.generatesKeys
                && keys.withRow(row, { ElementKey($0) }) != found.withRow(0, { ElementKey($0) })
            if isOther, batch.passengers[place].stateBefore == .persisted {
                throw conflict(
                    "The \(description.type) has a row already, and its values in the unique key are those of another. Update one, or delete it.",
                    at: index)
            }
            try requireSettable(batch, place, at: index)
            for part in 0..<keys.width {
                keys.replace(row * keys.width + part, with: found.cells[part], of: found)
            }
            guard let key = found.key(ofRow: 0) else { throw plan.missingResult() }
            guard claimed[key] == nil, taken[key] == nil else {
                throw conflict(
                    "Two objects are the same row of \"\(description.table)\". Give one of them.", at: index)
            }
            claimed[key] = Int32(truncatingIfNeeded: row)
            taken[key] = Int32(truncatingIfNeeded: row)
        }
    }

    /// The keys of objects in the save that are not upserted themselves.
    private func keysOfOthers() -> KeyIndex {
        var result = KeyIndex()
        for row in objects.indices {
            let number = Int(batchOfRow[row])
            if number >= 0, batches[number].group.action.explicitUpsert != nil { continue }
            if let key = keys.key(ofRow: row) { result[key] = Int32(truncatingIfNeeded: row) }
        }
        return result
    }

    /// Throws if the row that was found holds something else than a property that can't be set.
    private func requireSettable(_ batch: SaveBatch, _ place: Int, at index: Int) throws {
        guard !description.fixedMask.isEmpty else { return }
        let differing = batch.differing(place, description)
        let fixed = differing.subtracting(batch.unknown(differing, description)).intersection(description.fixedMask)
        guard !fixed.isEmpty else { return }
        let names = fixed.indices.map { description.properties[$0].name }
        var error = conflict(
            "The row with the unique key holds something else in \(names.map { "\"\($0)\"" }.joined(separator: ", ")), which the \(description.type) can't take: it is a `let`. Make it a `var`, or update it.",
            at: index)
        error.properties = names
        throw error
    }

    /// Sends rows that are not inserted where others are in the way.
    func insertOrIgnore(
        _ batch: SaveBatch, _ chosen: [Int], _ columns: ParameterBuffer, _ session: Session
    ) async throws {
        var numbers = ParameterBuffer(width: 1)
        for index in chosen.indices { numbers.append(.integer(Int64(index))) }
        let returned = try await session.collect(
            plan.statement(.insertOrIgnore(batch.group.mask)), columns.joined(with: numbers), width: keys.width + 1)
        var ignored = Set(chosen)
        for row in returned.rowIndices {
            let first = row * returned.width
            let index = Int(returned.cells[first].integer)
            guard chosen.indices.contains(index), ignored.remove(chosen[index]) != nil else {
                throw plan.missingResult()
            }
            for part in 0..<keys.width {
                keys.replace(
                    batch.passengers[chosen[index]].row * keys.width + part, with: returned.cells[first + 1 + part],
                    of: returned)
            }
        }
        batch.ignored.formUnion(ignored)
        if let advance = plan.advanceGeneratedKey, !batch.group.generatesKeys { try await session.execute(advance) }
    }
}
