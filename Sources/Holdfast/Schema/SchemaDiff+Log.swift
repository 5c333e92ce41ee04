// The triggers of the change log.

extension SchemaDiff {
    /// Creates the triggers of logged tables, in place of those that log other columns.
    ///
    /// A table that is logged already stays so, whatever the mapping says: other programs may rely on it. Only an
    /// allowance ends it.
    func logSteps(_ definitions: [TableDefinition], _ problems: inout SchemaProblems) throws -> [SchemaStep] {
        try definitions.flatMap { definition -> [SchemaStep] in
            let existing = (snapshot.tables[definition.name]?.deleteRules ?? [])
                .filter { LogTrigger.log(ofTrigger: $0) != nil }
            guard let triggers = try problems.collect({ try logTriggers(of: definition, existing) }) else { return [] }
            let names = Set(triggers.map(\.name))
            let drops = existing.filter { !names.contains($0) }.flatMap { name in
                dialect.dropDeleteRule(name, on: definition.name).enumerated().map { index, sql in
                    SchemaStep(
                        .dropLogTrigger(name: name, table: definition.name),
                        .dropDeleteRule(name, table: definition.name, index: index), sql, dialect,
                        consequences: [])
                }
            }
            let creations = triggers.filter { !existing.contains($0.name) }.flatMap { trigger in
                (dialect.changeLog?.createTrigger(trigger) ?? []).enumerated().map { index, sql in
                    SchemaStep(
                        .createLogTrigger(name: trigger.name, table: definition.name),
                        .createLogTrigger(trigger, index: index), sql, dialect)
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
