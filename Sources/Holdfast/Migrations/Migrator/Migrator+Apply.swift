import Foundation

/// Doing what a migration has to do, in its transaction.
extension Migrator {
    /// Does what is to be done.
    ///
    /// - Parameter watch: Sees to it that just this is done; nil for whatever is missing.
    /// - Returns: What was run, and whether a table has to be made anew first, so that nothing else was done.
    func apply(
        _ definitions: [TableDefinition], _ transaction: Transaction, mayRebuild: Bool, _ watch: ScriptWatch?
    ) async throws -> (SchemaPlan, needsRebuild: Bool, ScriptWatch?) {
        let session = transaction.scope.session
        var watch = watch
        var diff = try await makeDiff(session, definitions)
        let found = try await SchemaVersion.read(session, diff.snapshot)
        let standing = try SchemaVersion.standing(of: try versions(), to: found)
        // Since a newer program has been faster.
        if standing == .accepted { return (SchemaPlan(), false, watch) }
        var gaps = LogGaps(diff)
        let own = SchemaDiff(snapshot: diff.snapshot, journal: diff.journal, dialect: core.dialect)
        try await runSQL(own.plan(for: SchemaJournal.definitions).steps.map(\.sql), session)
        if definitions.contains(where: { $0.logged.log != .none }) { try await makeLog(own, transaction) }
        if watch != nil {
            try watch?.begin(await forecast(session, definitions, try await additionStates(in: transaction)))
        }
        let isNew = isNew(diff)
        let additions = try SchemaAdditions(additions, core.dialect)
        let pending = try await pending(session, diff.snapshot)
        if isNew { _ = try pending.forNewDatabases() }
        let early = isNew ? [] : pending.filter { $0.phase == .beforeTypes }
        var done = try await additions.make(.beforeTypes, in: transaction, &watch)
        done += try await additions.remove(viewsStandAside: early.contains(where: \.takesAway), session, &watch)
        done += try await runMigrations(early, noting: early, diff, isNew: isNew, transaction, &watch)
        if !done.isEmpty { diff = try await makeDiff(session, definitions) }
        var problems = SchemaProblems()
        var renames = SchemaRenames(diff.snapshot, diff.journal, core.dialect)
        if !onlyAdopts { renames.follow(definitions, &problems) }
        if !renames.steps.isEmpty {
            try await runSteps(renames.steps, session, &watch)
            try await runBookkeeping(renames.bookkeeping, session)
            done += renames.steps
            diff = try await makeDiff(session, definitions)
        }
        var plan = try diff.plan(for: definitions, &problems)
        var all = plan
        all.steps = done + plan.steps
        try problems.collect { try all.checkAcceptance(try versions(), found?.upperBound) }
        let needsRebuild = plan.rebuildsTables && !mayRebuild
        // What is committed before the tables are made anew is not done for nothing.
        if !needsRebuild || !done.isEmpty || !problems.isEmpty { try await check(plan, &problems, session) }
        try problems.check()
        if needsRebuild {
            plan = SchemaPlan()
            if watch != nil {
                let states = try await additionStates(in: transaction)
                try watch?.require(await forecast(session, definitions, states).steps)
            }
        }
        var aside: [SchemaStep] = []
        if plan.altersColumns { aside = try await additions.remove(viewsStandAside: true, session, &watch) }
        let first = plan.steps.filter { $0.isTransactional && !$0.drops }
        try await runSteps(first, session, &watch)
        let past = try await transaction.note((done + first).flatMap(\.consequences), after: diff.journal.past)
        try await runBookkeeping(plan.bookkeeping, session)
        if mayRebuild { try await checkReferences(session) }
        if !needsRebuild {
            if !onlyAdopts { _ = try await transaction.insert(diff.journal.missing(definitions, in: diff.snapshot)) }
            let adoptedAt = Date()
            _ = try await transaction.insert(
                diff.journal.adoptions.map { AdoptedTable(table: $0, adoptedAt: adoptedAt) })
            // Late migrations may move values out of what is dropped, and fill what is added.
            let late = isNew ? pending : pending.filter { $0.phase == .afterTypes }
            var last: [SchemaStep] = []
            if !late.isEmpty {
                last += try await additions.make(.afterTypes, in: transaction, &watch)
                if late.contains(where: \.takesAway) {
                    last += try await additions.remove(viewsStandAside: true, session, &watch)
                }
                last += try await runLateMigrations(late, definitions, isNew: isNew, transaction, &watch)
            }
            var drops = plan.steps.filter(\.drops)
            var concurrent = plan.steps.filter { !$0.isTransactional }
            if !last.isEmpty {
                let rest = try await makeDiff(session, definitions).plan(for: definitions)
                drops = rest.steps.filter(\.isTransactional)
                concurrent = rest.steps.filter { !$0.isTransactional }
                try await runBookkeeping(rest.bookkeeping, session)
            }
            if drops.contains(where: \.drops) {
                last += try await additions.remove(viewsStandAside: true, session, &watch)
            }
            try await runSteps(drops, session, &watch)
            plan.steps = first + last + drops
            plan.steps += try await additions.make(.afterTypes, in: transaction, &watch)
            plan.steps += concurrent
            _ = try await transaction.note((last + drops).flatMap(\.consequences), after: past)
            try watch?.require(concurrent)
            if standing == .behind, let versions = try versions() {
                try await SchemaVersion.write(versions, in: transaction)
            }
        }
        plan.steps = done + aside + plan.steps
        try await runSQL(gaps.tables(after: plan.steps).compactMap { core.dialect.changeLog?.gap(in: $0) }, session)
        try plan.checkAcceptance(try versions(), found?.upperBound)
        if mayRebuild { plan.steps = plan.steps.map { $0.inRebuild } }
        let now = Date()
        _ = try await transaction.insert(
            plan.steps.filter(\.isTransactional).map {
                JournalStatement(id: nil, appliedAt: now, version: holdfastVersion, sql: $0.sql)
            })
        return (plan, needsRebuild, watch)
    }

    /// Notes what values are in the way of.
    private func check(_ plan: SchemaPlan, _ problems: inout SchemaProblems, _ session: Session) async throws {
        for obstacle in plan.steps.flatMap(\.obstacles) {
            let isThere: Bool
            do {
                isThere = try await session.run(Statement(obstacle.query, isCached: false)) { try $0.next() != nil }
            } catch is DatabaseError where !problems.isEmpty {
                // A column of another program's may be of a type that can't be asked so, and the problems tell that.
                // They end the migration, with the transaction that the engine may have given up.
                return
            }
            if isThere {
                problems.add(
                    DatabaseError(
                        .conflict, obstacle.error, table: obstacle.table,
                        properties: obstacle.property.map { [$0] } ?? []))
            }
        }
    }

    /// Refuses references that lead nowhere, which foreign keys would have.
    private func checkReferences(_ session: Session) async throws {
        guard let rebuild = core.dialect.tableRebuild else { return }
        let table = try await session.run(Statement(rebuild.violations, isCached: false)) { rows in
            try rows.next().map { String(decoding: $0[0].bytes, as: UTF8.self) }
        }
        guard let table else { return }
        throw DatabaseError(
            .conflict,
            "A row of \"\(table)\" refers to a row that does not exist, so that no table was made anew. "
                + "Nothing was changed.",
            table: table)
    }
}
