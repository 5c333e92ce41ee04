/// Rows that have expired, are still to be swept, and hold a unique value that is written: they have to go first.
extension SaveTable {
    /// Finds and locks the expired rows that are in the way of rows of a batch.
    ///
    /// `SELECT "id" FROM "session" WHERE ("until" <= …) IS TRUE AND "token" = ANY($1) FOR UPDATE`
    ///
    /// - Parameter rowIndices: The rows that are meant; nil for all.
    /// - Returns: Their keys.
    func expiredRows(
        inWayOf batch: SaveBatch, rowIndices: [Int]?, through session: Session
    ) async throws -> [StoredRows] {
        let rows = rowIndices.map { batch.encodedRows.selecting($0) } ?? batch.encodedRows
        let slots = description.slots(batch.group.mask)
        let sql = TableSQL(description: description, dialect: session.dialect)
        var found: [StoredRows] = []
        for unique in description.uniqueProperties(writtenBy: batch.group.mask) {
            let columns = unique.flatMap { Array(description.columns.all[description.columns.ranges[$0]]) }
            let isWritten =
                !unique.isEmpty
                && unique.allSatisfy {
                    batch.group.mask.contains($0) && !description.columns.alternateMask.contains($0)
                }
            // Of a unique key of which only a part is written, or which is no mere list of columns, all may be in the
            // way.
            guard let text = sql.selectExpired(holding: isWritten ? columns : []) else { continue }
            var values = ParameterBuffer(width: isWritten ? columns.count : 0)
            if isWritten {
                for row in rows.rowIndices {
                    for property in unique {
                        for part in 0..<description.columns.ranges[property].count {
                            values.append(rows.cells[row * rows.width + Int(slots[property]) + part], of: rows)
                        }
                    }
                }
            }
            found.append(
                try await session.copiedRows(
                    session.core.rawStatements.statement(text, table: description.table),
                    isWritten ? values.asLists : .none, width: description.keyIndices.count))
        }
        return found.filter { $0.rowCount > 0 }
    }
}

extension TableDescription {
    /// Whether rows that have expired can be in the way of what is written.
    func meetsExpired(_ mask: PropertyMask) -> Bool {
        expiry != nil && !uniqueProperties(writtenBy: mask).isEmpty
    }

    /// The unique keys that have a property among some; an empty list stands for one that is over expressions or over a
    /// part of the rows.
    fileprivate func uniqueProperties(writtenBy mask: PropertyMask) -> [[Int]] {
        var result: [[Int]] = []
        if !mask.intersection(keyMask).isEmpty { result.append(keyIndices) }
        for (index, property) in properties.enumerated() where property.isUnique && mask.contains(index) {
            result.append([index])
        }
        for index in indexes where index.isUnique {
            let names = index.properties.compactMap { self.index(ofProperty: $0) }
            if !index.isPlain {
                result.append([])
            } else if names.contains(where: mask.contains) {
                result.append(names)
            }
        }
        return result
    }
}
