extension SaveTable {
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
            error.objectIndex = error.row(among: chosen.count).flatMap {
                chosen.indices.contains($0) ? errorPosition(ofRow: batch.passengers[chosen[$0]].row) : nil
            }
            throw description.explained(error)
        }
    }

    private func insert(
        _ batch: SaveBatch, _ chosen: [Int], _ columns: ParameterBuffer, _ session: Session
    ) async throws {
        let generated = try await plan.insert(columns, rowCount: chosen.count, batch.group, through: session)
        if !batch.group.generatesKeys, let advance = plan.advanceGeneratedKey { try await session.execute(advance) }
        take(generated, of: chosen.map { batch.passengers[$0].row })
    }

    /// Takes the keys that the engine made for some rows, if it did.
    func take(_ generated: ParameterBuffer, of rows: [Int]) {
        for (index, row) in rows.enumerated() where index < generated.cells.count {
            keys.replace(row * keys.width, with: generated.cells[index], of: generated)
        }
    }

    private func update(_ batch: SaveBatch, _ session: Session) async throws {
        let owners = keys.selecting(batch.passengers.map(\.row))
        if let version = description.versionIndex, batch.group.mask.contains(version) {
            return try await writingVersions(batch, Array(batch.passengers.indices), session) {
                let finding = description.finding(owners, of: batch.columns, mask: batch.group.mask)
                return try await session.execute(
                    plan.statement(.update(batch.group.mask)), batch.columns.joined(with: finding))
            }
        }
        try await plan.update(batch.columns, of: owners, batch.group, through: session)
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
            let mask = PropertyMask([property])
            let written = try await session.execute(plan.statement(.update(mask)), targets.joined(with: owners))
            if written < edges.count {
                try await plan.requireWritten(targets, mask, of: owners, through: session)
            }
        } catch var error as DatabaseError {
            error.objectIndex = error.objectIndex.flatMap {
                edges.indices.contains($0) ? errorPosition(ofRow: Int(edges[$0].owner.row)) : nil
            }
            throw description.explained(error)
        }
    }
}
