@_spi(Driver) import Holdfast

extension SQLiteSession {
    /// The tables and views of one file, as the engine describes them, all at one moment.
    ///
    /// - Parameter name: The name under which the file is attached; nil for the database's own.
    func schema(_ name: String?, includingSizes: Bool) throws -> DatabaseSchema {
        try atOneMoment {
            try SchemaReader(session: self, name: name ?? "main").schema(includingSizes: includingSizes)
        }
    }
}

/// Reads a schema in a transaction that is open.
private struct SchemaReader {
    let session: SQLiteSession
    let name: String

    /// The name as SQL.
    private var schema: String { SQLiteDialect().quoted(name) }

    func schema(includingSizes: Bool) throws -> DatabaseSchema {
        let exists = try rows("SELECT 1 FROM pragma_database_list WHERE name = ?", [name], width: 1)
        guard !exists.isEmpty else {
            throw DatabaseError(.notFound, "No file is attached to this connection as \"\(name)\".")
        }
        var result = DatabaseSchema(name: name)
        var texts: [String: String] = [:]
        var tables: [String: DatabaseSchema.Table] = [:]
        for row in try rows(
            "SELECT name, type, sql FROM \(schema).sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'", width: 3
        ) {
            // Names of tables, views and indexes are of one space, and those of triggers are not read by name.
            if row[1].text != "trigger" { texts[row[0].text] = row[2].text }
            if row[1].text == "view" {
                var view = DatabaseSchema.View(name: row[0].text, definition: viewQuery(row[2].text))
                view.columns = try columnsIfKnown(of: row[0].text)
                result.views.append(view)
            }
        }
        for row in try rows("SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = ?", [name], width: 4)
        where row[1].text != "view" && texts[row[0].text] != nil {
            var table = DatabaseSchema.Table(name: row[0].text, kind: .init(rawValue: row[1].text) ?? .ordinary)
            (table.isStoredByKey, table.isStrict) = (row[2].integer != 0, row[3].integer != 0)
            if table.kind == .virtual { table.columns = try columnsIfKnown(of: table.name) }
            tables[table.name] = table
        }
        let definitions = texts.filter { tables[$0.key].map { $0.kind != .virtual } ?? false }.mapValues(TableText.init)
        try readColumns(&tables, definitions)
        try readIndexes(&tables, definitions, texts)
        try readForeignKeys(&tables, definitions)
        let triggers = "SELECT tbl_name, name FROM \(schema).sqlite_schema WHERE type = 'trigger' ORDER BY name"
        for row in try rows(triggers, width: 2) { tables[row[0].text]?.triggers.append(row[1].text) }
        try readEstimates(&tables)
        if includingSizes { try readSizes(&tables) }
        result.tables = tables.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        result.views.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return result
    }

    private typealias Tables = [String: DatabaseSchema.Table]

    // MARK: Columns

