/// Refuses names that would collide: with each other but for case, or with an engine's own.
enum NameCheck {
    /// Names of columns that PostgreSQL or SQLite has in every table: refused on every engine, so that models can move.
    static let systemColumns: Set<String> = [
        "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "rowid", "oid", "_rowid_",
    ]
    /// Beginnings of names of tables that PostgreSQL, SQLite or this library keep for themselves.
    static let reservedPrefixes = ["sqlite_", "pg_", "holdfast_"]

    /// Checks names, also by what the dialect keeps for its engine.
    static func check(
        _ definitions: [TableDefinition], _ dialect: (any Dialect)? = nil, _ problems: inout SchemaProblems
    ) {
        let systemColumns = systemColumns.union(dialect?.reservedColumns ?? [])
        let reservedPrefixes = reservedPrefixes + (dialect?.reservedTablePrefixes ?? [])
        var relations: [String: String] = [:]
        for definition in definitions {
            if let problem = problem(table: definition.name, reservedPrefixes) { problems.add(problem) }
            let names =
                [(definition.name, "table \"\(definition.name)\"")]
                + definition.indexes.map { ($0.name, "an index of \"\(definition.name)\"") }
            for (name, owner) in names {
                if let problem = claim(name, for: owner, in: &relations) { problems.add(problem) }
            }
            var columns: [String: String] = [:]
            for column in definition.columns {
                let lowercased = column.name.lowercased()
                if systemColumns.contains(lowercased) {
                    problems.add(
                        problem(
                            "\"\(column.name)\" is a column that the engine has in every table. Name the column of \"\(column.property)\" otherwise.",
                            definition.name, [column.property]))
                }
                if let other = columns.updateValue(column.property, forKey: lowercased) {
                    problems.add(
                        problem(
                            "\"\(other)\" and \"\(column.property)\" have the same column but for case. Name one with @Column.",
                            definition.name, [other, column.property]))
                }
            }
        }
    }

    private static func problem(table: String, _ reservedPrefixes: [String]) -> DatabaseError? {
        if table.isEmpty || table.utf8.contains(0) {
            return problem("A table needs a name, without NUL characters.", table, [])
        }
        let lowercased = table.lowercased()
        guard let prefix = reservedPrefixes.first(where: lowercased.hasPrefix), !SchemaJournal.tables.contains(table)
        else { return nil }
        return problem(
            "Table names that begin with \"\(prefix)\" are reserved. Name \"\(table)\" otherwise.", table, [])
    }

    /// Tables and indexes share one space of names in both engines.
    private static func claim(
        _ name: String, for owner: String, in relations: inout [String: String]
    ) -> DatabaseError? {
        guard let other = relations.updateValue(owner, forKey: name.lowercased()) else { return nil }
        if other == owner {
            return problem(
                "Two types have the table \"\(name)\". Name one otherwise, with `@Table(name:)`, or leave it out of the schema.",
                name, [])
        }
        return problem(
            "The name \"\(name)\" is both that of \(other) and that of \(owner), but for case. Name one otherwise.",
            name, [])
    }

    private static func problem(_ sentence: String, _ table: String, _ properties: [String]) -> DatabaseError {
        DatabaseError(.conflict, sentence, table: table, properties: properties)
    }
}
