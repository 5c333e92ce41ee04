/// Sends the rows of one batch in a transaction, by the portion, while others are being encoded elsewhere.
struct PortionSender: Sendable {
    let access: DatabaseAccess
    let statements: TableStatements
    let group: SaveBatch.Group
    /// The keys of all rows, as far as they have some.
    let keys: ParameterBuffer
    /// The number by which the save waits for the connection.
    let queuedAs: UInt32?

    /// Sends all rows.
    ///
    /// - Returns: The keys that the engine made, one for each row; none if it does not make them.
    /// - Throws: What the engine says, with the position of the row; what ended the portions.
    @concurrent
    func send(_ portions: SaveBatch.Portions) async throws -> ParameterBuffer {
        try await access.perform(.atomic, purpose: "save") { session, _ in
            if let queuedAs { access.core.saveWaiters.leaveQueue(queuedAs) }
            var generated = ParameterBuffer(width: 1)
            if group.generatesKeys { generated.cells.reserveCapacity(keys.rowCount) }
            var sent = 0
            for try await rows in portions {
                do {
                    generated.appendAll(try await send(rows, from: sent, through: session))
                } catch var error as DatabaseError {
                    error.objectIndex = error.row(among: rows.rowCount).map { sent + $0 }
                    throw statements.description.explained(error)
                }
                sent += rows.rowCount
            }
            // In a task that was cancelled, they end before all have come.
            guard sent == keys.rowCount else {
                throw DatabaseError(.cancelled, "The task that saves was cancelled. Nothing was saved.")
            }
            if group.action == .insert, !group.generatesKeys, let advance = statements.advanceGeneratedKey {
                try await session.execute(advance)
            }
            return generated
        }
    }

    private func send(
        _ rows: ParameterBuffer, from first: Int, through session: Session
    ) async throws -> ParameterBuffer {
        if group.action == .insert {
            return try await statements.insert(rows, rowCount: rows.rowCount, group, through: session)
        }
        let owners = keys.selecting(Array(first..<first + rows.rowCount))
        try await statements.update(rows, of: owners, group, through: session)
        return ParameterBuffer(width: 1)
    }
}
