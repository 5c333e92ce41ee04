@_spi(Driver) import Holdfast

extension SQLiteSession {
    /// The tables named, as the engine describes them, all at one moment.
    func snapshot(of tables: [String]) throws -> SchemaSnapshot {
        try atOneMoment {
            var snapshot = SchemaSnapshot()
            for start in stride(from: 0, to: tables.count, by: SnapshotQueries.tablesAtOnce) {
                let end = min(start + SnapshotQueries.tablesAtOnce, tables.count)
                try read(Array(tables[start..<end]), into: &snapshot)
            }
            return snapshot
        }
    }

    private func read(_ names: [String], into snapshot: inout SchemaSnapshot) throws {
        var tables: [String: TableSnapshot] = [:]
        var keys: [String: [(position: Int64, column: String)]] = [:]
        var views: Set<String> = []
        for row in try catalogRows(SnapshotQueries.columns(names.count), names, width: 9) {
            let table = row[0].text
            if row[8].text == "view" { views.insert(table) }
            tables[table, default: .empty(table)].columns.append(
                ColumnSnapshot(
                    name: row[1].text,
                    typeName: row[2].text.uppercased(),
                    isNullable: row[3].integer == 0,
                    hasDefault: row[4].integer != 0,
                    defaultSQL: row[7].text.isEmpty ? nil : row[7].text
                )
            )
            if row[5].integer > 0 { keys[table, default: []].append((row[5].integer, row[1].text)) }
        }
        for (table, columns) in keys {
            tables[table]?.primaryKey = columns.sorted { $0.position < $1.position }.map(\.column)
        }

        var tablesWithKeyIndex: Set<String> = []
        for row in try catalogRows(SnapshotQueries.indexes(names.count), names, width: 7) {
            let (table, index) = (row[0].text, row[1].text)
            // The index behind a primary key is reported with the key.
            if row[4].text == "pk" { tablesWithKeyIndex.insert(table); continue }
            let count = tables[table]?.indexes.count ?? 0
            if count == 0 || tables[table]?.indexes[count - 1].name != index {
                var made = IndexSnapshot(
                    name: index, columns: [], isUnique: row[2].integer != 0, isPartial: row[3].integer != 0)
                let read = IndexText(row[6].text).names
                made.expressionColumns = tables[table]?.columns.map(\.name).filter(read.contains) ?? []
                tables[table]?.indexes.append(made)
            }
            if let last = tables[table]?.indexes.indices.last {
                tables[table]?.indexes[last].columns.append(row[5].text)
            }
        }
        for (name, table) in tables where !tablesWithKeyIndex.contains(name) && table.primaryKey.count == 1 {
            // The rowid under another name: never NULL, whatever its definition says.
            for index in table.columns.indices
            where table.columns[index].name == table.primaryKey[0] && table.columns[index].typeName == "INTEGER" {
                tables[name]?.columns[index].isNullable = false
            }
        }

        var lastKey: (table: String, number: Int64)?
        for row in try catalogRows(SnapshotQueries.foreignKeys(names.count), names, width: 6) {
            let (table, number) = (row[0].text, row[1].integer)
            if lastKey?.table != table || lastKey?.number != number {
                tables[table]?.foreignKeys.append(
                    ForeignKeySnapshot(
                        columns: [],
                        table: row[2].text,
                        targetColumns: [],
                        onDelete: .init(rawValue: row[5].text) ?? .noAction
                    )
                )
            }
            lastKey = (table, number)
            if let last = tables[table]?.foreignKeys.indices.last {
                tables[table]?.foreignKeys[last].columns.append(row[3].text)
                tables[table]?.foreignKeys[last].targetColumns.append(row[4].text)
            }
        }

        for row in try catalogRows(SnapshotQueries.deleteRules(names.count), names, width: 3) {
            let (table, rule) = (row[0].text, row[1].text)
            tables[table]?.deleteRules.append(rule)
            tables[table]?.deleteRuleColumns[rule] = DeleteRuleDefinition.quotedNames(after: "OLD.", in: row[2].text)
        }

        for row in try catalogRows(SnapshotQueries.texts(names.count), names, width: 2) {
            let text = TableText(row[1].text)
            tables[row[0].text]?.checks = text.checks.compactMap { check in
                guard let name = check.name, name.hasPrefix(CheckSnapshot.namePrefix),
                    let column = SchemaText(check.expression).name(at: 0)
                else { return nil }
                return CheckSnapshot(name: name, column: column, expression: check.expression)
            }
            for index in tables[row[0].text]?.columns.indices ?? 0..<0 {
                guard let name = tables[row[0].text]?.columns[index].name,
                    let collation = text.columns[name]?.collation, collation.uppercased() != "BINARY"
                else { continue }
                tables[row[0].text]?.columns[index].collation = collation
            }
        }

        for row in try catalogRows(SnapshotQueries.dependents(names.count), names, width: 4) {
            tables[row[0].text]?.dependents.append(
                DependentSnapshot(name: row[1].text, sql: row[2].text, isTrigger: row[3].text == "trigger"))
        }

        // Looking for a row of a view can take any time.
        let found = tables.keys.filter { !views.contains($0) }.sorted()
        for row in found.isEmpty ? [] : try catalogRows(SnapshotQueries.hasRows(found), [], width: 2) {
            tables[found[Int(row[0].integer)]]?.hasRows = row[1].integer != 0
        }
        snapshot.tables.merge(tables) { _, new in new }
    }
}

