// Foreign keys, and the triggers that keep delete rules.

extension SchemaDiff {
    /// New tables in an order in which each comes after those it refers to, as far as they don't refer to each other.
    func creationOrder(_ definitions: [TableDefinition]) -> [TableDefinition] {
        let byName = Dictionary(definitions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var (order, seen): ([TableDefinition], Set<String>) = ([], [])
        for definition in definitions where !seen.contains(definition.name) {
            // Depth first, without recursion: a chain of references may be long.
            var path = [definition]
            while let last = path.last {
                seen.insert(last.name)
                if let next = last.foreignKeys.lazy.compactMap({ $0.schema == nil ? byName[$0.table] : nil }).first(
                    where: {
                        !seen.contains($0.name)
                    })
                {
                    path.append(next)
                } else {
                    order.append(path.removeLast())
                }
            }
        }
        return order
    }

    func keyStep(_ key: ForeignKeyDefinition, _ definition: TableDefinition) -> SchemaStep {
        SchemaStep(
            SchemaStatement(.addForeignKey(key, table: definition.name)), sql.addForeignKey(key, to: definition.name),
            dialect)
    }

    /// The foreign key that comes with a column which is added; nil where it is added later, or there is none.
    func key(of column: ColumnDefinition, in definition: TableDefinition) -> ForeignKeyDefinition? {
        dialect.canAlterForeignKeys ? nil : definition.foreignKeys.first { $0.columns == [column.name] }
    }

    /// Whether a foreign key has to be otherwise which the engine can't change in a table that exists.
    func needsOtherKeys(_ table: DatabaseSchema.Table, _ definition: TableDefinition) -> Bool {
        if dialect.canAlterForeignKeys { return false }
        let existing = Set(table.columns.map(\.name))
        return definition.foreignKeys.contains { key in
            guard let found = table.foreignKeys.first(where: { $0.refersAs(key) }) else {
                return key.columns.count > 1 && !existing.isSuperset(of: key.columns)
            }
            return !found.acts(as: key)
        }
    }

    /// Adds the foreign keys of columns that are new, and changes those that do something else on deletion.
    func keySteps(
        for table: DatabaseSchema.Table, _ definition: TableDefinition, _ problems: inout SchemaProblems
    ) throws -> [SchemaStep] {
        try definition.foreignKeys.flatMap { key in
            try problems.collect { try steps(for: key, of: table, definition) } ?? []
        }
    }

    private func steps(
        for key: ForeignKeyDefinition, of table: DatabaseSchema.Table, _ definition: TableDefinition
    ) throws -> [SchemaStep] {
        if let found = table.foreignKeys.first(where: { $0.refersAs(key) }) {
            return try changes(from: found, to: key, table, definition)
        }
        let properties = definition.properties(of: key)
        if Set(table.columns.map(\.name)).isSuperset(of: key.columns) {
            throw conflict(
                definition, "It has no foreign key to \"\(key.target)\", which the mapping needs", properties)
        }
        if dialect.canAlterForeignKeys { return [keyStep(key, definition)] }
        if key.columns.count == 1 { return [] }  // the column brings it along
        throw conflict(
            definition,
            "It needs a foreign key of several columns (\(key.columns.joined(separator: ", "))) to \"\(key.target)\", which the engine can add to no table that exists",
            properties)
    }

    private func changes(
        from found: DatabaseSchema.ForeignKey, to key: ForeignKeyDefinition, _ table: DatabaseSchema.Table,
        _ definition: TableDefinition
    ) throws -> [SchemaStep] {
        if found.acts(as: key) { return [] }
        guard dialect.canAlterForeignKeys, let name = found.name else {
            throw conflict(
                definition,
                "Its foreign key to \"\(key.target)\" says ON DELETE \(found.onDelete.rawValue), but the mapping needs ON DELETE \(key.onDelete.rawValue), and the engine can change no foreign key of a table that exists",
                definition.properties(of: key))
        }
        let drop = SchemaStep(
            SchemaStatement(.dropForeignKey(name: name, table: table.name), targets: [found.table]),
            sql.dropForeignKey(name, from: table.name), dialect)
        return [drop, keyStep(key, definition)]
    }

    /// Drops delete rules that are declared no more or otherwise, then creates those that are missing.
    func deleteRuleSteps(_ definitions: [TableDefinition]) -> [SchemaStep] {
        var wanted: [String: Set<String>] = [:]
        var creations: [SchemaStep] = []
        for definition in definitions {
            for rule in definition.deleteRules where rule.needsTrigger {
                let table = rule.triggerTable(owner: definition.name)
                wanted[table, default: []].insert(rule.name)
                if snapshot.tables[table]?.ownTriggers.contains(rule.name) == true { continue }
                creations += dialect.createDeleteRule(rule, on: definition).enumerated().map { index, sql in
                    SchemaStep(
                        SchemaStatement(.createDeleteRule(rule, owner: definition.name), index: index), sql, dialect)
                }
            }
        }
        let drops = definitions.flatMap { definition in
            let decided = definition.decidedRules
            let names = snapshot.tables[definition.name]?.ownTriggers ?? []
            return names.filter { decided.contains($0) && wanted[definition.name]?.contains($0) != true }
                .flatMap { dialect.dropDeleteRuleSteps($0, on: definition.name) }
        }
        return drops + creations
    }
}

extension Dialect {
    /// The steps that drop a delete rule.
    func dropDeleteRuleSteps(_ name: String, on table: String) -> [SchemaStep] {
        dropDeleteRule(name, on: table).enumerated().map { index, sql in
            SchemaStep(SchemaStatement(.dropDeleteRule(name: name, table: table), index: index), sql, self)
        }
    }
}

extension DatabaseSchema.ForeignKey {
    fileprivate func refersAs(_ definition: ForeignKeyDefinition) -> Bool {
        columns == definition.columns && table == definition.table && schema == definition.schema
            && targetColumns == definition.targetColumns
    }

    /// Whether it does on deletion what is asked.
    ///
    /// RESTRICT and NO ACTION both refuse; they differ in when.
    fileprivate func acts(as definition: ForeignKeyDefinition) -> Bool {
        onDelete == definition.onDelete || definition.onDelete == .restrict && onDelete == .noAction
    }
}

extension TableDefinition {
    /// The properties of the columns that a foreign key is of.
    fileprivate func properties(of key: ForeignKeyDefinition) -> [String] {
        var seen = Set<String>()
        return columns.filter { key.columns.contains($0.name) }.map(\.property).filter { seen.insert($0).inserted }
    }

    /// The names of all delete rules that the properties of this definition could have.
    ///
    /// It decides about no others.
    ///
    /// Another mapping of the table may have other properties. The properties of a join table are those of a table that
    /// it refers to.
    fileprivate var decidedRules: Set<String> {
        var names = Set<String>()
        for property in Set(columns.map(\.property)) {
            for owner in Set([name] + foreignKeys.map(\.table)) {
                for rule in [DeleteRule.cascade, .deny] {
                    names.insert(DeleteRuleDefinition.name(owner: owner, property: property, rule: rule))
                }
            }
        }
        return names
    }
}
