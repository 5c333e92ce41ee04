/// Rows that may exist.
extension SaveTable {
    /// Throws if an object of a batch holds something that would not be written, should its row exist already.
    func refuseUnwritten(_ batch: SaveBatch) throws {
        var left: PropertyMask
        switch batch.group.action {
        case .upsert(let upsert) where upsert.isExplicit:
            left = description.columns.joinTableMask.union(description.columns.inverseMask)
            try description.requireUnique(upsert.key)
            left.subtract(upsert.updated.subtracting(description.columns.inverseMask))
            let lost = left.union(description.columns.referenceMask.subtracting(upsert.updated).subtracting(upsert.key))
            if !description.isTracked, let property = lost.indices.first { throw description.notWritten(property) }
        case .insertOrIgnore: left = description.columns.inverseMask
        case .insert, .update, .upsert: return
        }
        guard !left.isEmpty else { return }
        for (row, entry) in batch.entries.enumerated() {
            for property in left.indices {
                let isKnown = entry.stateBefore == .persisted
                if isKnown ? entry.marks.contains(property) : batch.holdsAny(property, row: row) {
                    throw located(description.notWritten(property), entry.index)
                }
            }
        }
    }

    /// Sends rows that may exist.
    func upsert(
        _ batch: SaveBatch, _ chosen: [Int], _ encodedRows: ParameterBuffer, _ session: Session, _ upsert: Upsert
    ) async throws {
        let statement = try statements.rendered(.upsert(batch.group.mask, upsert))
        let width = description.columnCount(upsert.returned) + (upsert.tells ? 1 : 0)
        if width > 0, !upsert.isExplicit, description.versionIndex != nil {
            // Values of one row, which are the same, are written once: the second would find the version that the first
            // made.
            let (distinct, keyIndices) = batch.distinctKeys(of: chosen, in: keys)
            do {
                try await writingVersions(batch, distinct, session) {
                    let sent = batch.encodedRows.selecting(distinct)
                    let returned = try await session.collect(statement, sent, width: width)
                    if returned.rowCount == distinct.count { batch.store(returned.selecting(keyIndices), of: chosen) }
                    return returned.rowCount
                }
            } catch var error as DatabaseError {
                error.objectIndex = error.objectIndex.flatMap { row in
                    distinct.indices.contains(row) ? chosen.firstIndex(of: distinct[row]) : nil
                }
                throw error
            }
        } else if width > 0 {
            let sent = upsert.changes?.joined(to: encodedRows) ?? encodedRows
            let returned = try await session.collect(statement, sent, width: width)
            guard returned.cells.count == chosen.count * width else {
                throw description.takesScopeValues ? description.outside : description.passedOver
            }
            batch.store(returned, of: chosen)
            if upsert.isExplicit { try claimRows(batch, chosen) }
        } else {
            if try await session.execute(statement, encodedRows) < chosen.count {
                if description.takesScopeValues { throw description.outside }
                try await statements.requireStored(encodedRows, batch.group.mask, through: session)
            }
        }
        if let advance = statements.advanceGeneratedKey, !batch.group.generatesKeys {
            try await session.execute(advance)
        }
    }

    /// Sends rows that may exist, of which nothing is to be known.
    ///
    /// Where a row that has expired is in the way, fewer are written than were sent. Only then are such rows looked for
    /// and swept, and what they were in the way of is sent again (decision 0052).
    func upsertSilently(
        _ batch: SaveBatch, _ chosen: [Int], of objects: any AnySavedObjects, _ encodedRows: ParameterBuffer,
        _ session: Session, _ upsert: Upsert
    ) async throws {
        let statement = try statements.rendered(.upsert(batch.group.mask, upsert))
        let written = try await session.execute(statement, encodedRows)
        guard written < chosen.count else { return }
        if description.takesScopeValues { throw description.outside }
        guard description.expiry != nil else {
            return try await statements.requireStored(encodedRows, batch.group.mask, through: session)
        }
        // Those that were in the way are locked: nobody else sweeps them now.
        let expired = try await description.expiredRows(inWayOf: encodedRows, batch.group.mask, through: session)
        let swept = Set(
            expired.flatMap { found in (0..<found.rowCount).map { found.key(ofRow: $0, count: keys.width) } })
        let again = chosen.indices.filter { row in
            key(of: batch.entries[chosen[row]].index).map(swept.contains) ?? false
        }
        guard written + again.count >= chosen.count else { throw description.passedOver }
        try await objects.delete(expired, through: session)
        if try await session.execute(statement, encodedRows.selecting(again)) < again.count {
            throw description.passedOver
        }
    }

