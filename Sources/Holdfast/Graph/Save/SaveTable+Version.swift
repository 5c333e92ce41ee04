extension SaveTable {
    /// Runs what finds rows by their versions.
    ///
    /// - Parameters:
    ///   - chosen: The passengers whose rows are written.
    ///   - write: Writes, and returns how many rows were written.
    /// - Throws: ``DatabaseError/Code/staleVersion`` about the first object whose row has another version than it knows.
    func writingVersions(
        _ batch: SaveBatch, _ chosen: [Int], _ session: Session, _ write: nonisolated(nonsending) () async throws -> Int
    ) async throws {
        let owners = keys.selecting(chosen.map { batch.passengers[$0].row })
        // Of several rows, which of them others had changed can't be told from those that were just written: these are
        // written back for it.
        let isUndone = chosen.count > 1
        if isUndone { try await session.beginSavepoint(0) }
        let found = try await write()
        // Two values of one row, which were found to be the same, are one.
        func distinctCount() -> Int {
            Set(owners.rowIndices.map { row in owners.withRow(row) { ElementKey($0) } }).count
        }
        if found == chosen.count || found == distinctCount() {
            if isUndone { try await session.releaseSavepoint(0) }
            return
        }
        if isUndone { await session.rollbackToSavepoint(0) }
        let width = description.columns.columns.count
        let rows = try await session.collect(plan.selectMany, owners.asLists, width: width)
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
        for (index, place) in chosen.enumerated() {
            guard let row = current[owners.withRow(index) { ElementKey($0) }] else {
                if batch.group.action == .update { throw plan.missing(index, owners, showsValues: showsValues) }
                continue
            }
            let written = batch.columns.cells[place * batch.columns.width + sent].integer
            let known = batch.group.action == .update ? written - 1 : written
            guard rows.cells[row * width + stored].integer != known else { continue }
            throw outdated(index, owners, rows, row)
        }
        throw conflict(
            "A row of \"\(description.table)\" could not be written, although its version is the one known.", at: 0)
    }

    private var showsValues: Bool { graph.core.configuration.showsValues }

    private func outdated(
        _ index: Int, _ owners: ParameterBuffer, _ rows: ParameterBuffer, _ row: Int
    ) -> DatabaseError {
        var error = description.outdated(rows, row)
        error.objectIndex = index
        if showsValues {
            error.shownKey = owners.withRow(index) { cells in
                cells.baseAddress.map { Key(cells: $0, count: cells.count).shown }
            }
        }
        return error
    }

    func conflict(_ message: String, at index: Int) -> DatabaseError {
        var error = DatabaseError(.conflict, message, table: description.table)
        error.objectIndex = index
        return error
    }
}
