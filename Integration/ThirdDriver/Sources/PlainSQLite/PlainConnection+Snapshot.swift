@_spi(Driver) import Holdfast

extension PlainConnection {
    /// The tables named, as the engine describes them.
    func snapshotHere(of names: [String]) throws -> SchemaSnapshot {
        var snapshot = SchemaSnapshot()
        for name in names {
            let columns = try rows("name, type, \"notnull\", dflt_value IS NOT NULL, pk", of: "table_xinfo", name)
            guard !columns.isEmpty else { continue }
            let key = columns.filter { $0[4] != "0" }.sorted { $0[4] < $1[4] }.map { $0[0] }
            let indexes = try rows("name, \"unique\", partial", of: "index_list", name, "WHERE origin <> 'pk'")
            let keys = try rows(
                "id, \"table\", \"from\", \"to\", on_delete", of: "foreign_key_list", name, "ORDER BY seq")
            snapshot.tables[name] = TableSnapshot(
                name: name,
                columns: columns.map {
                    ColumnSnapshot(
                        name: $0[0], typeName: $0[1], isNullable: $0[2] == "0" && !key.contains($0[0]),
                        hasDefault: $0[3] == "1")
                },
                primaryKey: key,
                indexes: try indexes.map {
                    let columns = try rows("name", of: "index_xinfo", $0[0], "WHERE key ORDER BY seqno").map { $0[0] }
                    return IndexSnapshot(name: $0[0], columns: columns, isUnique: $0[1] == "1", isPartial: $0[2] == "1")
                },
                foreignKeys: Dictionary(grouping: keys) { $0[0] }.values.map {
                    ForeignKeySnapshot(
                        columns: $0.map { $0[2] }, table: $0[0][1], targetColumns: $0.map { $0[3] },
                        onDelete: ForeignKeyDefinition.Action(rawValue: $0[0][4]) ?? .noAction)
                },
                hasRows: try perform(Statement("SELECT 1 FROM \(PlainDialect().quoted(name))"), .none) {
                    try $0.next() != nil
                })
        }
        return snapshot
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
