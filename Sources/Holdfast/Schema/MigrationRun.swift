/// Runs named migrations in the transaction of a `migrate`.
struct MigrationRun {
    let transaction: Transaction
    private(set) var snapshot: SchemaSnapshot
    private var journal: SchemaJournal
    /// The steps that have run.
    private(set) var steps: [SchemaStep] = []
    private var session: Session { transaction.scope.session }
    private var dialect: any Dialect { session.core.dialect }

    /// - Parameters:
    ///   - snapshot: The tables of the types, of the library's journal, and those that migrations name.
    ///   - journal: The journal before any of them.
    init(_ transaction: Transaction, _ snapshot: SchemaSnapshot, _ journal: SchemaJournal) {
        (self.transaction, self.snapshot, self.journal) = (transaction, snapshot, journal)
    }

    mutating func run(_ migrations: [Migration]) async throws {
        let names = migrations.flatMap(\.tables)
        // They name tables and columns in ways that no engine follows everywhere. What the types need is made again.
        if let first = migrations.first(where: { !$0.tables.isEmpty }) { try await dropDeleteRules(for: first.id) }
        for migration in migrations {
            for step in migration.steps {
                do {
                    try await run(step, of: migration.id, refreshing: names)
                } catch var error as DatabaseError {
                    error.message =
                        "The migration \"\(migration.id)\" failed, and nothing was changed. " + error.message
                    throw error
                }
            }
        }
    }

    private mutating func run(_ step: Migration.Step, of id: String, refreshing names: [String]) async throws {
        if let table = step.tables.first(where: journal.adopted.contains) { throw SchemaDiff.adopted(table) }
        switch step {
        case .renameTable(let table, let name): try await rename(of: id) { $0.rename(table: table, to: name) }
        case .renameColumn(let column, let table, let name):
            try await rename(of: id) { $0.rename(column: column, of: table, to: name) }
        case .changeType(let column, let table, let type, let value):
            try await changeType(of: column, in: table, to: type, using: value, for: id)
        case .dropTable(let table):
            if let other = try await referringTable(to: table) {
                throw DatabaseError(
                    .conflict, "The table \"\(table)\" can't be dropped: \"\(other)\" refers to it.", table: table)
            }
            try await execute(
                .dropTable(table, targets: snapshot.targets(of: nil, in: table)), "DROP TABLE \(quoted(table))", of: id)
            try await note(dropped: nil, of: table)
        case .dropColumn(let column, let table):
            let indexes = snapshot.tables[table]?.indexes ?? []
            if !dialect.canAlterForeignKeys,
                snapshot.tables[table]?.foreignKeys.contains(where: { $0.columns.contains(column) }) == true
            {
                throw DatabaseError(
                    .unsupported,
                    "The column \"\(column)\" of \"\(table)\" has a foreign key, and the engine can drop no such column.",
                    table: table, properties: [column])
            }
            for index in indexes where index.needs(column) {
                try await execute(
                    .dropIndex(index.name, table: table, isConcurrent: false), "DROP INDEX \(quoted(index.name))",
                    of: id)
            }
            try await execute(
                .dropColumn(column, table: table, targets: snapshot.targets(of: column, in: table)),
                "ALTER TABLE \(quoted(table)) DROP COLUMN \(quoted(column))", of: id)
            try await note(dropped: column, of: table)
        case .sql(let fragment):
            let (sql, parameters) = try fragment.render(dialect)
            try await session.run(Statement(sql, isCached: false, isRaw: true), parameters) { rows in
                while try rows.next() != nil {}
            }
            note(.custom, sql, of: id)
        case .data(let body):
            try await body(transaction)
            note(.custom, "-- data of the migration \"\(id)\"", of: id)
        }
        let tables = Set(snapshot.tables.keys).union(names)
        snapshot = try await session.lease.connection.snapshot(of: tables.sorted())
    }

    private func referringTable(to table: String) async throws -> String? {
        guard let sql = dialect.referringTable(to: table) else { return nil }
        return try await session.run(Statement(sql, isCached: false)) { rows in
            try rows.next().map { String(decoding: $0[0].bytes, as: UTF8.self) }
        }
    }

    private mutating func dropDeleteRules(for id: String) async throws {
        for (table, known) in snapshot.tables.sorted(by: { $0.key < $1.key }) where !journal.adopted.contains(table) {
            for rule in known.deleteRules {
                for (index, sql) in dialect.dropDeleteRule(rule, on: table).enumerated() {
                    try await execute(.dropDeleteRule(rule, table: table, index: index), sql, of: id)
                }
            }
            snapshot.tables[table]?.deleteRules = []
        }
    }

