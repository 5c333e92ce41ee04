@_spi(Driver) import Holdfast

/// Indexes, keys, and the constraints that only the text of a table names.
extension SchemaReader {
    func readIndexes(
        _ tables: inout Tables, _ definitions: [String: TableText], _ texts: SchemaTexts
    ) throws {
        let sql = """
            SELECT t.name, i.name, i."unique", i.origin, c.cid, c.name, c."desc", c.coll
            FROM \(schema).sqlite_schema t, pragma_index_list(t.name, ?) i, pragma_index_xinfo(i.name, ?) c
            WHERE t.type = 'table' AND t.rootpage <> 0 AND c.key\(among("t.name")) ORDER BY t.name, i.name, c.seqno
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
                let text = IndexText(texts.indexes[first[1].text] ?? "")
                var index = index(first, terms, text, definitions[table])
                if names != nil, index.columns == nil {
                    let read = Set(text.names)
                    index.expressionColumns = tables[table]?.columns.map(\.name).filter(read.contains) ?? []
                }
                tables[table]?.indexes.append(index)
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

    func readForeignKeys(_ tables: inout Tables, _ definitions: [String: TableText]) throws {
        let sql = """
            SELECT t.name, k.id, k."table", k."from",
                coalesce(k."to", (SELECT name FROM pragma_table_xinfo(k."table", ?) WHERE pk = k.seq + 1)),
                k.on_delete, k.on_update
            FROM \(schema).sqlite_schema t, pragma_foreign_key_list(t.name, ?) k
            WHERE t.type = 'table' AND t.rootpage <> 0\(among("t.name")) ORDER BY t.name, k.id DESC, k.seq
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
            guard let names = definitions[name]?.foreignKeyNames, names.count == table.foreignKeys.count else {
                continue
            }
            for (index, key) in names.enumerated() { tables[name]?.foreignKeys[index].name = key }
        }
    }
}
