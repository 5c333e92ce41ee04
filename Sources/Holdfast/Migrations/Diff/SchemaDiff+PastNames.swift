// Names that were given up: a program that still has them is older than the database.

extension SchemaDiff {
    /// Refuses to make what was renamed once more under its former name, unless the program knows what became of it.
    ///
    /// A program knows it if it has the new name, in its types or among what may be lost, or lists the migration that
    /// renamed it: then something else is to have the name.
    func checkPastNames(_ definitions: [TableDefinition]) throws {
        for definition in definitions {
            guard let table = snapshot.tables[definition.name] else {
                if let name = journal.past.name(of: definition.name),
                    !definitions.contains(where: { $0.name == name }), !allowed.tables.contains(name),
                    !knownNames.contains(definition.name)
                {
                    throw isOlder(
                        "The table \"\(definition.name)\" was renamed to \"\(name)\"",
                        "migrate it together with the type of \"\(name)\"", definition, [])
                }
                continue
            }
            for column in definition.columns where !table.columns.contains(where: { $0.name == column.name }) {
                guard let name = journal.past.name(of: definition.name, column.name),
                    !definition.columns.contains(where: { $0.name == name }),
                    !allowed.contains(.dropping(column: name, of: definition.name)),
                    !knownNames.contains(definition.name, column.name)
                else { continue }
                throw isOlder(
                    "The column \"\(column.name)\" of \"\(definition.name)\" was renamed to \"\(name)\"",
                    "declare \"\(name)\", too, or allow it to be dropped", definition, [column.property])
            }
        }
    }

    private func isOlder(
        _ what: String, _ remedy: String, _ definition: TableDefinition, _ properties: [String]
    ) -> DatabaseError {
        DatabaseError(
            .conflict,
            "The database is newer than the program. \(what), which the program does not know. Start a newer version of "
                + "the program; if something new is to have the name, \(remedy). Nothing was changed.",
            table: definition.name, properties: properties)
    }
}
