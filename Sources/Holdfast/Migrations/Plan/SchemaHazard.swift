/// A reason why a migration may disturb the previous version of the program, while that goes on with the same database.
///
/// See ``SchemaPlan/hazards``.
///
/// ```swift
/// for hazard in plan.hazards where hazard.severity == .breaks { print(hazard) }
/// // It does not find the column "title" of "note", which is dropped.
/// ```
public struct SchemaHazard: Hashable, Sendable {
    /// How sure it is that the previous version fails.
    public enum Severity: Hashable, Sendable {
        /// Operations of the previous version fail.
        case breaks
        /// Operations of the previous version fail or act otherwise with some values or rows.
        case mayBreak
    }

    /// The step of the plan; nil where the engine has nothing to do, since it has one type for both.
    public let step: SchemaStep?
    /// The table that the previous version uses; nil where it is not known.
    public let table: String?
    /// How sure it is.
    public let severity: Severity
    /// The effect on the previous version, as a sentence without values.
    public let message: String
}

extension SchemaHazard: CustomStringConvertible {
    public var description: String { message }
}

extension SchemaPlan {
    /// The reasons why the previous version of the program may not go on during and after the migration, as in a
    /// rolling deployment.
    ///
    /// ```swift
    /// let plan = try await db.schemaPlan(for: schema)
    /// guard plan.isSafeWhileRunning else {
    ///     for hazard in plan.hazards { print(hazard) }
    ///     exit(1)    // deploy in two steps, or stop the others first
    /// }
    /// ```
    ///
    /// The previous version is not in the program, so they follow from the plan alone. It assumes that the previous
    /// version used Holdfast, whose statements name their columns, and every table and column that the database had.
    /// New tables, indexes, and columns that are optional or have a default are no hazards. How long a step keeps
    /// others waiting is not among them: see ``SchemaStep/locks``.
    public var hazards: [SchemaHazard] {
        let finder = HazardFinder(steps)
        var seen = Set<SchemaHazard>()
        let found =
            steps.flatMap { step in step.consequences.compactMap { finder.hazard(of: $0, step) } }
            + silentChanges.compactMap { finder.hazard(of: $0, nil) }
        return found.filter { seen.insert($0).inserted }
    }

    /// Whether the previous version of the program can go on while this plan is run, and afterwards: there are no
    /// ``hazards``.
    ///
    /// ```swift
    /// if try await db.schemaPlan(for: schema).isSafeWhileRunning { try await db.migrate(schema) }
    /// ```
    public var isSafeWhileRunning: Bool { hazards.isEmpty }
}

/// Finds the hazards of changes, among all those of a plan.
private struct HazardFinder {
    private var created: Set<String> = []
    private var added: [String: [String: ColumnDefinition]] = [:]
    private var madeRules: Set<String> = []
    private var droppedRules: Set<String> = []
    private var madeSearches: Set<String> = []

    init(_ steps: [SchemaStep]) {
        for change in steps.flatMap(\.consequences) {
            switch change {
            case .createTable(let table): created.insert(table.name)
            case .addColumn(let column, let table): added[table, default: [:]][column.name] = column
            case .createDeleteRule(let rule, _): madeRules.insert(rule.name)
            case .dropDeleteRule(let name, _): droppedRules.insert(name)
            case .createSearch(let index, _): madeSearches.insert(index.name)
            default: break
            }
        }
    }

    func hazard(of change: SchemaChange, _ step: SchemaStep?) -> SchemaHazard? {
        guard let (severity, message) = severityAndMessage(of: change, step) else { return nil }
        return SchemaHazard(step: step, table: change.table, severity: severity, message: message)
    }

