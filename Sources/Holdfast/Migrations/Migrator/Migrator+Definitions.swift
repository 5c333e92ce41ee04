/// What tables the types of a migration need.
extension Migrator {
    /// The tables of all mappings and of those that their relations lead to, each once, in the order given; without
    /// those of other schemas, which nobody migrates.
    func definitions() throws -> [TableDefinition] { try allDefinitions().filter { $0.schema == nil } }

    func allDefinitions() throws -> [TableDefinition] {
        var definitions: [TableDefinition] = []
        var seen = Set<ObjectIdentifier>()
        var problems = SchemaProblems()
        let all = onlyAdopts ? adopting : (adopting + descriptions).flatMap(\.reachable)
        for description in all where seen.insert(ObjectIdentifier(description)).inserted {
            try problems.collect {
                try description.validate()
                try description.checkOwnScopes(core.dialect)
            }
            // What is only read may be anything.
            if description.isReadOnly, !adopting.contains(where: { $0 === description }) { continue }
            let added = try problems.collect { try addedIndexes(of: description) } ?? []
            definitions += description.definitions.map { definition in
                var definition = definition
                if definition.logged.log == .none, logging.contains(where: { $0 === description }) {
                    definition.logged.log = .changes
                }
                for index in added where definition.name == description.tableName.name {
                    if !definition.indexes.contains(where: { $0.name == index.name }) {
                        definition.indexes.append(index)
                    }
                }
                return definition
            }
        }
        try problems.collect { try requireIndexed(seen) }
        try problems.collect { try requireLogged(seen) }
        try problems.check()
        return definitions
    }

    /// Refuses to log types of which no table is made, whose changes would be lost without a word.
    private func requireLogged(_ seen: Set<ObjectIdentifier>) throws {
        for description in logging where !seen.contains(ObjectIdentifier(description)) || description.isReadOnly {
            throw DatabaseError(
                .conflict, "The schema logs \(description.type), and makes no table for it.",
                table: description.table)
        }
    }

    /// Refuses indexes for types of which no table is made, which would be lost without a word.
    private func requireIndexed(_ seen: Set<ObjectIdentifier>) throws {
        for (description, _) in indexing where !seen.contains(ObjectIdentifier(description)) || description.isReadOnly {
            throw DatabaseError(
                .conflict, "The schema has indexes for \(description.type), and makes no table for it.",
                table: description.table)
        }
    }

    private func addedIndexes(of description: TableDescription) throws -> [IndexDefinition] {
        try indexing.filter { $0.description === description }.map { _, index in
            if let problem = index.problems(with: description.properties, of: description.type).first {
                throw DatabaseError(
                    .conflict, problem.sentence, table: description.table, properties: problem.properties)
            }
            return IndexDefinition(index, of: description)
        }
    }
}
