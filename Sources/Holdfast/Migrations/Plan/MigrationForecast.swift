/// Plans all that `migrate` would run, step after step, without running it: pure, from what a database has.
///
/// It goes through what ``Migrator`` does, with the same functions, in the same order; where `Migrator` asks the engine
/// for what it has by then, it goes on from what the steps make of it.
struct MigrationForecast {
    /// All tables that named migrations can concern.
    private var schema: PlannedSchema
    /// The comparison as it is made, and the names of the tables that it looks at.
    private let template: SchemaDiff
    private let names: Set<String>
    private let definitions: [TableDefinition]
    private var additions: PlannedAdditions
    /// The named migrations that will be run before the types have their tables, and afterwards.
    private let early: [Migration]
    private let late: [Migration]
    private let isNew: Bool
    private var plan = SchemaPlan()
    /// Whether statements or closures of the application may have changed tables by now.
    private var isUncertain = false

    /// - Parameters:
    ///   - template: The comparison before anything is run.
    ///   - names: The tables that it looks at.
    ///   - snapshot: All tables that named migrations can concern.
    ///   - pending: The named migrations that the database has not had.
    ///   - isNew: Whether the database has no tables, so that only what each database needs is run.
    init(
        _ template: SchemaDiff, names: Set<String>, _ snapshot: SchemaTables, _ definitions: [TableDefinition],
        _ additions: PlannedAdditions, _ pending: [Migration], isNew: Bool
    ) throws {
        schema = PlannedSchema(dialect: template.dialect, snapshot: snapshot, journal: template.journal)
        (self.template, self.names, self.definitions) = (template, names, definitions)
        (self.additions, self.isNew) = (additions, isNew)
        early = isNew ? [] : pending.filter { $0.phase == .beforeTypes }
        late = isNew ? try pending.forNewDatabases() : pending.filter { $0.phase == .afterTypes }
        plan.migrations = Dictionary(pending.map { ($0.id, $0.checksum) }) { first, _ in first }
    }

    mutating func run() throws -> SchemaPlan {
        var problems = SchemaProblems()
        append(try additions.make(.beforeTypes), .transaction)
        append(try additions.remove(viewsStandAside: early.contains(where: \.takesAway)), .transaction)
        guard try runMigrations(early) else { return plan }
        if !template.onlyAdopts { followRenames(&problems) }
        let types = try diff.plan(for: definitions, &problems)
        guard try isFree(of: problems) else { return plan }
        plan.silentChanges = types.silentChanges
        let part = types.rebuildsTables ? SchemaStep.Part.rebuild : .transaction
        let before = schema.snapshot
        if types.altersColumns { append(try additions.remove(viewsStandAside: true), part) }
        schema.remake(types.remade)
        add(types.steps.filter { $0.isTransactional && !$0.drops }, part)
        plan.steps.flatMap(\.consequences).forEach { schema.journal.past.follow($0) }
        types.bookkeeping.forEach { schema.journal.follow($0) }
        if !template.onlyAdopts { schema.journal.record(schema.journal.missing(definitions, in: before)) }
        var concurrent = types.steps.filter { !$0.isTransactional }
        var drops = types.steps.filter(\.drops)
        if !late.isEmpty {
            let count = plan.steps.count
            append(try additions.make(.afterTypes), part)
            if late.contains(where: \.takesAway) { append(try additions.remove(viewsStandAside: true), part) }
            guard try runMigrations(late, part) else { return plan }
            if plan.steps.count > count {
                let rest = try diff.plan(for: definitions, &problems)
                guard try isFree(of: problems) else { return plan }
                drops = rest.steps.filter(\.isTransactional)
                concurrent = rest.steps.filter { !$0.isTransactional }
            }
        }
        if drops.contains(where: \.drops) { append(try additions.remove(viewsStandAside: true), part) }
        add(drops, part)
        append(try additions.make(.afterTypes), part)
        add(concurrent, .afterwards)
        return plan
    }

    /// The comparison as things are by now.
    private var diff: SchemaDiff {
        var diff = template
        diff.snapshot = SchemaTables(schema.snapshot.tables.values.filter { names.contains($0.name) })
        diff.journal = schema.journal
        return diff
    }

    /// Adds steps, and follows them.
    private mutating func add(_ steps: [SchemaStep], _ part: SchemaStep.Part) {
        append(steps, part)
        schema.follow(steps)
    }

    /// Adds steps that were followed already.
    private mutating func append(_ steps: [SchemaStep], _ part: SchemaStep.Part) {
        plan.steps += steps.map { step in
            var step = step
            step.part = part
            if isUncertain, step.unknown == nil { step.unknown = .dependent }
            return step
        }
    }

    /// Throws problems; or notes them, where they may be no more by then, and returns false.
    private mutating func isFree(of problems: SchemaProblems) throws -> Bool {
        if problems.isEmpty { return true }
        if !isUncertain { try problems.check() }
        plan.unplanned = problems.messages
        return false
    }

    private mutating func followRenames(_ problems: inout SchemaProblems) {
        let diff = diff
        var renames = SchemaRenames(diff.snapshot, diff.journal, diff.dialect)
        renames.follow(definitions, &problems)
        append(renames.steps, .transaction)
        for name in diff.snapshot.tables.keys { schema.snapshot.tables[name] = nil }
        schema.snapshot.tables.merge(renames.snapshot.tables) { _, new in new }
        schema.journal = renames.journal
    }

    private mutating func runMigrations(
        _ migrations: [Migration], _ part: SchemaStep.Part = .transaction
    ) throws -> Bool {
        for migration in migrations where migration.phase == .afterTypes { try migration.checkLateSteps() }
        var writer = MigrationWriter(schema: schema)
        if let first = migrations.first(where: { !$0.tables.isEmpty }) {
            append(writer.dropDeleteRules(for: first.id).compactMap(\.step), part)
        }
        for migration in migrations {
            for (index, step) in migration.steps.enumerated() {
                do {
                    append(try writer.work(for: step, of: migration.id).compactMap(\.step), part)
                } catch let error as DatabaseError {
                    let error = MigrationWriter.naming(error, migration, step: index, isNew: isNew)
                    guard isUncertain else { throw error }
                    plan.unplanned = [error.message]
                    return false
                }
                if step.mayChangeTables { isUncertain = true }
            }
        }
        schema = writer.schema
        return true
    }
}

extension Migration.Step {
    /// Whether tables, or what is known of their rows, may be otherwise afterwards in ways that no plan can tell.
    fileprivate var mayChangeTables: Bool {
        switch self {
        case .renameTable, .renameColumn, .changeType, .dropTable, .dropColumn: return false
        case .data: return true
        case .sql(let fragment):
            // Neither adds rows or removes any; a SELECT may call a function that does, or make a table.
            return switch fragment.words.first {
            case "update": false
            case "select": fragment.words.contains("(") || fragment.words.contains("into")
            default: true
            }
        }
    }
}