    private func severityAndMessage(
        of change: SchemaChange, _ step: SchemaStep?
    ) -> (SchemaHazard.Severity, String)? {
        let isFirst = step?.statement.index ?? 0 == 0
        return switch change {
        case .createTable(let table): table.foreignKeys.lazy.compactMap { refusal(by: table.name, $0) }.first
        case .addColumn(let column, let table): addition(of: column, to: table, step?.key)
        case .createIndex(let index, let table): uniqueness(of: index, table)
        case .addForeignKey(let key, let table): reference(key, table)
        case .createDeleteRule(let rule, let owner): isFirst ? creation(of: rule, owner) : nil
        case .dropDeleteRule(let name, let table):
            !isFirst || madeRules.contains(name) || SearchIndex.parts(ofTrigger: name) != nil
                ? nil : (.mayBreak, "A delete rule of \"\(table)\" is dropped, on which it may rely.")
        case .dropSearch(let name, let table):
            !isFirst || madeSearches.contains(name)
                ? nil : (.mayBreak, "The search index of \"\(table)\" is dropped, in which it may look for texts.")
        case .renameTable(let table, let name):
            (.breaks, "It does not find \"\(table)\", which is called \"\(name)\" then.")
        case .renameColumn(let column, let table, let name):
            (.breaks, "It does not find the column \"\(column)\" of \"\(table)\", which is called \"\(name)\" then.")
        case .dropTable(let table): (.breaks, "It does not find \"\(table)\", which is dropped.")
        case .dropColumn(let column, let table):
            (.breaks, "It does not find the column \"\(column)\" of \"\(table)\", which is dropped.")
        case .changeType(let column, let table, _, _, _):
            (.mayBreak, "The column \"\(column)\" of \"\(table)\" gets another type: values may not fit the old one.")
        case .setNotNull(let column, let table):
            (.mayBreak, "It can't write rows without a value in \"\(column)\" of \"\(table)\" any more.")
        case .dropNotNull(let column, let table):
            (.mayBreak, "It can't read rows without a value in \"\(column)\" of \"\(table)\", which may come.")
        case .setCheck(let column, let table, let refusesMore, let admitsMore):
            checking(column, table, refusesMore: refusesMore, admitsMore: admitsMore)
        case .addTableCheck(let check, let table):
            (.mayBreak, "It can't write rows of \"\(table)\" any more that break the check \"\(check.name)\".")
        case .makeAddition(let kind, _) where !kind.isNoticed, .dropAddition(let kind, _) where !kind.isNoticed: nil
        case .runMigration, .makeAddition, .dropAddition:
            (.mayBreak, "A statement or a closure of a migration or an addition is run, of which nothing is known.")
        case .setDefault, .updateRows, .dropIndex, .renameIndex, .dropForeignKey, .renameForeignKey,
            .renameGeneratedKey, .copyRows, .replaceTable, .setCollation, .dropCheck, .dropTableCheck, .renameCheck,
            .createLogTrigger, .dropLogTrigger, .createSearch, .alterColumn, .wrapColumn, .unwrapArray:
            nil
        }
    }

    private func addition(
        of column: ColumnDefinition, to table: String, _ key: ForeignKeyDefinition?
    ) -> (SchemaHazard.Severity, String)? {
        if !column.isNullable, column.defaultValue == nil {
            return (.breaks, "It inserts rows into \"\(table)\" without a value for the new column \"\(column.name)\".")
        }
        return key.flatMap { refusal(by: table, $0) }
    }

    private func checking(
        _ column: String, _ table: String, refusesMore: Bool, admitsMore: Bool
    ) -> (SchemaHazard.Severity, String)? {
        let place = "\"\(column)\" of \"\(table)\""
        if refusesMore { return (.mayBreak, "It can't write values into \(place) that are no cases any more.") }
        return admitsMore ? (.mayBreak, "It can't read values of \(place) that are new cases, which may come.") : nil
    }

    /// A unique index is in nobody's way if one of its columns is NULL in all rows of the previous version.
    private func uniqueness(of index: IndexDefinition, _ table: String) -> (SchemaHazard.Severity, String)? {
        let leavesNull = index.columns.contains { name in
            added[table]?[name].map { $0.isNullable && $0.defaultValue == nil } ?? false
        }
        guard index.isUnique, !created.contains(table), !leavesNull else { return nil }
        let columnList = index.columns.map { "\"\($0)\"" }.joined(separator: ", ")
        return (.mayBreak, "It can't write values twice any more into \(columnList) of \"\(table)\".")
    }

    private func reference(_ key: ForeignKeyDefinition, _ table: String) -> (SchemaHazard.Severity, String)? {
        let isNew = key.columns.allSatisfy { added[table]?[$0] != nil }
        if isNew || created.contains(table) { return refusal(by: table, key) }
        return (
            .mayBreak,
            "The foreign key of \"\(table)\" to \"\(key.target)\" is another one: deletions act otherwise, or are refused."
        )
    }

    private func refusal(by table: String, _ key: ForeignKeyDefinition) -> (SchemaHazard.Severity, String)? {
        guard key.onDelete == .restrict || key.onDelete == .noAction, key.schema != nil || !created.contains(key.table)
        else { return nil }
        return (.mayBreak, "It can't delete rows of \"\(key.target)\" to which rows of \"\(table)\" refer.")
    }

    private func creation(of rule: DeleteRuleDefinition, _ owner: String) -> (SchemaHazard.Severity, String)? {
        if created.contains(owner) || droppedRules.contains(rule.name) { return nil }
        return switch rule.rule {
        case .cascade: (.mayBreak, "Deleting rows of \"\(owner)\" deletes rows of \"\(rule.target)\" too.")
        default: (.mayBreak, "It can't delete rows of \"\(owner)\" that hold rows of \"\(rule.target)\".")
        }
    }
}
