import Foundation

/// Makes a database what the mappings need: plans, and applies the plan under the schema lock.
struct Migrator {
    let core: DatabaseCore
    let descriptions: [TableDescription]

    /// The tables of all mappings and of those that their relations lead to, each once, in the order given.
    private func definitions() throws -> [TableDefinition] {
        var definitions: [TableDefinition] = []
        var seen = Set<ObjectIdentifier>()
        for description in descriptions.flatMap(\.reachable) where seen.insert(ObjectIdentifier(description)).inserted {
            try description.validate()
            definitions += description.definitions
        }
        return definitions
    }

    /// What is to be done, without doing it.
    func plan() async throws -> SchemaPlan {
        let definitions = try definitions()
        return try await DatabaseAccess(kind: .database(core)).perform(.read, purpose: "migrate") { session, _ in
            try await state(session, definitions).plan(for: definitions)
        }
    }

    /// Plans; and if something is to be done, plans again under the lock and does it, in one transaction.
    ///
    /// - Returns: What was done.
    func run() async throws -> SchemaPlan {
        let definitions = try definitions()
        let access = DatabaseAccess(kind: .database(core))
        let isDone = try await access.perform(.read, purpose: "migrate") { session, _ in
            let diff = try await state(session, definitions)
            return try diff.plan(for: definitions).isEmpty && diff.journal.missing(definitions).isEmpty
        }
        if isDone { return SchemaPlan() }
        return try await Database(core: core).transaction(isolation: .readCommitted) { transaction in
            let session = transaction.scope.session
            if let lock = core.dialect.schemaLock {
                try await session.run(Statement(lock, isCached: false)) { while try $0.next() != nil {} }
            }
            return try await apply(definitions, transaction)
        }
    }

    private func state(_ session: Session, _ definitions: [TableDefinition]) async throws -> SchemaDiff {
        let snapshot = try await session.lease.connection.snapshot(
            of: definitions.map(\.name) + SchemaJournal.tables.sorted())
        var journal = SchemaJournal()
        if let table = snapshot.tables[JournalEntry.tableMapping.description.table], table.hasRows {
            let plan = try core.plan(for: JournalEntry.self)
            let entries = try await session.run(plan.selectAll) { rows in
                var entries: [JournalEntry] = []
                while let cells = try rows.next() {
                    entries.append(
                        try plan.mapping.decode(Row(cells: cells, layout: plan.description.fullLayout)))
                }
                return entries
            }
            journal = SchemaJournal(entries)
        }
        return SchemaDiff(snapshot: snapshot, journal: journal, dialect: core.dialect)
    }

    private func apply(_ definitions: [TableDefinition], _ transaction: Transaction) async throws -> SchemaPlan {
        let session = transaction.scope.session
        let diff = try await state(session, definitions)
        let plan = try diff.plan(for: definitions)
        let preparation = try diff.plan(for: SchemaJournal.definitions)
        for step in preparation.steps + plan.steps {
            try await session.execute(Statement(step.sql, isCached: false))
        }
        _ = try await transaction.insert(diff.journal.missing(definitions))
        let now = Date()
        _ = try await transaction.insert(
            plan.steps.map {
                JournalStatement(id: nil, appliedAt: now, version: holdfastVersion, sql: $0.sql)
            })
        return plan
    }
}

/// The version of this library, as migrations record it.
let holdfastVersion = "0.1.0"
