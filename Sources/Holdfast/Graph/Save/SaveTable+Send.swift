extension SaveTable {
    private var showsValues: Bool { graph.core.configuration.showsValues }

    /// Sends rows of a batch: all, or those of some passengers.
    func send(_ batch: SaveBatch, rows: [Int]?, through session: Session) async throws {
        let chosen = rows ?? Array(batch.passengers.indices)
        do {
            let columns = rows.map { batch.columns.selecting($0) } ?? batch.columns
            switch batch.group.action {
            case .insert: try await insert(batch, chosen, columns, session)
            case .upsert(let upsert): try await self.upsert(batch, chosen, columns, session, upsert)
            case .insertOrIgnore: try await insertOrIgnore(batch, chosen, columns, session)
            case .update: try await update(batch, session)
            }
        } catch var error as DatabaseError {
            // The driver counts the rows of the batch, if they are several; the caller knows the objects it gave.
            if let row = error.objectIndex ?? (chosen.count == 1 && error.isAboutRow ? 0 : nil) {
                error.objectIndex =
                    chosen.indices.contains(row) ? errorPosition(ofRow: batch.passengers[chosen[row]].row) : nil
            }
            throw description.explained(error)
        }
    }

    private func insert(
        _ batch: SaveBatch, _ chosen: [Int], _ columns: ParameterBuffer, _ session: Session
    ) async throws {
        let statement = try plan.statement(.insert(batch.group.mask, returningKey: batch.group.generatesKeys))
        guard batch.group.generatesKeys else {
            try await session.execute(statement, columns)
            if let advance = plan.advanceGeneratedKey { try await session.execute(advance) }
            return
        }
        var generated = ParameterBuffer(width: 1)
        // A table of nothing but its key takes no parameters, so that one run inserts one row.
        for _ in 0..<(columns.width == 0 ? chosen.count : 1) {
            generated.appendAll(try await collect(statement, columns, session))
        }
        guard generated.cells.count == chosen.count else { throw missingResult() }
        for (index, place) in chosen.enumerated() {
            keys.replace(batch.passengers[place].row * keys.width, with: generated.cells[index], of: generated)
        }
    }

    private func upsert(
        _ batch: SaveBatch, _ chosen: [Int], _ columns: ParameterBuffer, _ session: Session, _ upsert: Upsert
    ) async throws {
        let statement = try plan.statement(.upsert(batch.group.mask, upsert))
        let width = description.columns(upsert.returned).count
        if width > 0, !upsert.isExplicit, description.versionIndex != nil {
            let owners = keys.selecting(batch.passengers.map(\.row))
            try await writingVersions(batch, owners, session) {
                let returned = try await collect(statement, columns, session, width: width)
                if returned.rowCount == chosen.count { batch.take(returned, of: chosen) }
                return returned.rowCount
            }
        } else if width > 0 {
            let returned = try await collect(statement, columns, session, width: width)
            guard returned.cells.count == chosen.count * width else { throw missingResult() }
            batch.take(returned, of: chosen)
            if upsert.isExplicit { try takeKeys(batch, chosen) }
        } else {
            try await session.execute(statement, columns)
        }
        if let advance = plan.advanceGeneratedKey, !batch.group.generatesKeys { try await session.execute(advance) }
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
            guard let key = found.key(ofRow: 0) else { throw missingResult() }
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

    private func conflict(_ message: String, at index: Int) -> DatabaseError {
        var error = DatabaseError(.conflict, message, table: description.table)
        error.objectIndex = index
        return error
    }

    private func insertOrIgnore(
        _ batch: SaveBatch, _ chosen: [Int], _ columns: ParameterBuffer, _ session: Session
    ) async throws {
        var numbers = ParameterBuffer(width: 1)
        for index in chosen.indices { numbers.append(.integer(Int64(index))) }
        let returned = try await collect(
            plan.statement(.insertOrIgnore(batch.group.mask)), columns.joined(with: numbers), session,
            width: keys.width + 1)
        var ignored = Set(chosen)
        for row in returned.rowIndices {
            let first = row * returned.width
            let index = Int(returned.cells[first].integer)
            guard chosen.indices.contains(index), ignored.remove(chosen[index]) != nil else { throw missingResult() }
            for part in 0..<keys.width {
                keys.replace(
                    batch.passengers[chosen[index]].row * keys.width + part, with: returned.cells[first + 1 + part],
                    of: returned)
            }
        }
        batch.ignored.formUnion(ignored)
        if let advance = plan.advanceGeneratedKey, !batch.group.generatesKeys { try await session.execute(advance) }
    }

    private func update(_ batch: SaveBatch, _ session: Session) async throws {
        let owners = keys.selecting(batch.passengers.map(\.row))
        let found: Int
        if let version = description.versionIndex, batch.group.mask.contains(version) {
            return try await writingVersions(batch, owners, session) {
                let finding = description.finding(owners, of: batch.columns, mask: batch.group.mask)
                return try await session.execute(
                    plan.statement(.update(batch.group.mask)), batch.columns.joined(with: finding))
            }
        }
        if batch.columns.width > 0 {
            found = try await session.execute(
                plan.statement(.update(batch.group.mask)), batch.columns.joined(with: owners))
        } else {
            // Only arrays changed: the owner is locked, so that two savers of one array end with one of the two, whole.
            found = try await session.run(plan.lock, owners) { rows in
                var count = 0
                while try rows.next() != nil { count += 1 }
                return count
            }
        }
        guard found != batch.passengers.count else { return }
        for place in batch.passengers.indices {
            var key = ParameterBuffer(width: owners.width)
            key.appendRow(place, of: owners)
            let exists = try await session.run(plan.exists, key) { try $0.next() != nil }
            if !exists { throw missing(place, owners) }
        }
    }

    /// Runs what finds rows by their versions.
    ///
    /// - Parameter write: Writes, and returns how many rows were written.
    /// - Throws: ``DatabaseError/Code/conflict`` about the first object whose row has another version than it knows.
    private func writingVersions(
        _ batch: SaveBatch, _ owners: ParameterBuffer, _ session: Session,
        _ write: nonisolated(nonsending) () async throws -> Int
    ) async throws {
        // Of several rows, which of them others had changed can't be told from those that were just written: these are
        // written back for it.
        let isUndone = batch.passengers.count > 1
        if isUndone { try await session.beginSavepoint(0) }
        let found = try await write()
        // Two values of one row, which were found to be the same, are one.
        if found == batch.passengers.count || found == Set(owners.rowIndices.map({ owners.withRow($0) { ElementKey($0) } })).count {
            if isUndone { try await session.releaseSavepoint(0) }
            return
        }
        if isUndone { await session.rollbackToSavepoint(0) }
        let width = description.columns.columns.count
        let rows = try await collect(plan.selectMany, owners.asLists, session, width: width)
        var current: [ElementKey: Int] = [:]
        for row in rows.rowIndices {
            let key = rows.withRow(row) { cells in
                let parts = description.columns.keySlots.map { cells[$0] }
                return parts.withUnsafeBufferPointer { ElementKey($0) }
            }
            current[key] = row
        }
        guard let version = description.versionIndex else { return }
        let (sent, stored) = (
            Int(description.slots(batch.group.mask)[version]), description.columns.ranges[version].lowerBound
        )
        for place in batch.passengers.indices {
            guard let row = current[owners.withRow(place) { ElementKey($0) }] else {
                if batch.group.action == .update { throw missing(place, owners) }
                continue
            }
            let written = batch.columns.cells[place * batch.columns.width + sent].integer
            let known = batch.group.action == .update ? written - 1 : written
            guard rows.cells[row * width + stored].integer != known else { continue }
            throw outdated(place, owners, rows, row)
        }
        throw conflict("A row of \"\(description.table)\" could not be written, although its version is the one known.", at: 0)
    }

    private func outdated(
        _ place: Int, _ owners: ParameterBuffer, _ rows: ParameterBuffer, _ row: Int
    ) -> DatabaseError {
        var error = description.outdated(rows, row)
        error.objectIndex = place
        if showsValues {
            error.shownKey = owners.withRow(place) { cells in
                cells.baseAddress.map { Key(cells: $0, count: cells.count).shown }
            }
        }
        return error
    }

    private func missing(_ place: Int, _ owners: ParameterBuffer) -> DatabaseError {
        var error = DatabaseError(
            .notFound,
            "A row of \"\(description.table)\" to be updated is gone. Insert the object if it is to exist again.",
            table: description.table)
        error.objectIndex = place
        if showsValues {
            error.shownKey = owners.withRow(place) { cells in
                cells.baseAddress.map { Key(cells: $0, count: cells.count).shown }
            }
        }
        return error
    }

    private func missingResult() -> DatabaseError {
        DatabaseError(
            .engine, "The engine did not return a row for each object written to \"\(description.table)\".",
            table: description.table)
    }

    /// Runs a statement that returns so many values a row.
    private func collect(
        _ statement: Statement, _ parameters: ParameterBuffer, _ session: Session, width: Int = 1
    ) async throws -> ParameterBuffer {
        try await session.run(statement, parameters) { rows in
            var result = ParameterBuffer(width: width)
            while let cells = try rows.next() {
                for column in 0..<width { result.append(copying: cells[column]) }
            }
            return result
        }
    }

    // MARK: References that had to wait

    func sendDeferred(
        _ property: Int, edges: [SaveBatch.Edge], through session: Session
    ) async throws {
        var targets = ParameterBuffer(width: description.columns.ranges[property].count)
        for edge in edges {
            targets.appendRow(Int(edge.target.row), of: graph.tables[Int(edge.target.table)].keys)
        }
        let owners = keys.selecting(edges.map { Int($0.owner.row) })
        do {
            try await session.execute(
                plan.statement(.update(PropertyMask([property]))), targets.joined(with: owners))
        } catch var error as DatabaseError {
            error.objectIndex = error.objectIndex.flatMap {
                edges.indices.contains($0) ? errorPosition(ofRow: Int(edges[$0].owner.row)) : nil
            }
            throw description.explained(error)
        }
    }
}

extension DatabaseError {
    /// Whether it is what a row holds that was refused.
    fileprivate var isAboutRow: Bool {
        switch code {
        case .uniqueViolation, .foreignKeyViolation, .notNullViolation, .checkViolation, .invalidValue, .notFound: true
        default: false
        }
    }
}