extension TableSnapshot {
    fileprivate static func empty(_ name: String) -> TableSnapshot {
        TableSnapshot(name: name, columns: [], primaryKey: [], indexes: [], foreignKeys: [], hasRows: false)
    }
}

/// The statements that ask for the schema of some tables, whose names are their parameters.
private enum SnapshotQueries {
    /// How many tables are asked for with one statement, below the limit of the terms of a compound SELECT.
    static let tablesAtOnce = 400

    /// Table, column, type, whether it is declared NOT NULL, whether it has a default or is computed, place in the key.
    static func columns(_ count: Int) -> String {
        """
        SELECT t.name, c.name, c.type, c."notnull", c.dflt_value IS NOT NULL OR c.hidden > 1, c.pk, c.cid,
            c.dflt_value, t.type
        FROM sqlite_schema t, pragma_table_xinfo(t.name, 'main') c
        WHERE t.type IN ('table', 'view') AND t.name IN (\(placeholders(count)))
        ORDER BY t.name, c.cid
        """
    }

    /// Table, index, whether it is unique, whether it is partial, what made it, column, and the statement that makes
    /// one with expressions or a condition.
    static func indexes(_ count: Int) -> String {
        """
        SELECT t.name, i.name, i."unique", i.partial, i.origin, c.name,
            CASE WHEN i.partial OR EXISTS (SELECT 1 FROM pragma_index_info(i.name, 'main') WHERE cid = -2)
                THEN (SELECT s.sql FROM sqlite_schema s WHERE s.type = 'index' AND s.name = i.name) END
        FROM sqlite_schema t, pragma_index_list(t.name, 'main') i, pragma_index_xinfo(i.name, 'main') c
        WHERE t.type = 'table' AND t.name IN (\(placeholders(count))) AND c.key
        ORDER BY t.name, i.name, c.seqno
        """
    }

    /// Table, trigger, statement that makes it.
    static func deleteRules(_ count: Int) -> String {
        """
        SELECT tbl_name, name, sql FROM sqlite_schema
        WHERE type = 'trigger' AND name GLOB '\(DeleteRuleDefinition.namePrefix)*' AND tbl_name IN (\(placeholders(count)))
        ORDER BY tbl_name, name
        """
    }

    /// Selects the names and CREATE statements of tables with CHECK constraints of the library, or with collations.
    static func texts(_ count: Int) -> String {
        """
        SELECT name, sql FROM sqlite_schema
        WHERE type = 'table' AND name IN (\(placeholders(count)))
            AND (sql LIKE '%"\(CheckSnapshot.namePrefix)%' OR sql LIKE '%COLLATE%')
        """
    }

    /// Selects the indexes and triggers of tables: the table, their name, their CREATE statement and their kind.
    static func dependents(_ count: Int) -> String {
        """
        SELECT tbl_name, name, sql, type FROM sqlite_schema
        WHERE type IN ('index', 'trigger') AND sql IS NOT NULL AND tbl_name IN (\(placeholders(count)))
        ORDER BY tbl_name, rowid
        """
    }

    /// Table, number of the key, target table, column, target column, what a deletion does.
    static func foreignKeys(_ count: Int) -> String {
        """
        SELECT t.name, k.id, k."table", k."from",
            coalesce(k."to", (SELECT name FROM pragma_table_xinfo(k."table", 'main') WHERE pk = k.seq + 1)),
            k.on_delete
        FROM sqlite_schema t, pragma_foreign_key_list(t.name, 'main') k
        WHERE t.type = 'table' AND t.name IN (\(placeholders(count)))
        ORDER BY t.name, k.id, k.seq
        """
    }

    /// Position of the table in `tables`, whether it has a row.
    static func hasRows(_ tables: [String]) -> String {
        tables.enumerated().map { position, table in
            "SELECT \(position), EXISTS (SELECT 1 FROM main.\(SQLiteDialect().quoted(table)))"
        }.joined(separator: " UNION ALL ")
    }

    private static func placeholders(_ count: Int) -> String {
        repeatElement("?", count: count).joined(separator: ", ")
    }
}
