extension SaveTable {
    var showsValues: Bool { graph.core.configuration.showsValues }

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

    private func update(_ batch: SaveBatch, _ session: Session) async throws {
        let owners = keys.selecting(batch.passengers.map(\.row))
        let found: Int
        if let version = description.versionIndex, batch.group.mask.contains(version) {
            return try await writingVersions(batch, Array(batch.passengers.indices), session) {
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

    func missing(_ place: Int, _ owners: ParameterBuffer) -> DatabaseError {
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

    func missingResult() -> DatabaseError {
        DatabaseError(
            .engine, "The engine did not return a row for each object written to \"\(description.table)\".",
            table: description.table)
    }

    /// Runs a statement that returns so many values a row.
    func collect(
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