    private func readColumns(_ tables: inout Tables, _ definitions: [String: TableText]) throws {
        let sql = """
            SELECT t.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
            FROM \(schema).sqlite_schema t, pragma_table_xinfo(t.name, ?) c
            WHERE t.type = 'table' AND t.rootpage <> 0 ORDER BY t.name, c.cid
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
        var column = DatabaseSchema.Column(name: row[1].text, typeName: row[2].text)
        column.type = ColumnType(declared: row[2].text)
        column.isNullable = row[3].integer == 0
        column.defaultExpression = row[4].isNull ? nil : row[4].text
        column.keyPosition = row[5].integer > 0 ? Int(row[5].integer) - 1 : nil
        return column
    }

    /// The columns of a view or a virtual table; none if it refers to what is gone, or its module is not there.
    private func columnsIfKnown(of table: String) throws -> [DatabaseSchema.Column] {
        let sql = """
            SELECT '', name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?, ?)
            WHERE hidden <> 1 ORDER BY cid
            """
        do {
            return try rows(sql, [table, name], width: 7).map(column)
        } catch let error as DatabaseError where error.code != .cancelled && error.code != .statementTimeout {
            return []
        }
    }

    // MARK: Indexes and keys

    private func readIndexes(
        _ tables: inout Tables, _ definitions: [String: TableText], _ texts: [String: String]
    ) throws {
        let sql = """
            SELECT t.name, i.name, i."unique", i.origin, c.cid, c.name, c."desc", c.coll
            FROM \(schema).sqlite_schema t, pragma_index_list(t.name, ?) i, pragma_index_xinfo(i.name, ?) c
            WHERE t.type = 'table' AND t.rootpage <> 0 AND c.key ORDER BY t.name, i.name, c.seqno
            """
        var groups: [(first: [CatalogValue], terms: [[CatalogValue]])] = []
        for row in try rows(sql, [name, name], width: 8) {
            if let last = groups.last, last.first[0].text == row[0].text, last.first[1].text == row[1].text {
                groups[groups.count - 1].terms.append(row)
            } else {
                groups.append((row, [row]))
            }
        }
        var tablesWithKeyIndex: Set<String> = []
        for (first, terms) in groups {
            let table = first[0].text
            switch first[3].text {
            case "pk": tablesWithKeyIndex.insert(table)
            case "u":
                var constraint = DatabaseSchema.UniqueConstraint(columns: terms.map(\.[5].text))
                constraint.name = definitions[table]?.uniques.first { $0.columns == constraint.columns }?.name
                tables[table]?.uniqueConstraints.append(constraint)
            default:
                tables[table]?.indexes.append(
                    index(first, terms, IndexText(texts[first[1].text] ?? ""), definitions[table]))
            }
        }
        for (name, table) in tables where !tablesWithKeyIndex.contains(name) && table.primaryKey?.columns.count == 1 {
            // The number of the row under another name, which is never NULL.
            for column in table.columns.indices
            where table.columns[column].keyPosition == 0 && table.columns[column].typeName.uppercased() == "INTEGER" {
                let definition = definitions[name]?.columns[table.columns[column].name]
                tables[name]?.columns[column].isNullable = false
                tables[name]?.columns[column].identity = definition?.isAutoincrement == true ? .autoincrement : .rowID
            }
        }
    }

    private func index(
        _ first: [CatalogValue], _ terms: [[CatalogValue]], _ text: IndexText, _ table: TableText?
    ) -> DatabaseSchema.Index {
        var index = DatabaseSchema.Index(name: first[1].text)
        index.isUnique = first[2].integer != 0
        index.condition = text.condition
        index.terms = terms.enumerated().map { position, row in
            // -2 is an expression, -1 the number of the row.
            let isColumn = row[4].integer >= 0
            let usual = isColumn ? table?.columns[row[5].text]?.collation ?? "BINARY" : "BINARY"
            let collation = row[7].text.uppercased() == usual.uppercased() ? nil : row[7].text
            var term: DatabaseSchema.Index.Term
            if isColumn {
                term = .init(column: row[5].text)
            } else {
                // A COLLATE at the end is the term's only where the engine says so: it may be an operand's.
                let known = text.terms.indices.contains(position) ? text.terms[position] : (text: "", uncollated: "")
                term = .init(expression: collation == nil ? known.text : known.uncollated)
            }
            term.isDescending = row[6].integer != 0
            term.isNullsFirst = !term.isDescending
            term.collation = collation
            return term
        }
        return index
    }

    private func readForeignKeys(_ tables: inout Tables, _ definitions: [String: TableText]) throws {
        let sql = """
            SELECT t.name, k.id, k."table", k."from",
                coalesce(k."to", (SELECT name FROM pragma_table_xinfo(k."table", ?) WHERE pk = k.seq + 1)),
                k.on_delete, k.on_update
            FROM \(schema).sqlite_schema t, pragma_foreign_key_list(t.name, ?) k
            WHERE t.type = 'table' AND t.rootpage <> 0 ORDER BY t.name, k.id DESC, k.seq
            """
        // Their numbers run backwards.
        var last: (table: String, id: Int64)?
        for row in try rows(sql, [name, name], width: 7) {
            let (table, id) = (row[0].text, row[1].integer)
            if last?.table != table || last?.id != id {
                var key = DatabaseSchema.ForeignKey(table: row[2].text)
                key.onDelete = .init(rawValue: row[5].text) ?? .noAction
                key.onUpdate = .init(rawValue: row[6].text) ?? .noAction
                tables[table]?.foreignKeys.append(key)
                last = (table, id)
            }
            guard let index = tables[table]?.foreignKeys.indices.last else { continue }
            tables[table]?.foreignKeys[index].columns.append(row[3].text)
            if !row[4].isNull { tables[table]?.foreignKeys[index].targetColumns.append(row[4].text) }
        }
        for (name, table) in tables {
            tables[name]?.checks = definitions[name]?.checks ?? []
            guard let names = definitions[name]?.foreignKeyNames, names.count == table.foreignKeys.count else {
                continue
            }
            for (index, key) in names.enumerated() { tables[name]?.foreignKeys[index].name = key }
        }
    }

    // MARK: Numbers

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

    private func rows(_ sql: String, _ names: [String] = [], width: Int) throws -> [[CatalogValue]] {
        try session.catalogRows(sql, names, width: width)
    }
}

extension ColumnType {
    /// The type as which a column that another program declared is read; nil if the declaration says too little, as for
    /// a date, which can be stored in several forms.
    fileprivate init?(declared name: String) {
        let name = name.uppercased()
        func has(_ words: String...) -> Bool { words.contains { name.contains($0) } }
        if has("BOOL") {
            self = .boolean
        } else if has("INT") {
            self = .int64
        } else if has("CHAR", "CLOB", "TEXT") {
            self = .text
        } else if has("BLOB") {
            self = .blob
        } else if has("REAL", "FLOA", "DOUB") {
            self = .double
        } else if has("DECIMAL", "NUMERIC") {
            self = .decimal
        } else if has("JSON") {
            self = .json
        } else {
            return nil
        }
    }
}
