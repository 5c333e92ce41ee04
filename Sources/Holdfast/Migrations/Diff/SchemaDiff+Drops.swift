// What is dropped, since the program allows for it.

extension SchemaDiff {
    /// Drops what may be dropped and is there.
    func dropSteps(_ definitions: [TableDefinition], _ problems: inout SchemaProblems) throws -> [SchemaStep] {
        try allowed.inOrder { "\($0)" < "\($1)" }.flatMap { loss in
            try problems.collect {
                switch loss.kind {
                case .table(let name): try dropSteps(table: name, definitions)
                case .column(let column, let name): try dropSteps(column, of: name, definitions)
                case .narrowing, .requiring, .wrapping, .unwrapping, .log, .search: []
                }
            } ?? []
        }
    }

    /// Drops a table with its delete rules.
    private func dropSteps(table name: String, _ definitions: [TableDefinition]) throws -> [SchemaStep] {
        guard let table = snapshot.tables[name] else { return [] }
        if let definition = definitions.first(where: { $0.name == name }) {
            throw conflict(definition, "It may be dropped, but a model has it", [])
        }
        let other = snapshot.tables.values.first { other in
            other.name != name && other.foreignKeys.contains { $0.table == name && $0.schema == nil }
        }
        if let other {
            throw DatabaseError(
                .conflict,
                "The table \"\(name)\" can't be dropped: \"\(other.name)\" refers to it. Nothing was changed.",
                table: name)
        }
        let rules = table.ownTriggers.flatMap { dialect.dropDeleteRuleSteps($0, on: name) }
        return rules + [
            SchemaStep(
                SchemaStatement(.dropTable(name), targets: table.foreignKeys.map(\.table)),
                "DROP TABLE \(quoted(name))", dialect, losesData: true)
        ]
    }

    /// Drops a column with its indexes and delete rules.
    ///
    /// - Parameter action: What it is a part of, if its values are elsewhere by then.
    func dropSteps(
        _ column: String, of name: String, _ definitions: [TableDefinition], for action: SchemaChange? = nil
    ) throws -> [SchemaStep] {
        guard let table = snapshot.tables[name], table.columns.contains(where: { $0.name == column }) else { return [] }
        if let definition = definitions.first(where: { $0.name == name }),
            let property = definition.columns.first(where: { $0.name == column })?.property
        {
            throw conflict(definition, "Its column \"\(column)\" may be dropped, but a model has it", [property])
        }
        try Self.refuseDropping(column, of: table, dialect)
        let hasModel = definitions.contains { $0.name == name }
        let rules = table.ownTriggers.filter { rule in
            // The triggers of the log of a model's table are replaced already.
            table.triggerColumns[rule]?.contains(column) == true
                && !(hasModel && LogTrigger.log(ofTrigger: rule) != nil)
                && !(hasModel && SearchIndex.parts(ofTrigger: rule) != nil)
        }.flatMap { dialect.dropDeleteRuleSteps($0, on: name) }
        let indexes = table.indexes.filter { index in
            // Those of the search of a model's table are replaced or dropped already.
            index.needs(column) && !(hasModel && index.name.hasPrefix(SearchIndex.namePrefix))
        }.map { index in
            SchemaStep(
                SchemaStatement(.dropIndex(index.name, table: name)), sql.dropIndex(index.name, isConcurrent: false),
                dialect, for: action ?? .dropColumn(column, table: name))
        }
        let targets = table.foreignKeys.filter { $0.columns.contains(column) }.map(\.table)
        return rules + indexes + [
            SchemaStep(
                SchemaStatement(.dropColumn(column, table: name), targets: targets),
                "ALTER TABLE \(quoted(name)) DROP COLUMN \(quoted(column))", dialect, for: action,
                losesData: action == nil)
        ]
    }

    /// Refuses to drop a column whose constraints an engine keeps that can't alter a table.
    static func refuseDropping(
        _ column: String, of table: DatabaseSchema.Table?, _ dialect: any Dialect
    ) throws {
        guard let table, !dialect.canAlterForeignKeys else { return }
        let constraint =
            table.foreignKeys.contains { $0.columns.contains(column) }
            ? "foreign key"
            : table.uniqueConstraints.contains { $0.columns.contains(column) } ? "UNIQUE constraint" : nil
        guard let constraint else { return }
        throw DatabaseError(
            .unsupported,
            "The column \"\(column)\" of \"\(table.name)\" has a \(constraint), and the engine can drop no such column.",
            table: table.name, properties: [column])
    }

    /// The changes by which the journal follows what is dropped.
    func dropBookkeeping() -> [JournalChange] {
        allowed.inOrder { "\($0)" < "\($1)" }.compactMap { loss in
            switch loss.kind {
            case .table(let table):
                return snapshot.tables[table] == nil ? nil : .forget(column: nil, table: table)
            case .column(let column, let table):
                guard snapshot.tables[table]?.columns.contains(where: { $0.name == column }) == true else { return nil }
                return .forget(column: column, table: table)
            case .narrowing, .requiring, .wrapping, .unwrapping, .log, .search: return nil
            }
        }
    }
}

extension Set<SchemaLoss> {
    /// The tables that they name.
    var tables: [String] {
        flatMap { loss in
            switch loss.kind {
            case .table(let table), .column(_, let table), .narrowing(_, let table), .requiring(_, let table): [table]
            case .log(let table), .search(let table): [table]
            case .wrapping(_, let table, let array), .unwrapping(let array, _, let table, _): [table, array]
            }
        }
    }
}
