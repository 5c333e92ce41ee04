/// Links to objects that nobody has seen who saves an array.
extension SaveTable {
    /// Refuses to delete links to objects that are outside of the scopes of their type: who loaded the array has not
    /// seen them.
    ///
    /// - Parameter deleted: The rows of the join table, by the columns that tell them apart.
    func requireInside(_ deleted: ParameterBuffer, _ property: Int, _ session: Session) async throws {
        guard let relation = description.columns.relation(property), !relation.target.description.scopes.isEmpty,
            let array = description.columns.joinTables[property]
        else { return }
        let text = sql(session).text(after: description.keyIndices.count) {
            $0.selectOutside(array, relation.target.description)
        }
        var owners = ParameterBuffer(width: description.keyIndices.count)
        for row in deleted.rowIndices {
            deleted.withRow(row) { cells in for part in 0..<owners.width { owners.append(copying: cells[part]) } }
        }
        let outside = try await session.collect(
            session.core.statementTexts.statement(text, table: array.name.description), owners.asLists,
            width: deleted.width)
        let keys = Set(outside.rowIndices.map { row in outside.withRow(row) { ElementKey($0) } })
        guard deleted.rowIndices.contains(where: { row in keys.contains(deleted.withRow(row) { ElementKey($0) }) })
        else { return }
        throw DatabaseError(
            .unsupported,
            "\"\(relation.name)\" of \(description.type) holds objects that are outside of a scope of \(relation.target.description.type), and a save of the array would lose them. Change it by `link` and `unlink`.",
            table: description.table, properties: [relation.name])
    }

    private func sql(_ session: Session) -> TableSQL { TableSQL(description: description, dialect: session.dialect) }
}
