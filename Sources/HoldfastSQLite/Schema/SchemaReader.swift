@_spi(Driver) import Holdfast

/// Reads the schema of a file in a transaction that is open.
struct SchemaReader {
    let session: SQLiteSession
    /// The name under which the file is attached.
    let name: String
    /// The tables and views that are asked for, with what plans need to know of them; nil for all.
    var names: [String]?

    typealias Tables = [String: DatabaseSchema.Table]

    /// The name as SQL.
    var schema: String { SQLiteDialect().quoted(name) }

    func schema(includingSizes: Bool = false) throws -> DatabaseSchema {
        let exists = try session.catalogRows("SELECT 1 FROM pragma_database_list WHERE name = ?", [name], width: 1)
        guard !exists.isEmpty else {
            throw DatabaseError(.notFound, "No file is attached to this connection as \"\(name)\".")
        }
        var result = DatabaseSchema(name: name)
        let texts = try SchemaTexts(self)
        for (view, text) in texts.views {
            // The query of a view that is asked for by its name may be anything.
            var described = DatabaseSchema.View(name: view, definition: names == nil ? viewQuery(text) : "")
            described.columns = try computedColumns(of: view)
            result.views.append(described)
        }
        var tables: Tables = [:]
        let list = "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = ?\(among("name"))"
        for row in try rows(list, [name], width: 4) where row[1].text != "view" && texts.tables[row[0].text] != nil {
            var table = DatabaseSchema.Table(name: row[0].text, kind: .init(rawValue: row[1].text) ?? .ordinary)
            (table.isStoredByKey, table.isStrict) = (row[2].integer != 0, row[3].integer != 0)
            if table.kind == .virtual { table.columns = try computedColumns(of: table.name) }
            tables[table.name] = table
        }
        let definitions = texts.tables.filter { tables[$0.key].map { $0.kind != .virtual } ?? false }
            .mapValues(TableText.init)
        try readColumns(&tables, definitions)
        try readIndexes(&tables, definitions, texts)
        try readForeignKeys(&tables, definitions)
        for name in tables.keys {
            tables[name]?.checks = definitions[name]?.checks ?? []
            tables[name]?.triggers = texts.triggers(of: name).map(\.name).sorted()
        }
        if names == nil {
            try readEstimates(&tables)
            if includingSizes { try readSizes(&tables) }
        } else {
            for name in tables.keys { addDependents(to: &tables[name], texts) }
            try readFilling(&tables)
        }
        result.tables = tables.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        result.views.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return result
    }

    // MARK: Columns

    private func readColumns(_ tables: inout Tables, _ definitions: [String: TableText]) throws {
        let sql = """
            SELECT t.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
            FROM \(schema).sqlite_schema t, pragma_table_xinfo(t.name, ?) c
            WHERE t.type = 'table' AND t.rootpage <> 0\(among("t.name")) ORDER BY t.name, c.cid
            """
        for row in try rows(sql, [name], width: 7) {
            var column = column(row)
            let text = definitions[row[0].text]?.columns[column.name]
            column.collation = text?.collation.flatMap { $0.uppercased() == "BINARY" ? nil : $0 }
            if row[6].integer > 1 {
                column.generated = .init(expression: text?.generatedExpression ?? "", isStored: row[6].integer == 3)
            }
            tables[row[0].text]?.columns.append(column)
        }
        for (name, table) in tables where table.kind != .virtual {
            let key = table.columns.compactMap { column in column.keyPosition.map { ($0, column.name) } }
            guard !key.isEmpty else { continue }
            tables[name]?.primaryKey = .init(
                name: definitions[name]?.primaryKeyName, columns: key.sorted { $0.0 < $1.0 }.map(\.1))
        }
    }

    private func column(_ row: [CatalogValue]) -> DatabaseSchema.Column {
        var column = DatabaseSchema.Column(
            name: row[1].text, typeName: row[2].text, isNullable: row[3].integer == 0,
            defaultExpression: row[4].isNull ? nil : row[4].text)
        column.type = ColumnType(declared: row[2].text)
        column.keyPosition = row[5].integer > 0 ? Int(row[5].integer) - 1 : nil
        return column
    }