    private mutating func changeType(
        of column: String, in table: String, to type: ColumnType, using value: SQLFragment?, for id: String
    ) async throws {
        guard let existing = snapshot.tables[table]?.columns.first(where: { $0.name == column }) else {
            throw DatabaseError(
                .notMigrated, "There is no column \"\(column)\" in a table \"\(table)\".", table: table,
                properties: [column])
        }
        let text = try converted(column, table, to: type, using: value)
        let sql = SchemaSQL(dialect: dialect)
        let alter = "ALTER TABLE \(quoted(table))"
        for index in snapshot.tables[table]?.indexes ?? [] where index.needs(column) {
            try await execute(
                .dropIndex(index.name, table: table, isConcurrent: false), "DROP INDEX \(quoted(index.name))", of: id)
        }
        let change = SchemaChange.changeType(
            column: column, table: table, from: existing.typeName, to: type, isComputed: value != nil)
        if dialect.tableRebuild == nil {
            if existing.hasDefault {
                try await execute(
                    .setDefault(column: column, table: table), "\(alter) ALTER COLUMN \(quoted(column)) DROP DEFAULT",
                    of: id)
            }
            try await execute(
                change, "\(alter) ALTER COLUMN \(quoted(column)) TYPE \(dialect.typeName(type)) USING \(text)", of: id)
        } else {
            let new = Naming.shortened("holdfast_new_\(column)")
            var added = ColumnSnapshot(
                name: new, typeName: dialect.storedTypeName(type), isNullable: existing.isNullable, hasDefault: false)
            if !existing.isNullable { added.defaultSQL = dialect.literal(type.zero, type: type) }
            let replacement = SchemaChange.replaceTable(table)
            try await execute(replacement, "\(alter) ADD COLUMN \(sql.leftover(added, type))", of: id)
            try await execute(change, "UPDATE \(quoted(table)) SET \(quoted(new)) = \(text)", of: id)
            try await execute(replacement, "\(alter) DROP COLUMN \(quoted(column))", of: id)
            try await execute(replacement, "\(alter) RENAME COLUMN \(quoted(new)) TO \(quoted(column))", of: id)
        }
        let contents = JournalEntry.Contents(type: type.rawValue, storage: 0)
        try await session.execute(
            Statement(
                "UPDATE \(quoted(JournalEntry.tableMapping.description.table)) "
                    + "SET \"logical_type\" = \(dialect.literal(contents.type)), \"storage\" = \(contents.storage) "
                    + "WHERE \"table_name\" = \(dialect.literal(table)) "
                    + "AND \"column_name\" = \(dialect.literal(column))", isCached: false))
    }

    /// The new value of a column, as SQL.
    private func converted(
        _ column: String, _ table: String, to type: ColumnType, using value: SQLFragment?
    ) throws -> String {
        if let value {
            let (sql, parameters) = try value.render(dialect)
            if parameters.width == 0 { return sql }
            throw DatabaseError(
                .unsupported, "The expression for \"\(column)\" has interpolated values. Write them as SQL.",
                table: table, properties: [column])
        }
        if let old = journal.entry(table: table, column: column)?.columnType,
            old == type || TypeChange(from: old, to: type) == .widening
        {
            return dialect.converted(quoted(column), from: old, to: type)
        }
        throw DatabaseError(
            .invalidValue,
            "What becomes of the values of \"\(column)\" is not known: give an expression (`using:`).", table: table,
            properties: [column])
    }

    private mutating func rename(of id: String, _ change: (inout SchemaRenames) -> Void) async throws {
        var renames = SchemaRenames(snapshot, journal, dialect)
        change(&renames)
        journal = renames.journal
        for step in renames.steps { try await execute(step.consequences.first ?? .custom, step.sql, of: id) }
        for sql in renames.bookkeeping { try await session.execute(Statement(sql, isCached: false)) }
    }

    private func quoted(_ name: String) -> String { dialect.quoted(name) }

    private mutating func execute(_ change: SchemaChange, _ sql: String, of id: String) async throws {
        note(change, sql, of: id)
        do {
            try await session.execute(Statement(sql, isCached: false))
        } catch {
            throw steps.last?.naming(error) ?? error
        }
    }

    private mutating func note(_ change: SchemaChange, _ sql: String, of id: String) {
        steps.append(SchemaStep(.runMigration(id: id), change, sql, dialect, losesData: change.drops))
    }

    /// Lets the journal follow a column, or all of a table, that was dropped.
    private func note(dropped column: String?, of table: String) async throws {
        let rest = column.map { " AND \"column_name\" = \(dialect.literal($0))" } ?? ""
        let sql =
            "DELETE FROM \(quoted(JournalEntry.tableMapping.description.table)) "
            + "WHERE \"table_name\" = \(dialect.literal(table))\(rest)"
        try await session.execute(Statement(sql, isCached: false))
    }
}
