extension DatabaseContext {
    /// Reads the tables, views and types of the database, whoever made them.
    ///
    /// ```swift
    /// let schema = try await db.schema()
    /// for key in schema.table("project")?.foreignKeys ?? [] { print(key.columns, "->", key.table) }
    /// ```
    ///
    /// It is one statement on PostgreSQL and one read transaction on SQLite, however many tables there are, and sees
    /// one state of the database. Rows are not counted. In a transaction it sees what that has changed. On PostgreSQL
    /// it takes no locks, except to write the queries of views and to measure sizes: then it waits for a transaction
    /// that alters such a table.
    ///
    /// - Parameters:
    ///   - name: The schema of PostgreSQL, or the attached file of SQLite; nil for the one in which `migrate` makes
    ///     tables. A file that SQL of yours attaches is there for one connection, so read it in that transaction.
    ///   - includingSizes: Whether to measure tables. SQLite reads the whole file for that, if it was built with
    ///     `dbstat`; otherwise sizes are nil.
    ///   - fileID: The caller's file, for the log and for pool statistics.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/notFound`` if there is no such schema; ``DatabaseError/Code/unsupported`` if the
    ///   driver can't describe one.
    public func schema(
        _ name: String? = nil, includingSizes: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> DatabaseSchema {
        try await access(fileID, line).perform(.read, purpose: "schema") { session, _ in
            try await session.schema(name, includingSizes: includingSizes)
        }
    }
}

extension Session {
    /// Reads a schema, with the types of properties where the engine's are fewer.
    func schema(_ name: String?, includingSizes: Bool = false) async throws -> DatabaseSchema {
        var schema = try await inspect { connection, timeout in
            guard connection.capabilities.describesSchemas else {
                throw DatabaseError(
                    .unsupported,
                    "The driver of this engine can't describe a schema. Ask the engine by SQL of your own.")
            }
            return try await connection.schema(.all(of: name, includingSizes: includingSizes), timeout: timeout)
        }
        let journal = JournalEntry.tableMapping.description
        // An engine that has one type for several tells too little.
        guard dialect.storedTypeName(.timestamp) == dialect.storedTypeName(.int64),
            let table = schema.table(journal.table),
            journal.columns.all.allSatisfy({ table.column($0.name) != nil })
        else { return schema }
        let columnList = dialect.list(["table_name", "column_name", "logical_type"])
        let source = "\(dialect.quoted(schema.name)).\(dialect.quoted(journal.table))"
        let entries = try await run(Statement("SELECT \(columnList) FROM \(source)", isCached: false)) { rows in
            var types: [String: [String: ColumnType]] = [:]
            while let cells = try rows.next() {
                let (table, column) = (try String._decode(cells[0]), try String._decode(cells[1]))
                types[table, default: [:]][column] = ColumnType(rawValue: try String._decode(cells[2]))
            }
            return types
        }
        for table in schema.tables.indices {
            guard let types = entries[schema.tables[table].name] else { continue }
            for index in schema.tables[table].columns.indices {
                let column = schema.tables[table].columns[index]
                guard let type = types[column.name],
                    dialect.storedTypeName(type).lowercased() == column.typeName.lowercased()
                else { continue }
                schema.tables[table].columns[index].type = type
            }
        }
        return schema
    }
}
