extension Session {
    /// The rows of a table of the library's own; none where it does not exist yet.
    ///
    /// Columns that an earlier version of the library has not made are NULL.
    ///
    /// - Parameter snapshot: The tables of the library.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    func records<Record: TableObject & Sendable>(
        _ type: Record.Type, _ snapshot: SchemaTables
    ) async throws -> [Record] {
        let plan = try core.plan(for: Record.self)
        guard let table = snapshot.tables[plan.description.table], table.hasRows else { return [] }
        let columns = plan.description.definitions.first?.columns ?? []
        let existing = Set(table.columns.map(\.name))
        var statement = plan.statements.selectAll
        if !columns.allSatisfy({ existing.contains($0.name) }) {
            let values = columns.map { column in
                existing.contains(column.name)
                    ? dialect.quoted(column.name) : "CAST(NULL AS \(dialect.storedTypeName(of: column)))"
            }
            statement = Statement(
                "SELECT \(values.joined(separator: ", ")) FROM \(dialect.quoted(table.name))", isCached: false)
        }
        return try await run(statement) { rows in
            var records: [Record] = []
            while let cells = try rows.next() {
                records.append(try plan.mapping.decode(Row(cells: cells, layout: plan.description.fullLayout)))
            }
            return records
        }
    }
}
