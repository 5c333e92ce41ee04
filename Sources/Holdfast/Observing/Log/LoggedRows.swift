/// Rows of one type that the log says have changed.
struct LoggedRows: Sendable {
    let core: DatabaseCore
    let statements: TableStatements

    private var description: TableDescription { statements.description }

    /// Returns logged changes as observed queries need them, with what the rows hold now: the log only has what they
    /// held before.
    ///
    /// If a row has changed again since, the log has an entry of that, too.
    ///
    /// - Returns: nil if some of them can't be told one by one.
    func changes(_ logged: [LoggedChange]) async throws -> [ObjectChange]? {
        let changes = logged.compactMap { $0.objectChange(of: description) }
        guard changes.count == logged.count else { return nil }
        let slots = description.slots(ofProperties: core.observations.comparedProperties(of: description.table))
        if slots.isEmpty { return changes }
        var keys = ParameterBuffer(width: description.keyIndices.count)
        for key in Set(changes.lazy.filter { $0.kind != .deleted }.compactMap(\.key)) {
            keys.appendRow(0, of: try description.parameters(of: key))
        }
        let width = statements.columns.all.count
        let rows = try await DatabaseAccess(kind: .database(core)).perform(.read, purpose: "changes") {
            [keys] session, _ in
            try await session.copiedRows(statements.selectMany, keys.asLists, width: width)
        }
        var values: [Key: [(property: String, value: ComparedValue)]] = [:]
        for row in 0..<rows.rowCount {
            let cells = rows.row(row)
            values[statements.columns.key(inRow: cells)] = slots.compactMap { $0.value(in: cells) }
        }
        return changes.map { change in
            var change = change
            if change.kind != .deleted, let key = change.key { change.values = values[key] ?? [] }
            return change
        }
    }
}
