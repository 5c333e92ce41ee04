/// Rows that have expired, are still to be swept, and hold a unique value that is written: they have to go first.
extension TableDescription {
    /// Finds and locks the expired rows that are in the way of rows that are written.
    ///
    /// `SELECT "id" FROM "session" WHERE ("until" <= …) IS TRUE AND "token" = ANY($1) FOR UPDATE`
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - mask: The properties that they hold.
    /// - Returns: The keys of those in the way.
    func expiredRows(
        inWayOf rows: ParameterBuffer, _ mask: PropertyMask, through session: Session
    ) async throws -> [StoredRows] {
        let slots = slots(mask)
        let sql = TableSQL(description: self, dialect: session.dialect)
        var found: [StoredRows] = []
        for unique in uniqueProperties(writtenBy: mask) {
            let columns = unique.flatMap { Array(self.columns.all[self.columns.ranges[$0]]) }
            let isWritten =
                !unique.isEmpty
                && unique.allSatisfy {
                    mask.contains($0) && !self.columns.alternateMask.contains($0)
                }
            // If only a part of a unique key is written, or the key is more than a list of columns, any expired row may
            // be in the way.
            var values = ParameterBuffer(width: isWritten ? columns.count : 0)
            if isWritten {
                for row in rows.rowIndices {
                    for property in unique {
                        for part in 0..<self.columns.ranges[property].count {
                            values.append(rows.cells[row * rows.width + Int(slots[property]) + part], of: rows)
                        }
                    }
                }
            }
            let text = sql.text(after: values.width, ifAny: { $0.selectExpired(holding: isWritten ? columns : []) })
            guard let text else { continue }
            found.append(
                try await session.copiedRows(
                    session.core.statementTexts.statement(text, table: table),
                    isWritten ? values.asLists : .none, width: keyIndices.count))
        }
        return found.filter { $0.rowCount > 0 }
    }

    /// Whether rows that have expired can be in the way of what is written.
    func meetsExpired(_ mask: PropertyMask) -> Bool {
        expiry != nil && !uniqueProperties(writtenBy: mask).isEmpty
    }

    /// Whether no row can be in the way of what is written but the one with its primary key.
    func meetsOnlyKey(_ mask: PropertyMask) -> Bool { uniqueProperties(writtenBy: mask) == [keyIndices] }

    /// The unique keys that have a property among some; an empty list stands for one that is over expressions or over a
    /// part of the rows.
    private func uniqueProperties(writtenBy mask: PropertyMask) -> [[Int]] {
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
