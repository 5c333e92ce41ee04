/// Refuses names that would collide: with each other but for case, or with an engine's own.
enum NameCheck {
    /// Names of columns that PostgreSQL or SQLite has in every table: refused on every engine, so that models can move.
    static let systemColumns: Set<String> = [
        "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "rowid", "oid", "_rowid_",
    ]
    /// Beginnings of names of tables that PostgreSQL, SQLite or this library keep for themselves.
    static let reservedPrefixes = ["sqlite_", "pg_", "holdfast_"]

    /// Checks names, also by what the dialect keeps for its engine.
    static func run(_ definitions: [TableDefinition], _ dialect: (any Dialect)? = nil) throws {
        let systemColumns = systemColumns.union(dialect?.reservedColumns ?? [])
        let reservedPrefixes = reservedPrefixes + (dialect?.reservedTablePrefixes ?? [])
        var relations: [String: String] = [:]
        for definition in definitions {
            try check(table: definition.name, reservedPrefixes)
            try claim(definition.name, for: "table \"\(definition.name)\"", in: &relations)
            for index in definition.indexes {
                try claim(index.name, for: "an index of \"\(definition.name)\"", in: &relations)
            }
            var columns: [String: String] = [:]
            for column in definition.columns {
                let lowercased = column.name.lowercased()
                if systemColumns.contains(lowercased) {
                    throw problem(
                        "\"\(column.name)\" is a column that the engine has in every table. Name the column of \"\(column.property)\" otherwise.",
                        definition.name, [column.property])
                }
                if let other = columns.updateValue(column.property, forKey: lowercased) {
                    throw problem(
                        "\"\(other)\" and \"\(column.property)\" have the same column but for case. Name one with @Column.",
                        definition.name, [other, column.property])
                }
            }
        }
    }

    private static func check(table: String, _ reservedPrefixes: [String]) throws {
        if table.isEmpty || table.utf8.contains(0) {
            throw problem("A table needs a name, without NUL characters.", table, [])
        }
        let lowercased = table.lowercased()
        for prefix in reservedPrefixes where lowercased.hasPrefix(prefix) && !SchemaJournal.tables.contains(table) {
            throw problem("Table names that begin with \"\(prefix)\" are reserved. Name it otherwise.", table, [])
        }
    }

    /// Tables and indexes share one space of names in both engines.
    private static func claim(_ name: String, for owner: String, in relations: inout [String: String]) throws {
        guard let other = relations.updateValue(owner, forKey: name.lowercased()) else { return }
        throw problem(
            "The name \"\(name)\" is both \(other)'s and \(owner)'s, but for case. Name one otherwise.", name, [])
    }

    private static func problem(_ sentence: String, _ table: String, _ properties: [String]) -> DatabaseError {
        DatabaseError(.conflict, sentence, table: table, properties: properties)
    }
}
