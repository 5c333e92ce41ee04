/// Rows that are written by one statement each, and need nothing else.
extension MappingPlan {
    /// Whether a save of an object is one row, with nothing before and after it.
    var isSavedByRow: Bool {
        description.isClass && mapping.changes != nil && hooks == nil && columns.isWrittenByRow
            && columns.relationMask.isEmpty
    }

    /// Inserts rows of a group.
    ///
    /// - Returns: The keys that the engine made, one for each row; none if it does not make them.
    func insert(
        _ rows: ParameterBuffer, rowCount: Int, _ group: SaveBatch.Group, through session: Session
    ) async throws -> ParameterBuffer {
        let statement = try statement(.insert(group.mask, returningKey: group.generatesKeys))
        var generated = ParameterBuffer(width: 1)
        guard group.generatesKeys else {
            try await session.execute(statement, rows)
            return generated
        }
        // A table of nothing but its key takes no parameters, so that one run inserts one row.
        for _ in 0..<(rows.width == 0 ? rowCount : 1) {
            generated.appendAll(try await session.collect(statement, rows))
        }
        guard generated.cells.count == rowCount else { throw missingResult() }
        return generated
    }

    /// Updates the rows of some owners; with no columns to be written, it locks them.
    ///
    /// - Parameter owners: The keys of the rows.
    /// - Throws: ``DatabaseError/Code/notFound``, with the position among the owners, if a row is gone.
    func update(
        _ rows: ParameterBuffer, of owners: ParameterBuffer, _ group: SaveBatch.Group, through session: Session
    ) async throws {
        let found: Int
        if rows.width > 0 {
            found = try await session.execute(statement(.update(group.mask)), rows.joined(with: owners))
        } else {
            // Only arrays changed: the owner is locked, so that two savers of one array end with one of the two, whole.
            found = try await session.run(lock, owners) { rows in
                var count = 0
                while try rows.next() != nil { count += 1 }
                return count
            }
        }
        guard found != owners.rowCount else { return }
        for row in owners.rowIndices {
            let key = owners.selecting([row])
            let isThere = try await session.run(exists, key) { try $0.next() != nil }
            if !isThere { throw missing(row, owners, showsValues: session.core.configuration.showsValues) }
        }
    }

    func missing(_ row: Int, _ owners: ParameterBuffer, showsValues: Bool) -> DatabaseError {
        var error = DatabaseError(
            .notFound,
            "A row of \"\(description.table)\" to be updated is gone. Insert the object if it is to exist again.",
            table: description.table)
        error.objectIndex = row
        if showsValues {
            error.shownKey = owners.withRow(row) { cells in
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
}

extension DatabaseError {
    /// Which of so many rows the error is about, if that can be told.
    func row(among count: Int) -> Int? { objectIndex ?? (count == 1 && isAboutRow ? 0 : nil) }

    /// Whether it is what a row holds that was refused.
    private var isAboutRow: Bool {
        switch code {
        case .uniqueViolation, .foreignKeyViolation, .notNullViolation, .checkViolation, .invalidValue, .notFound: true
        default: false
        }
    }
}
