// The triggers of the change log.

extension SchemaDiff {
    /// Creates the triggers of logged tables, in place of those that log other columns.
    ///
    /// A table that is logged already stays so, whatever the mapping says: other programs may rely on it. Only an
    /// allowance ends it.
    func logSteps(_ definitions: [TableDefinition], _ problems: inout SchemaProblems) throws -> [SchemaStep] {
        try definitions.flatMap { definition -> [SchemaStep] in
            let existing = (snapshot.tables[definition.name]?.ownTriggers ?? [])
                .filter { LogTrigger.log(ofTrigger: $0) != nil }
            guard var triggers = try problems.collect({ try logTriggers(of: definition, existing) }) else { return [] }
            let runsForRows = snapshot.tables[definition.name]?.sharesRows ?? false
            for index in triggers.indices { triggers[index].runsForRows = runsForRows }
            // What is idle goes, and comes again.
            let names = Set(triggers.map(\.name)).subtracting(snapshot.tables[definition.name]?.idleTriggers ?? [])
            let drops = existing.filter { !names.contains($0) }.flatMap { name in
                dialect.dropDeleteRule(name, on: definition.name).enumerated().map { index, sql in
                    SchemaStep(
                        SchemaStatement(.dropLogTrigger(name: name, table: definition.name), index: index), sql, dialect
                    )
                }
            }
            let kept = names.intersection(existing)
            let creations = triggers.filter { !kept.contains($0.name) }.flatMap { trigger in
                (dialect.changeLog?.createTrigger(trigger) ?? []).enumerated().map { index, sql in
                    let change = SchemaChange.createLogTrigger(name: trigger.name, table: definition.name)
                    var step = SchemaStep(SchemaStatement(change, index: index), sql, dialect)
                    step.trigger = trigger
                    return step
                }
            }
            return drops + creations
        }
    }

    private func logTriggers(of definition: TableDefinition, _ existing: [String]) throws -> [LogTrigger] {
        let isLeft = allowed.contains(.leavingLog(of: definition.logged.table))
        var log = definition.logged.log
        if log == .none, !isLeft { log = existing.compactMap(LogTrigger.log).first ?? .none }
        if log == .none { return [] }
        guard dialect.changeLog != nil else {
            throw DatabaseError(
                .unsupported,
                "The changes of \"\(definition.name)\" can't be logged: the driver has no change log. Nothing was changed.",
                table: definition.name)
        }
        let lost = Set(allowed.compactMap { $0.lostColumn(of: definition.name) })
        let others = snapshot.tables[definition.name]?.columns.map(\.name).filter { !lost.contains($0) } ?? []
        var definition = definition
        definition.logged.log = log
        return definition.logTriggers(besides: others, dialect)
    }
}

extension TableDefinition {
    /// The triggers that log what the mapping asks for.
    ///
    /// - Parameter others: The columns that the table has, also those that the mapping does not know.
    func logTriggers(besides others: [String], _ dialect: any Dialect) -> [LogTrigger] {
        guard logged.log != .none, let changeLog = dialect.changeLog else { return [] }
        let columns = Set(columns.map(\.name)).union(others)
        return changeLog.events.map { event in
            LogTrigger(event, self, columns: Array(columns), includesOldValues: logged.log == .oldValues)
        }
    }
}

/// What a migration makes of the log: pure, from snapshots and steps to the tables of which the log may lack something.
struct LogGaps {
    /// The tables whose triggers logged everything.
    private var logged: Set<String>
    /// The tables that may have had rows.
    private var known: Set<String>

    /// Begins with the database as it is before the migration.
    init(_ diff: SchemaDiff) {
        let events = Set(diff.dialect.changeLog?.events ?? [])
        logged = Set(
            diff.snapshot.tables.values.filter { table in
                let triggers = table.ownTriggers.filter { !table.idleTriggers.contains($0) }
                return events.isSubset(of: triggers.compactMap(LogTrigger.event))
            }.map(\.name))
        known = Set(diff.snapshot.tables.keys).union(diff.journal.tables)
    }

    /// The tables, as the log calls them, that get triggers and had none, so that changes may be missing.
    ///
    /// The table of a new array is not one of them. That of a type always is, since the log may know another one of its
    /// name, which was dropped.
    mutating func tables(after steps: [SchemaStep]) -> [String] {
        var tables = Set<String>()
        for step in steps {
            switch step.statement.change {
            case .renameTable(let old, let new):
                if logged.remove(old) != nil { logged.insert(new) }
                if known.remove(old) != nil { known.insert(new) }
            case .createLogTrigger(_, let table) where !logged.contains(table) && step.statement.index == 0:
                guard let trigger = step.trigger, trigger.array == nil || known.contains(table) else { continue }
                tables.insert(trigger.loggedTable)
            default: break
            }
        }
        return tables.sorted()
    }
}

extension SchemaLoss {
    /// The column that the table has no more.
    fileprivate func lostColumn(of table: String) -> String? {
        switch kind {
        case .column(let column, table: table), .wrapping(let column, table: table, array: _): column
        // What told an array that is nil from an empty one.
        case .unwrapping(let array, column: _, table: table, keepsFirst: _) where array.hasPrefix(table + "_"):
            String(array.dropFirst(table.count + 1) + "_present")
        default: nil
        }
    }
}
