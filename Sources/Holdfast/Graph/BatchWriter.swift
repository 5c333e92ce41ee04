/// Sends the batches of a save through one session, and tells what the engine gave back.
struct BatchWriter<Model: TableObject> {
    /// What the engine gave back for a batch.
    struct Outcome: Sendable {
        /// The keys that the engine made, one row each; empty if it made none.
        var generatedKeys = ParameterBuffer(width: 1)
        /// The creation times of the rows, where existing rows kept theirs; one row each.
        var keptCreated = ParameterBuffer(width: 1)
    }

    let plan: MappingPlan<Model>
    let session: Session
    private var description: TableDescription { plan.description }

    func write(_ batch: WriteBatch<Model>) async throws -> Outcome {
        do {
            return try await send(batch)
        } catch var error as DatabaseError {
            // The driver counts the rows of the batch; the caller knows the objects it gave.
            if let row = error.objectIndex, row < batch.objects.count { error.objectIndex = batch.objects[row] }
            throw description.explained(error)
        }
    }

    private func send(_ batch: WriteBatch<Model>) async throws -> Outcome {
        var outcome = Outcome()
        switch batch.group.action {
        case .insert:
            let statement = try plan.statement(.insert(batch.group.mask, returningKey: batch.generatesKeys))
            let rows = batch.columns.width == 0 ? batch.objects.count : 1
            for _ in 0..<rows {
                if batch.generatesKeys {
                    let keys = try await collect(statement, batch.columns)
                    outcome.generatedKeys.cells += keys.cells
                } else {
                    try await session.execute(statement, batch.columns)
                }
            }
            if batch.generatesKeys {
                guard outcome.generatedKeys.cells.count == batch.objects.count else { throw missingResult() }
            } else if let advance = plan.advanceGeneratedKey {
                try await session.execute(advance)
            }
        case .upsert(let keepsCreated):
            let created = keepsCreated ? createdColumn : nil
            let statement = try plan.statement(.upsert(batch.group.mask, keepingCreated: created))
            if created != nil {
                outcome.keptCreated = try await collect(statement, batch.columns)
                guard outcome.keptCreated.cells.count == batch.objects.count else { throw missingResult() }
            } else {
                try await session.execute(statement, batch.columns)
            }
            if let advance = plan.advanceGeneratedKey { try await session.execute(advance) }
        case .update: try await update(batch)
        }
        try await writeArrays(batch, generatedKeys: outcome.generatedKeys)
        return outcome
    }

    private func update(_ batch: WriteBatch<Model>) async throws {
        let found: Int
        if batch.columns.width > 0 {
            found = try await session.execute(plan.statement(.update(batch.group.mask)), batch.parameters)
        } else {
            // Only arrays changed: the owner is locked, so that two savers of one array end with one of the two, whole.
            found = try await session.run(plan.lock, batch.keys) { rows in
                var count = 0
                while try rows.next() != nil { count += 1 }
                return count
            }
        }
        guard found != batch.objects.count else { return }
        for row in batch.objects.indices {
            var key = ParameterBuffer(width: batch.keys.width)
            key.appendRow(row, of: batch.keys)
            let exists = try await session.run(plan.exists, key) { try $0.next() != nil }
            if !exists { throw missing(batch, row: row) }
        }
    }

    private func missing(_ batch: WriteBatch<Model>, row: Int) -> DatabaseError {
        var error = DatabaseError(
            .notFound,
            "A row of \"\(description.table)\" to be updated is gone. Insert the object if it is to exist again.",
            table: description.table)
        if batch.objects.count > 1 { error.objectIndex = row }
        if session.core.configuration.showsValues {
            error.shownKey = batch.keys.withRow(row) { cells in
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

    private var createdColumn: String? {
        description.properties.first { $0.timestamp == .created }?.columnName
    }

    /// Runs a statement that returns one value a row.
    private func collect(_ statement: Statement, _ parameters: ParameterBuffer) async throws -> ParameterBuffer {
        try await session.run(statement, parameters) { rows in
            var result = ParameterBuffer(width: 1)
            while let cells = try rows.next() { result.append(copying: cells[0]) }
            return result
        }
    }

    /// Replaces the elements of the arrays that the batch writes.
    private func writeArrays(_ batch: WriteBatch<Model>, generatedKeys: ParameterBuffer) async throws {
        let owners = batch.generatesKeys ? generatedKeys : batch.keys
        for array in batch.arrays {
            if batch.group.action != .insert {
                try await session.execute(plan.statement(.deleteElements(property: array.property)), owners)
            }
            let elements = array.encoder.buffer
            guard !elements.cells.isEmpty else { continue }
            var rows = ParameterBuffer(width: owners.width + 2)
            for row in batch.objects.indices {
                for (position, element) in array.elements(ofRow: row).enumerated() {
                    rows.appendRow(row, of: owners)
                    rows.append(.integer(Int64(position)))
                    rows.cells.append(.null)
                    rows.replace(rows.cells.count - 1, with: elements.cells[element], of: elements)
                }
            }
            do {
                try await session.execute(plan.statement(.insertElement(property: array.property)), rows)
            } catch var error as DatabaseError {
                error.objectIndex = nil  // it counts elements
                error.properties = [description.properties[array.property].name]
                throw error
            }
        }
    }
}

extension TableDescription {
    /// The error with the properties' names in place of the columns'.
    func explained(_ error: DatabaseError) -> DatabaseError {
        var error = error
        error.table = error.table ?? table
        guard error.table == table else { return error }
        if error.properties.isEmpty, let constraint = error.constraint { error.properties = columns(of: constraint) }
        error.properties = error.properties.map { column in
            index(ofColumn: column).map { properties[$0].name } ?? column
        }
        return error
    }

    /// The columns that a constraint or index of ours is over, by its name.
    private func columns(of constraint: String) -> [String] {
        let definition = TableDefinition(self)
        if constraint == definition.primaryKeyName { return definition.primaryKey }
        return definition.indexes.first { $0.name == constraint }?.columns ?? []
    }
}