    /// Gives objects the keys of the rows that were inserted or found for them, each to one object.
    ///
    /// - Throws: ``DatabaseError/Code/conflict`` if an object can't become the row that was found.
    func claimRows(_ batch: SaveBatch, _ chosen: [Int]) throws {
        let slots = description.slots(batch.returnedMask)
        var others = keysOfOthers()
        for (row, entry) in chosen.enumerated() {
            let index = batch.entries[entry].index
            var found = ParameterBuffer(width: keys.width)
            for property in description.keyIndices {
                found.append(
                    batch.returned.cells[entry * batch.returned.width + Int(slots[property])], of: batch.returned)
            }
            let isOther =
                !batch.group.generatesKeys
                && elementKey(of: index) != found.withRow(0, { ElementKey($0) })
            if isOther, batch.entries[entry].stateBefore == .persisted {
                throw description.conflict(
                    "The \(description.type) has a row already, and its values in the unique key are those of another. Update one, or delete it.",
                    row: row)
            }
            try batch.requireSettable(entry, row: row, description)
            for part in 0..<keys.width {
                keys.replace(index * keys.width + part, with: found.cells[part], of: found)
            }
            guard let key = found.key(ofRow: 0) else { throw statements.missingResult() }
            guard claimed[key] == nil, others[key] == nil else {
                throw description.conflict(
                    "Two objects are the same row of \"\(description.table)\". Give one of them.", row: row)
            }
            claimed[key] = Int32(truncatingIfNeeded: index)
            others[key] = Int32(truncatingIfNeeded: index)
        }
    }

    /// The keys of objects in the save that are not upserted themselves.
    private func keysOfOthers() -> KeyIndex {
        var result = KeyIndex()
        for index in 0..<count {
            let batch = Int(batchOfObject[index])
            if batch >= 0, batches[batch].group.action.explicitUpsert != nil { continue }
            if let key = key(of: index) { result[key] = Int32(truncatingIfNeeded: index) }
        }
        return result
    }

    /// Sends rows that are not inserted where others are in the way.
    func insertOrIgnore(
        _ batch: SaveBatch, _ chosen: [Int], _ encodedRows: ParameterBuffer, _ session: Session
    ) async throws {
        var numbers = ParameterBuffer(width: 1)
        for index in chosen.indices { numbers.append(.integer(Int64(index))) }
        let returned = try await session.collect(
            statements.rendered(.insertOrIgnore(batch.group.mask)), encodedRows.joined(with: numbers),
            width: keys.width + 1
        )
        batch.ignored.formUnion(try setReturnedKeys(returned, of: chosen, in: batch))
        if let advance = statements.advanceGeneratedKey, !batch.group.generatesKeys {
            try await session.execute(advance)
        }
    }

    /// Sets the keys of the rows that were inserted.
    ///
    /// - Parameter returned: For each row that was inserted, its number among those that were sent, and its key.
    /// - Returns: The entries whose rows were not.
    func setReturnedKeys(_ returned: ParameterBuffer, of chosen: [Int], in batch: SaveBatch) throws -> Set<Int> {
        var ignored = Set(chosen)
        for row in returned.rowIndices {
            let first = row * returned.width
            let number = Int(returned.cells[first].integer)
            guard chosen.indices.contains(number), ignored.remove(chosen[number]) != nil else {
                throw statements.missingResult()
            }
            for part in 0..<keys.width {
                keys.replace(
                    batch.entries[chosen[number]].index * keys.width + part, with: returned.cells[first + 1 + part],
                    of: returned)
            }
        }
        return ignored
    }
}

extension TableDescription {
    /// The error about rows that an upsert finds in its way outside of a scope.
    fileprivate var outside: DatabaseError {
        DatabaseError(
            .uniqueViolation,
            "A row of \"\(table)\" that is outside of the scopes of \(type) has the key of one that was to be written, or a trigger passed over it. Nothing was written. Choose another key.",
            table: table)
    }

    /// An error about one of several objects.
    func conflict(_ message: String, row: Int) -> DatabaseError {
        var error = DatabaseError(.conflict, message, table: table)
        error.objectIndex = row
        return error
    }

    /// The error about a property that would not be written, should the row of its object exist already.
    func notWritten(_ property: Int) -> DatabaseError {
        let name = properties[property].name
        return DatabaseError(
            .unsupported,
            columns.inverseMask.contains(property)
                ? "\"\(name)\" of \(type) is kept by the other side, and not written together with a row that may exist. Save what it holds afterwards."
                : "\"\(name)\" of \(type) is not among what is updated, so of a row that exists it would not be what the \(type) holds. Update it too.",
            table: table, properties: [name])
    }
}
