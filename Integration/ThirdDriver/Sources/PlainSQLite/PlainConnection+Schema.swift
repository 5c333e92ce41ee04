@_spi(Driver) import Holdfast

extension PlainConnection {
    /// The tables named, as the engine describes them.
    func describe(_ request: SchemaRequest) throws -> DatabaseSchema {
        var schema = DatabaseSchema(name: "main")
        guard case .tables(let names) = request else { return schema }
        for name in names {
            let columns = try rows("name, type, \"notnull\", coalesce(dflt_value, ''), pk", of: "table_xinfo", name)
            guard !columns.isEmpty else { continue }
            let key = columns.filter { $0[4] != "0" }.sorted { $0[4] < $1[4] }.map { $0[0] }
            let keys = try rows("*", of: "foreign_key_list", name, "ORDER BY seq")
            var table = DatabaseSchema.Table(name: name, primaryKey: key)
            table.columns = columns.map {
                .init(
                    name: $0[0], typeName: $0[1], isNullable: $0[2] == "0" && !key.contains($0[0]),
                    defaultExpression: $0[3].isEmpty ? nil : $0[3])
            }
            for index in try rows("name, \"unique\", partial, origin", of: "index_list", name, "WHERE origin <> 'pk'") {
                let columns = try rows("name", of: "index_xinfo", index[0], "WHERE key ORDER BY seqno").map { $0[0] }
                if index[3] == "u" { table.uniqueConstraints.append(.init(columns: columns)) }
                guard index[3] == "c" else { continue }
                let terms = columns.map { DatabaseSchema.Index.Term(column: $0) }
                let (isUnique, condition) = (index[1] == "1", index[2] == "1" ? "?" : nil)
                table.indexes.append(.init(name: index[0], terms: terms, isUnique: isUnique, condition: condition))
            }
            table.foreignKeys = Dictionary(grouping: keys) { $0[0] }.values.map {
                .init(
                    columns: $0.map { $0[3] }, table: $0[0][2], targetColumns: $0.map { $0[4] },
                    onDelete: .init(rawValue: $0[0][6]) ?? .noAction)
            }
            let exists = Statement("SELECT 1 FROM \(PlainDialect().quoted(name))")
            table.hasRows = try perform(exists, .none) { try $0.next() != nil }
            schema.tables.append(table)
        }
        return schema
    }

    /// The rows of a query of a pragma, as texts.
    private func rows(_ columns: String, of pragma: String, _ name: String, _ rest: String = "") throws -> [[String]] {
        let sql = "SELECT \(columns) FROM pragma_\(pragma)(\(PlainDialect().quotedText(name))) \(rest)"
        return try perform(Statement(sql, isCached: false), .none) { source in
            var rows: [[String]] = []
            while let cells = try source.next() {
                rows.append(
                    source.columnNames.indices.map {
                        cells[$0].hasBytes ? String(decoding: cells[$0].bytes, as: UTF8.self) : "\(cells[$0].integer)"
                    })
            }
            return rows
        }
    }
}
