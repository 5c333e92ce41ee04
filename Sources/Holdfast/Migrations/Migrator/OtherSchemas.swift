/// The tables of other schemas, which migrations look at and never change.
struct OtherSchemas {
    let core: DatabaseCore
    /// The tables of all types, wherever they are.
    let definitions: [TableDefinition]

    /// Finds the problems with tables of other schemas: a column of their mapping that they lack, and a relation to
    /// them that could not be kept without changing them.
    func problems(_ session: Session) async throws -> SchemaProblems {
        var problems = SchemaProblems()
        for definition in definitions { checkRelations(of: definition, &problems) }
        let others = Dictionary(grouping: definitions) { $0.schema }.inOrder { $0.key ?? "" < $1.key ?? "" }
        for (name, definitions) in others {
            guard let name else { continue }
            let schema: DatabaseSchema
            do {
                schema = try await session.schema(name)
            } catch let error as DatabaseError where error.code == .notFound {
                problems.add(
                    DatabaseError(
                        .conflict,
                        "There is no schema \"\(name)\", where the table \"\(definitions[0].tableName)\" should be. "
                            + "Create the schema, or attach its file. Nothing was changed.",
                        table: definitions[0].tableName.description))
                continue
            }
            for definition in definitions { check(definition, in: schema, &problems) }
        }
        return problems
    }

    private func check(
        _ definition: TableDefinition, in schema: DatabaseSchema, _ problems: inout SchemaProblems
    ) {
        if definition.logged.log != .none {
            problems.add(refusal(definition, "needs triggers for the change log", TableDefinition.remedyForLog))
        }
        guard let table = schema.table(definition.name) else {
            problems.add(
                refusal(
                    definition, "does not exist, and no migration makes tables in other schemas",
                    "Create it by SQL of your own"))
            return
        }
        for column in definition.columns where table.column(column.name) == nil {
            problems.add(
                refusal(
                    definition, "has no column \"\(column.name)\"",
                    "Name the column of \"\(column.property)\" by @Column(\"…\"), add it by SQL of your own, or leave the "
                        + "property out by @Transient",
                    [column.property]))
        }
        let keys = table.foreignKeys.map {
            DifferingKey(columns: $0.columns, table: $0.table, targets: $0.targetColumns)
        }
        if let differing = definition.differingKey(keys) {
            problems.add(refusal(definition, differing.problem, differing.remedy, differing.properties))
        }
        for key in definition.foreignKeys where key.isDenial {
            let isKept = table.foreignKeys.contains { found in
                found.columns == key.columns && found.table.lowercased() == key.table.lowercased()
                    && [.restrict, .noAction].contains(found.onDelete)
            }
            if isKept { continue }
            problems.add(
                refusal(
                    definition, "has no foreign key that refuses what the delete rule `.deny` has to",
                    "Leave the rule out",
                    definition.columns.filter { key.columns.contains($0.name) }.map(\.property)))
        }
    }

    /// Refuses delete rules that need a trigger there, and foreign keys that the engine can't have.
    private func checkRelations(of definition: TableDefinition, _ problems: inout SchemaProblems) {
        for rule in definition.deleteRules where rule.needsTrigger && (definition.schema != nil || rule.leadsElsewhere)
        {
            problems.add(
                refusal(
                    definition,
                    "needs a trigger for the delete rule of \"\(rule.property)\", which none has across schemas",
                    "Leave the rule out, and delete by `delete(_:including:)`", [rule.property]))
        }
        guard definition.schema == nil, !core.capabilities.refersAcrossSchemas else { return }
        for key in definition.foreignKeys where key.schema != nil {
            problems.add(
                DatabaseError(
                    .unsupported,
                    "The table \"\(definition.name)\" can have no foreign key to \"\(key.target)\": it is in another "
                        + "file. Declare the relation as `@Relation(foreignKey: false)`. Nothing was changed.",
                    table: definition.name,
                    properties: definition.columns.filter { key.columns.contains($0.name) }.map(\.property)))
        }
    }

    private func refusal(
        _ definition: TableDefinition, _ problem: String, _ remedy: String, _ properties: [String] = []
    ) -> DatabaseError {
        DatabaseError(
            .conflict, "The table \"\(definition.tableName)\" \(problem). \(remedy). Nothing was changed.",
            table: definition.tableName.description, properties: properties)
    }
}

extension TableDefinition {
    /// The name of the table with its schema.
    var tableName: TableName { TableName(schema: schema, name) }
}

extension TableDescription {
    /// Throws if the table is in another schema, where nothing of ours is made or dropped.
    func requireOwnSchema() throws {
        guard let schema = tableName.schema else { return }
        throw DatabaseError(
            .conflict,
            "The table \"\(table)\" is in the schema \"\(schema)\", where nothing is dropped. Do it by SQL of your own.",
            table: table)
    }
}
