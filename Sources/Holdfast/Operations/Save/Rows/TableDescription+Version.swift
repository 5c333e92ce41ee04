/// Optimistic locking: an update counts up the version of its row, and finds the row only by the version that it knows.
extension TableDescription {

    /// Counts up the version in the row that begins at `firstCell`.
    ///
    /// - Throws: ``DatabaseError/Code/invalidValue`` if its type holds no more.
    func countUp(
        _ buffer: inout ParameterBuffer, from firstCell: Int, group: SaveBatch.Group, writtenBack: inout PropertyMask
    ) throws {
        guard let versionIndex, group.action == .update, group.mask.contains(versionIndex) else { return }
        let position = firstCell + Int(slots(group.mask)[versionIndex])
        let version = buffer.cells[position].integer
        guard version < versionLimit else {
            throw DatabaseError(
                .invalidValue,
                "The version of the \(type) is the greatest that its type holds. Make it a wider integer.",
                table: table, properties: [properties[versionIndex].name])
        }
        buffer.cells[position] = .integer(version + 1)
        writtenBack.insert(versionIndex)
    }

    /// The parameters that find the rows of an update: keys, and the versions that were known before they were counted
    /// up.
    ///
    /// - Parameter rows: What the rows are set to.
    func conditionParameters(_ owners: ParameterBuffer, of rows: ParameterBuffer, mask: PropertyMask) -> ParameterBuffer
    {
        guard let versionIndex, mask.contains(versionIndex) else { return owners }
        let slot = Int(slots(mask)[versionIndex])
        var versions = ParameterBuffer(width: 1)
        for row in rows.rowIndices {
            versions.append(.integer(rows.cells[row * rows.width + slot].integer - 1))
        }
        return owners.joined(with: versions)
    }

    /// The error about an object whose row has another version than it knows.
    func outdated(_ rows: ParameterBuffer, _ row: Int) -> DatabaseError {
        var error = DatabaseError(
            .staleVersion,
            "The row of the \(type) has changed since the object was read: another client wrote it, or a statement of this "
                + "program. `currentObject` of this error is what the database has; `reload` fetches it.",
            table: table, properties: versionIndex.map { [properties[$0].name] } ?? [])
        error.currentRow = CurrentRow(description: self, cells: rows.selecting([row]))
        return error
    }
}
