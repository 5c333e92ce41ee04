/// Optimistic locking.
extension SaveTable {
    /// Runs what finds rows by their versions.
    ///
    /// - Parameters:
    ///   - chosen: The entries whose rows are written.
    ///   - write: Writes, and returns how many rows were written.
    /// - Throws: ``DatabaseError/Code/staleVersion`` about the first object whose row has another version than it
    ///   knows.
    func writingVersions(
        _ batch: SaveBatch, _ chosen: [Int], _ session: Session, _ write: nonisolated(nonsending) () async throws -> Int
    ) async throws {
        let owners = keys.selecting(chosen.map { batch.entries[$0].index })
        // After several rows were written, those that another client had changed can't be told from those that were
        // just written, so a savepoint undoes the writes first.
        let isUndone = chosen.count > 1
        if isUndone { try await session.beginSavepoint(0) }
        let found = try await write()
        // Two instances of one row were checked to hold the same, and count as one.
        func distinctCount() -> Int {
            Set(owners.rowIndices.map { row in owners.withRow(row) { ElementKey($0) } }).count
        }
        if found == chosen.count || found == distinctCount() {
            if isUndone { try await session.releaseSavepoint(0) }
            return
        }
        if isUndone { await session.rollbackToSavepoint(0) }
        let stored = try await session.collect(
            statements.ofHeldRows.selectMany, owners.asLists, width: description.columns.all.count)
        throw versionError(batch, chosen, owners, stored)
    }

    /// The error about the first object whose row is gone, or has another version than it knows.
    ///
    /// - Parameters:
    ///   - batch: The batch that was sent.
    ///   - chosen: The entries whose rows were to be written.
    ///   - owners: Their keys, a row for each.
    ///   - stored: The rows of all columns that there are.
    func versionError(
        _ batch: SaveBatch, _ chosen: [Int], _ owners: ParameterBuffer, _ stored: ParameterBuffer
    ) -> DatabaseError {
        var rows: [ElementKey: Int] = [:]
        for row in stored.rowIndices {
            let key = stored.withRow(row) { cells in
                let parts = description.columns.keySlots.map { cells[$0] }
                return parts.withUnsafeBufferPointer { ElementKey($0) }
            }
            rows[key] = row
        }
        let isUpdate = batch.group.action == .update
        if let version = description.versionIndex {
            let sentColumn = Int(description.slots(batch.group.mask)[version])
            let storedColumn = description.columns.ranges[version].lowerBound
            for (row, entry) in chosen.enumerated() {
                guard let storedRow = rows[owners.withRow(row) { ElementKey($0) }] else {
                    if isUpdate { return statements.missing(row, owners, showsKeys: showsKeys) }
                    continue
                }
                let written = batch.encodedRows.cells[entry * batch.encodedRows.width + sentColumn].integer
                let known = isUpdate ? written - 1 : written
                guard stored.cells[storedRow * stored.width + storedColumn].integer != known else { continue }
                return outdated(row, owners, stored, storedRow)
            }
        }
        return description.conflict(
            "A row of \"\(description.table)\" could not be written, although its version is the one known.", row: 0)
    }

    private func outdated(
        _ row: Int, _ owners: ParameterBuffer, _ stored: ParameterBuffer, _ storedRow: Int
    ) -> DatabaseError {
        var error = description.outdated(stored, storedRow)
        error.objectIndex = row
        if showsKeys {
            error.shownKey = owners.withRow(row) { cells in
                cells.baseAddress.map { description.exposed(Key(cells: $0, count: cells.count)).shown }
            }
        }
        return error
    }
}
