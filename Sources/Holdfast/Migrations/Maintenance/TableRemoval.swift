import Foundation

/// Drops the table of a mapping, with what migrations have made for it.
struct TableRemoval {
    let description: TableDescription
    /// Whether foreign keys of other tables are dropped; otherwise they keep the table.
    let dropsReferences: Bool

    func run(in transaction: Transaction) async throws {
        let session = transaction.scope.session
        let dialect = session.dialect
        try description.requireOwnSchema()
        try SchemaJournal.refuse(description.table)
        let definitions = description.definitions
        let snapshot = try await session.lease.connection.tables(
            SchemaJournal.tables.union(definitions.map(\.name)))
        guard snapshot.tables[description.table] != nil else {
            throw DatabaseError(
                .notMigrated, "The table \"\(description.table)\" does not exist, so that it can't be dropped.",
                table: description.table)
        }
        if snapshot.tables[AdoptedTable.tableMapping.description.table] != nil,
            try await transaction.find(AdoptedTable.self, key: description.table) != nil
        {
            throw SchemaDiff.adopted(description.table)
        }
        var done: [String] = []
        func execute(_ sql: String) async throws {
            try await session.execute(Statement(sql, isCached: false))
            done.append(sql)
        }
        if dropsReferences {
            for sql in try await referenceDrops(session, of: Set(definitions.map(\.name))) { try await execute(sql) }
        }
        // Join tables go first, as they refer to the table: who still refers to that then is another one.
        for definition in definitions.reversed() {
            guard let table = snapshot.tables[definition.name] else { continue }
            if let other = try await referringTable(session, to: definition.name) {
                throw DatabaseError(
                    .conflict,
                    "The table \"\(definition.name)\" can't be dropped: \"\(other)\" refers to it. Drop that first.",
                    table: definition.name)
            }
            for rule in table.ownTriggers {
                for sql in dialect.dropDeleteRule(rule, on: definition.name) { try await execute(sql) }
            }
            try await execute("DROP TABLE \(dialect.quoted(definition.name))")
        }
        try await record(done, definitions.map(\.name), snapshot, transaction)
    }

    /// Lets the journal follow, as far as there is one.
    private func record(
        _ statements: [String], _ tables: [String], _ snapshot: SchemaTables, _ transaction: Transaction
    ) async throws {
        if snapshot.tables[JournalEntry.tableMapping.description.table] != nil {
            try await transaction.sql("DELETE FROM \(JournalEntry.self) WHERE table_name IN (\(tables))").execute()
        }
        if snapshot.tables[PastName.tableMapping.description.table] != nil {
            let past = PastNames(try await transaction.scope.session.records(PastName.self, snapshot))
            let dropped = tables.filter { snapshot.tables[$0] != nil }
            _ = try await transaction.note(dropped.map { .dropTable($0) }, after: past)
        }
        if snapshot.tables[JournalStatement.tableMapping.description.table] != nil {
            let now = Date()
            _ = try await transaction.insert(
                statements.map { JournalStatement(id: nil, appliedAt: now, version: holdfastVersion, sql: $0) })
        }
    }

    private func referringTable(_ session: Session, to table: String) async throws -> String? {
        guard let sql = session.dialect.referringTable(to: table) else { return nil }
        return try await session.run(Statement(sql, isCached: false)) { rows in
            try rows.next().map { String(decoding: $0[0].bytes, as: UTF8.self) }
        }
    }

    /// The statements that drop the foreign keys of others, and the delete rules that may lead by them.
    private func referenceDrops(_ session: Session, of tables: Set<String>) async throws -> [String] {
        let dialect = session.dialect
        var statements: [String] = []
        for other in try await session.schema(nil).tables where !tables.contains(other.name) {
            let keys = other.foreignKeys.filter { tables.contains($0.table) && $0.schema == nil }
            if keys.isEmpty { continue }
            guard dialect.canAlterForeignKeys else {
                throw DatabaseError(
                    .unsupported,
                    "\"\(other.name)\" refers to \"\(description.table)\", and the engine can drop no foreign key. Drop "
                        + "that table first.",
                    table: description.table)
            }
            statements += keys.compactMap(\.name).map {
                SchemaSQL(dialect: dialect).dropForeignKey($0, from: other.name)
            }
            statements += other.ownTriggers.flatMap { dialect.dropDeleteRule($0, on: other.name) }
        }
        return statements
    }
}
