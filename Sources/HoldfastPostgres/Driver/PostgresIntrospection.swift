@_spi(Driver) import Holdfast

/// Reads what the catalogs say of tables.
struct PostgresIntrospection {
    let connection: PostgresConnection

    func snapshot(of tables: [String]) async throws -> SchemaSnapshot {
        if tables.isEmpty { return SchemaSnapshot() }
        let rows = try await connection.readCatalogs(Self.catalog, names(tables), timeout: nil) { CatalogRow($0) }
        var snapshot = SchemaSnapshot()
        for row in rows where row.kind == "table" {
            var table = TableSnapshot(
                name: row.table, columns: [], primaryKey: [], indexes: [], foreignKeys: [], hasRows: false)
            // A partitioned table's indexes are those of its partitions.
            table.allowsConcurrentIndexes = !row.other
            table.sharesRows = row.other || row.action == "partition"
            snapshot.tables[row.table] = table
        }
        for (table, parts) in Dictionary(grouping: rows, by: \.table) { snapshot.tables[table]?.add(parts) }
        // Looking for a row of a view can take any time.
        for table in try await filled(rows.filter { $0.kind == "table" && $0.flag }.map(\.table).sorted()) {
            snapshot.tables[table]?.hasRows = true
        }
        return snapshot
    }

    /// Those of the tables that have a row.
    private func filled(_ tables: [String]) async throws -> [String] {
        if tables.isEmpty { return [] }
        let dialect = PostgresDialect()
        let selects = tables.map { table in
            "SELECT \(dialect.quotedText(table)) WHERE EXISTS (SELECT 1 FROM \(dialect.quoted(table)))"
        }
        let statement = Statement(selects.joined(separator: " UNION ALL "), isCached: false)
        return try await connection.run(statement, .none, timeout: nil) { rows in
            var result: [String] = []
            while let cells = try rows.next() { result.append(String(decoding: cells[0].bytes, as: UTF8.self)) }
            return result
        }
    }

    /// The names as the text of an array, which the server reads.
    private func names(_ tables: [String]) -> ParameterBuffer {
        let items = tables.map { name in
            "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        var text = "{" + items.joined(separator: ",") + "}"
        var parameters = ParameterBuffer(width: 1)
        text.withUTF8 { parameters.append(.text, UnsafeRawBufferPointer($0)) }
        return parameters
    }

    /// One row per table or view, column, column of an index, column of a foreign key, and trigger of ours.
    private static let catalog = Statement(
        """
        WITH t AS MATERIALIZED (
            SELECT c.oid, c.relname::text AS name, c.relkind IN ('r', 'p') AS is_table,
                c.relkind = 'p' AS is_partitioned, c.relispartition AS is_partition
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relname = ANY ($1::text[])
        )
        SELECT 'table' AS kind, t.name AS owner, '' AS part, 0 AS position, '' AS name, '' AS detail, '' AS target,
            CASE WHEN t.is_partition THEN 'partition' ELSE '' END AS action, t.is_table AS flag,
            t.is_partitioned AS other, '' AS schema
        FROM t
        UNION ALL
        SELECT 'column', t.name, '', a.attnum, a.attname::text,
            pg_catalog.format_type(a.atttypid, a.atttypmod), coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid), ''),
            coalesce(l.collname::text, ''), NOT a.attnotnull, a.atthasdef OR a.attidentity <> '', ''
        FROM t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
            JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
            LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
            LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation AND a.attcollation <> y.typcollation
        UNION ALL
        SELECT 'check', t.name, f.conname::text, 0, a.attname::text, pg_catalog.pg_get_expr(f.conbin, f.conrelid),
            '', '', false, false, ''
        FROM t JOIN pg_catalog.pg_constraint f ON f.conrelid = t.oid AND f.contype = 'c'
            JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND f.conkey = ARRAY[a.attnum]
        WHERE starts_with(f.conname::text, '\(CheckSnapshot.namePrefix)')
        UNION ALL
        SELECT CASE WHEN i.indisprimary THEN 'primary key' ELSE 'index' END, t.name, c.relname::text, k.position,
            coalesce(a.attname::text, ''), CASE WHEN i.indisvalid THEN '' ELSE 'invalid' END, '', '', i.indisunique,
            i.indpred IS NOT NULL, ''
        FROM t JOIN pg_catalog.pg_index i ON i.indrelid = t.oid
            JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
            CROSS JOIN LATERAL generate_series(1, i.indnkeyatts) AS k (position)
            LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[k.position - 1]
        UNION ALL
        SELECT 'foreign key', t.name, f.conname::text, k.position, a.attname::text, b.attname::text, r.relname::text,
            f.confdeltype::text, false, false,
            CASE WHEN n.nspname = current_schema() THEN '' ELSE n.nspname::text END
        FROM t JOIN pg_catalog.pg_constraint f ON f.conrelid = t.oid AND f.contype = 'f'
            JOIN pg_catalog.pg_class r ON r.oid = f.confrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
            CROSS JOIN LATERAL generate_series(1, cardinality(f.conkey)) AS k (position)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[k.position]
            JOIN pg_catalog.pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = f.confkey[k.position]
        UNION ALL
        SELECT 'delete rule', t.name, g.tgname::text, 0, '', p.prosrc, '', '',
            g.tgenabled <> 'A' AND starts_with(g.tgname::text, '\(LogTrigger.namePrefix)'), false, ''
        FROM t JOIN pg_catalog.pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
            JOIN pg_catalog.pg_proc p ON p.oid = g.tgfoid
        WHERE starts_with(g.tgname::text, '\(DeleteRuleDefinition.namePrefix)')
        UNION ALL
        SELECT 'condition of a delete rule', t.name, g.tgname::text, a.attnum, a.attname::text, '', '', '', false, false, ''
        FROM t JOIN pg_catalog.pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
            JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_trigger'::regclass AND d.objid = g.oid
                AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = t.oid
            JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid AND a.attnum > 0
        WHERE starts_with(g.tgname::text, '\(DeleteRuleDefinition.namePrefix)')
        ORDER BY 1, 2, 3, 4
        """)
}

/// A row of the statement above.
private struct CatalogRow: Sendable {
    let kind, table, part, name, detail, target, action, schema: String
    let flag, other: Bool

