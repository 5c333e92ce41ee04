/// Runs named migrations in the transaction of a `migrate`.
struct MigrationRun {
    let transaction: Transaction
    private var writer: MigrationWriter
    /// What a script says that is run, if it has to be that.
    private(set) var watch: ScriptWatch?
    /// The steps that have run.
    private(set) var steps: [SchemaStep] = []
    private let isNew: Bool
    private var session: Session { transaction.scope.session }

    /// - Parameters:
    ///   - snapshot: The tables of the types, of the library's journal, and those that migrations name.
    ///   - journal: The journal before any of them.
    ///   - isNew: Whether the database had no tables before.
    init(
        _ transaction: Transaction, _ snapshot: SchemaTables, _ journal: SchemaJournal, isNew: Bool,
        _ watch: ScriptWatch?
    ) {
        let dialect = transaction.scope.session.core.dialect
        writer = MigrationWriter(schema: PlannedSchema(dialect: dialect, snapshot: snapshot, journal: journal))
        (self.transaction, self.isNew, self.watch) = (transaction, isNew, watch)
    }

    mutating func run(_ migrations: [Migration]) async throws {
        let names = migrations.flatMap(\.tables)
        if let first = migrations.first(where: { !$0.tables.isEmpty }) {
            for work in writer.dropDeleteRules(for: first.id) { try await run(work) }
        }
        for migration in migrations {
            for (index, step) in migration.steps.enumerated() {
                do {
                    try await run(step, of: migration.id, refreshing: names)
                } catch let error as DatabaseError {
                    throw MigrationWriter.naming(error, migration, step: index, isNew: isNew)
                }
            }
        }
    }

    private mutating func run(_ step: Migration.Step, of id: String, refreshing names: [String]) async throws {
        if case .dropTable(let table) = step, let other = try await referringTable(to: table) {
            throw MigrationWriter.isReferred(table, by: other)
        }
        for work in try writer.work(for: step, of: id) { try await run(work) }
        let tables = Set(writer.schema.snapshot.tables.keys).union(names)
        writer.schema.snapshot = try await session.lease.connection.tables(tables)
    }

    private mutating func run(_ work: MigrationWriter.Work) async throws {
        if let step = work.step {
            try watch?.admit(step)
            steps.append(step)
        }
        switch work {
        case .statement(let step, nil):
            do {
                try await session.execute(Statement(step.sql, isCached: false))
            } catch {
                throw step.naming(error)
            }
        case .statement(let step, let parameters?):
            try await session.run(Statement(step.sql, isCached: false, isRaw: true), parameters) { rows in
                while try rows.next() != nil {}
            }
        case .closure(_, let body): try await body(transaction)
        case .note(let change):
            try await session.execute(Statement(change.sql(session.core.dialect), isCached: false))
        }
    }

    private func referringTable(to table: String) async throws -> String? {
        guard let sql = session.core.dialect.referringTable(to: table) else { return nil }
        return try await session.run(Statement(sql, isCached: false)) { rows in
            try rows.next().map { String(decoding: $0[0].bytes, as: UTF8.self) }
        }
    }
}
