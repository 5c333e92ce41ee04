extension Session {
    /// Rows of a relation: for each link its keys, and where among the rows its target is.
    struct JoinedRows: Sendable {
        let links: StoredRows
        let rows: StoredRows
        /// For each link the position of its target's row; -1 where there is none.
        var places: [Int32] = []
    }

    /// Runs a statement and keeps a copy of its rows.
    ///
    /// - Parameter timeout: How long it may take; nil for what the configuration says.
    func copiedRows(
        _ statement: Statement, _ parameters: ParameterBuffer, width: Int, timeout: Duration? = nil
    ) async throws -> StoredRows {
        try await run(statement, parameters, timeout: timeout) { source in
            try StoredRows(copying: source, width: width)
        }
    }

    /// Runs a statement that returns keys of a join table and then the row that they lead to, and keeps each row once.
    ///
    /// - Parameters:
    ///   - near: The number of cells of the owner's key, which come first.
    ///   - far: The number of cells of the target's key, which come next.
    ///   - width: The number of cells of a row of the target.
    func joinedRows(
        _ statement: Statement, _ parameters: ParameterBuffer, near: Int, far: Int, width: Int
    ) async throws -> JoinedRows {
        try await run(statement, parameters) { source in
            let prefix = near + far
            let count = source.underestimatedCount
            var result = JoinedRows(
                links: StoredRows(width: near, capacity: max(count, 16)), rows: StoredRows(width: width))
            result.places.reserveCapacity(count)
            var places = KeyIndex()
            while let cells = try source.next() {
                result.links.append(copying: cells)
                let key = Key(cells: cells + near, count: far)
                if let place = places[key] {
                    result.places.append(place)
                    continue
                }
                // A row that is there has a key, and no part of that is NULL.
                let isThere = (prefix..<prefix + width).contains { !cells[$0].isNull }
                let place = isThere ? Int32(truncatingIfNeeded: result.rows.rowCount) : -1
                places[key] = place
                result.places.append(place)
                if isThere { result.rows.append(copying: cells + prefix) }
            }
            return result
        }
    }
}
