/// Objects that are deleted once no owner holds them.
extension SaveTable {
    /// Locks objects that are to be deleted, and finds those among them that are still their owners'.
    ///
    /// - Parameters:
    ///   - released: Their keys, each followed by that of the owner.
    ///   - referring: The statement that finds all objects of the owners.
    /// - Returns: The keys of those, and of those that another client has given to another owner meanwhile.
    func orphans(
        among released: ParameterBuffer, _ referring: Statement, _ owners: ParameterBuffer, _ relation: Relation,
        _ session: Session
    ) async throws -> (rows: StoredRows, moved: Set<ElementKey>) {
        let other = relation.target.description
        let width = other.keyIndices.count
        var keys = ParameterBuffer(width: width)
        for row in released.rowIndices {
            released.withRow(row) { cells in for part in 0..<width { keys.append(copying: cells[part]) } }
        }
        if !session.dialect.rowLock.isEmpty {
            let sql = TableSQL(description: other, dialect: session.dialect)
            let lock = session.core.statementTexts.statement(
                sql.text(after: width) { $0.selectExisting() + session.dialect.rowLock }, table: other.table)
            _ = try await session.run(lock, keys.asLists) { rows in while try rows.next() != nil {} }
        }
        // Each with its owner: another one of the batch may have it by now.
        let pairs = Set(released.rowIndices.map { row in released.withRow(row) { ElementKey($0) } })
        let found = try await session.run(referring, owners.asLists) { rows in
            let found = StoredRows(width: width)
            while let cells = try rows.next() {
                guard pairs.contains(ElementKey(UnsafeBufferPointer(start: cells, count: released.width))) else {
                    continue
                }
                found.append(copying: cells)
            }
            return found
        }
        let candidates = Set(keys.rowIndices.map { row in keys.withRow(row) { ElementKey($0) } })
        let left = (0..<found.rowCount).map { ElementKey(UnsafeBufferPointer(start: found.row($0), count: width)) }
        return (found, candidates.subtracting(left))
    }
}
