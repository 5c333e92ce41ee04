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
    /// The named migrations that will be run.
    private let pending: [Migration]
    private var plan = SchemaPlan()
    /// Whether statements or closures of the application may have changed tables by now.
    private var isUncertain = false

    /// - Parameters:
    ///   - template: The comparison before anything is run.
    ///   - names: The tables that it looks at.
    ///   - snapshot: All tables that named migrations can concern.
    init(
        _ template: SchemaDiff, names: Set<String>, _ snapshot: SchemaSnapshot, _ definitions: [TableDefinition],
        _ pending: [Migration]
    ) {
        schema = PlannedSchema(dialect: template.dialect, snapshot: snapshot, journal: template.journal)
        (self.template, self.names, self.definitions, self.pending) = (template, names, definitions, pending)
    }

    mutating func run() throws -> SchemaPlan {
        plan.migrations = Dictionary(pending.map { ($0.id, $0.checksum) }) { first, _ in first }
        var problems = SchemaProblems()
        guard try runMigrations(.beforeTypes) else { return plan }
        if !template.onlyAdopts { followRenames(&problems) }
        let types = try diff.plan(for: definitions, &problems)
        guard try isFree(of: problems) else { return plan }
        plan.silentChanges = types.silentChanges
        let part = types.rebuildsTables ? SchemaStep.Part.rebuild : .transaction
        let before = schema.snapshot
        schema.remake(types.remade)
        add(types.steps.filter { $0.isTransactional && !$0.drops }, part)
        types.bookkeeping.forEach { schema.journal.follow($0) }
        if !template.onlyAdopts { schema.journal.record(schema.journal.missing(definitions, in: before)) }
        var concurrent = types.steps.filter { !$0.isTransactional }
        let count = plan.steps.count
        guard try runMigrations(.afterTypes, part) else { return plan }
        if plan.steps.count > count {
            let rest = try diff.plan(for: definitions, &problems)
            guard try isFree(of: problems) else { return plan }
            add(rest.steps.filter(\.isTransactional), part)
            concurrent = rest.steps.filter { !$0.isTransactional }
        } else {
            add(types.steps.filter(\.drops), part)
        }
        add(concurrent, .afterwards)
        return plan
    }

    /// The comparison as things are by now.
    private var diff: SchemaDiff {
        var diff = template
        diff.snapshot = SchemaSnapshot(tables: schema.snapshot.tables.filter { names.contains($0.key) })
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
        _ phase: Migration.Phase, _ part: SchemaStep.Part = .transaction
    ) throws -> Bool {
        let migrations = pending.filter { $0.phase == phase }
        if phase == .afterTypes { try migrations.forEach { try $0.checkLateSteps() } }
        var writer = MigrationWriter(schema: schema)
        if let first = migrations.first(where: { !$0.tables.isEmpty }) {
            append(writer.dropDeleteRules(for: first.id).compactMap(\.step), part)
        }
        for migration in migrations {
            for step in migration.steps {
                do {
                    append(try writer.work(for: step, of: migration.id).compactMap(\.step), part)
                } catch let error as DatabaseError {
                    let error = MigrationWriter.naming(error, migration.id)
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
