import Foundation

/// Drops the indexes of a table that are meant.
struct IndexRemoval {
    let table: String
    let isMeant: (DatabaseSchema.Index) -> Bool

    func run(in transaction: Transaction) async throws {
        let session = transaction.scope.session
        let journal = JournalStatement.tableMapping.description.table
        let snapshot = try await session.lease.connection.tables([journal, table])
        let known = snapshot.tables[table]
        let indexes = known?.indexes.filter(isMeant) ?? []
        if indexes.isEmpty, known?.allIndexes.contains(where: isMeant) ?? false {
            throw DatabaseError(
                .conflict,
                "A UNIQUE constraint of \"\(table)\" has made that index, and keeps it. Nothing was dropped.",
                table: table)
        }
        guard !indexes.isEmpty else {
            throw DatabaseError(
                .notFound, "The table \"\(table)\" has no such index. Nothing was dropped.", table: table)
        }
        let now = Date()
        for index in indexes {
            let sql = "DROP INDEX \(session.dialect.quoted(index.name))"
            try await session.execute(Statement(sql, isCached: false))
            guard snapshot.tables[journal] != nil else { continue }
            _ = try await transaction.insert(
                [JournalStatement(id: nil, appliedAt: now, version: holdfastVersion, sql: sql)])
        }
    }
}