    init(_ cells: UnsafePointer<Cell>) {
        func text(_ column: Int) -> String { String(decoding: cells[column].bytes, as: UTF8.self) }
        (kind, table, part, name, detail, target) = (text(0), text(1), text(2), text(4), text(5), text(6))
        (action, flag, other) = (text(7), cells[8].payload != 0, cells[9].payload != 0)
        schema = text(10)
    }
}

extension TableSnapshot {
    /// Adds columns and keys, which come in order.
    fileprivate mutating func add(_ rows: [CatalogRow]) {
        func groups(_ kind: String) -> [[CatalogRow]] {
            let groups = Dictionary(grouping: rows.filter { $0.kind == kind }, by: \.part)
            return groups.sorted { $0.key < $1.key }.map(\.value)
        }
        columns = groups("column").joined().map { row in
            var column = ColumnSnapshot(
                name: row.name, typeName: row.detail, isNullable: row.flag, hasDefault: row.other,
                defaultSQL: row.target.isEmpty ? nil : row.target)
            column.collation = row.action.isEmpty ? nil : row.action
            return column
        }
        checks = groups("check").joined().map { row in
            CheckSnapshot(name: row.part, column: row.name, expression: row.detail)
        }
        primaryKey = groups("primary key").joined().map(\.name)
        indexes = groups("index").map { rows in
            IndexSnapshot(
                name: rows[0].part, columns: rows.map(\.name), isUnique: rows[0].flag, isPartial: rows[0].other,
                isValid: rows[0].detail.isEmpty)
        }
        foreignKeys = groups("foreign key").map { rows in
            ForeignKeySnapshot(
                name: rows[0].part, columns: rows.map(\.name), table: rows[0].target,
                targetColumns: rows.map(\.detail), onDelete: .init(catalog: rows[0].action),
                schema: rows[0].schema.isEmpty ? nil : rows[0].schema)
        }
        for rule in groups("delete rule").joined() {
            deleteRules.append(rule.part)
            if rule.flag { idleTriggers.insert(rule.part) }
            deleteRuleColumns[rule.part] = PostgresDialect().columns(ofDeleteRule: rule.detail)
        }
        for column in groups("condition of a delete rule").joined() {
            deleteRuleColumns[column.part, default: []].append(column.name)
        }
    }
}

extension ForeignKeyDefinition.Action {
    /// Reads `confdeltype` or `confupdtype`.
    init(catalog letter: String) {
        self =
            switch letter {
            case "c": .cascade
            case "n": .setNull
            case "d": .setDefault
            case "r": .restrict
            default: .noAction
            }
    }
}