    /// The columns of a view or a virtual table.
    ///
    /// Where all are asked for, one that refers to what is gone, or whose module is not there, has none, and hidden
    /// columns are left out.
    private func computedColumns(of table: String) throws -> [DatabaseSchema.Column] {
        let sql = """
            SELECT '', name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?, ?)
            WHERE hidden <> 1\(names == nil ? "" : " OR 1") ORDER BY cid
            """
        do {
            return try session.catalogRows(sql, [table, name], width: 7).map(column)
        } catch let error as DatabaseError
            where names == nil && error.code != .cancelled && error.code != .statementTimeout
        {
            return []
        }
    }

    // MARK: Rows

    /// Reads the numbers of rows that ANALYZE has found.
    private func readEstimates(_ tables: inout Tables) throws {
        let has = "SELECT 1 FROM \(schema).sqlite_schema WHERE name = 'sqlite_stat1'"
        if try rows(has, width: 1).isEmpty { return }
        for row in try rows("SELECT tbl, stat FROM \(schema).sqlite_stat1", width: 2) {
            // The first number counts the rows in an index, and a partial index does not have all rows of its table.
            guard let count = row[1].text.split(separator: " ").first.flatMap({ Int($0) }) else { continue }
            let known = tables[row[0].text]?.rowEstimate ?? 0
            tables[row[0].text]?.rowEstimate = max(known, count)
        }
    }

    private func readSizes(_ tables: inout Tables) throws {
        if try rows("SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'", width: 1).isEmpty { return }
        let sql = """
            SELECT s.tbl_name, sum(d.pgsize) FROM dbstat(?, 1) d JOIN \(schema).sqlite_schema s ON s.name = d.name
            GROUP BY s.tbl_name
            """
        for row in try rows(sql, [name], width: 2) { tables[row[0].text]?.bytes = Int(row[1].integer) }
    }

    /// Reads which tables have a row.
    ///
    /// Of views it is not asked, since that can take any time.
    private func readFilling(_ tables: inout Tables) throws {
        let found = tables.keys.sorted()
        if found.isEmpty { return }
        let selects = found.enumerated().map { position, table in
            "SELECT \(position), EXISTS (SELECT 1 FROM \(schema).\(SQLiteDialect().quoted(table)))"
        }
        for row in try session.catalogRows(selects.joined(separator: " UNION ALL "), [], width: 2) {
            tables[found[Int(row[0].integer)]]?.hasRows = row[1].integer != 0
        }
    }

    private func addDependents(to table: inout DatabaseSchema.Table?, _ texts: SchemaTexts) {
        guard let name = table?.name else { return }
        table?.dependents = texts.dependents(of: name)
        for trigger in texts.triggers(of: name) where table?.ownTriggers.contains(trigger.name) ?? false {
            // The triggers of a search index go together, and what is new has all of its columns.
            let search = SearchIndex.parts(ofTrigger: trigger.name)?.index
            let sql = search.flatMap { index in
                texts.triggers(of: name).first { $0.name == "\(index)_\(SearchIndex.Event.insert.rawValue)" }?.sql
            }
            table?.triggerColumns[trigger.name] = DeleteRuleDefinition.quotedNames(
                after: search == nil ? "OLD." : "NEW.", in: sql ?? trigger.sql)
        }
    }

    // MARK: Statements

    /// The end of a condition: that a column is one of the names that are asked for.
    func among(_ column: String) -> String {
        names.map { " AND \(column) IN (\(repeatElement("?", count: $0.count).joined(separator: ", ")))" } ?? ""
    }

    /// All rows of a query that takes `parameters`, and then the names that are asked for if it says so.
    func rows(_ sql: String, _ parameters: [String] = [], width: Int) throws -> [[CatalogValue]] {
        try session.catalogRows(sql, parameters + (names ?? []), width: width)
    }
}
