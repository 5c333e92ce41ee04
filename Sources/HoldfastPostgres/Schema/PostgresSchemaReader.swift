@_spi(Driver) import Holdfast

/// Reads all that the catalogs say of one schema, by one statement, so that it is of one moment.
///
/// The functions that write expressions look at the newest catalogs: they return NULL for what was dropped meanwhile,
/// and that is left out.
struct PostgresSchemaReader {
    let connection: PostgresConnection

    func schema(_ request: SchemaRequest, timeout: Duration?) async throws -> DatabaseSchema {
        let rows = try await connection.readCatalogs(Self.catalog, parameters(request), timeout: timeout) {
            SchemaCatalogRow($0)
        }
        var parts: [String: [SchemaCatalogRow]] = [:]
        for row in rows { parts[row.kind, default: []].append(row) }
        guard let found = parts["schema"]?.first else {
            switch request {
            case .all(let name?, _):
                throw DatabaseError(.notFound, "There is no schema \"\(name)\" that the role may use.")
            case .all(nil, _):
                throw DatabaseError(.notFound, "The search path names no schema that exists. Name one.")
            case .tables: return DatabaseSchema(name: "")
            }
        }
        var schema = SchemaAssembly(parts).schema(named: found.owner)
        if case .tables = request { try await readFilling(&schema, timeout) }
        return schema
    }

    /// The name of the schema, whether tables are measured, and the names of tables as the text of an array, which the
    /// server reads.
    private func parameters(_ request: SchemaRequest) -> ParameterBuffer {
        var parameters = ParameterBuffer(width: 3)
        func append(_ text: String?) {
            guard var text else { return parameters.append(.null) }
            text.withUTF8 { parameters.append(.text, UnsafeRawBufferPointer($0)) }
        }
        switch request {
        case .all(let name, let includingSizes):
            append(name)
            parameters.append(.boolean(includingSizes))
            append(nil)
        case .tables(let tables):
            append(nil)
            parameters.append(.boolean(false))
            let items = tables.map { name in
                "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
            }
            append("{" + items.joined(separator: ",") + "}")
        }
        return parameters
    }

    /// Reads which tables have a row.
    ///
    /// Of views it is not asked, since that can take any time.
    private func readFilling(_ schema: inout DatabaseSchema, _ timeout: Duration?) async throws {
        let tables = schema.tables.filter { $0.kind != .foreign }.map(\.name)
        if tables.isEmpty { return }
        let dialect = PostgresDialect()
        let selects = tables.map { table in
            "SELECT \(dialect.quotedText(table)) WHERE EXISTS (SELECT 1 FROM \(dialect.quoted(table)))"
        }
        let statement = Statement(selects.joined(separator: " UNION ALL "), isCached: false)
        let filled = try await connection.run(statement, .none, timeout: timeout) { rows in
            var result: Set<String> = []
            while let cells = try rows.next() { result.insert(String(decoding: cells[0].bytes, as: UTF8.self)) }
            return result
        }
        for index in schema.tables.indices {
            schema.tables[index].hasRows = filled.contains(schema.tables[index].name)
        }
    }

    /// One row for each relation, column, column of a constraint, term of an index, trigger, value of an enum, and
    /// domain: kind, owner, name, position, four texts, flags, and two numbers.
    ///
    /// NOT NULL constraints are not among the constraints: columns say that. Where tables are named, the triggers of
    /// the library come with what they read, and neither types nor the queries of views are looked at.
    private static let catalog = Statement(
        """
        WITH s AS MATERIALIZED (
            SELECT oid, nspname::text AS name FROM pg_catalog.pg_namespace
            WHERE nspname = coalesce($1::text, current_schema()::text)
        ), t AS MATERIALIZED (
            SELECT c.oid, c.relname::text AS name, c.relkind, c.relpages, c.reltuples, c.relispartition
            FROM s JOIN pg_catalog.pg_class c ON c.relnamespace = s.oid AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
            WHERE $3::text[] IS NULL OR c.relname::text = ANY ($3::text[])
        )
        SELECT 'schema' AS kind, s.name AS owner, '' AS name, 0 AS position, NULL::text AS a, NULL::text AS b,
            NULL::text AS c, NULL::text AS d, '' AS flags, NULL::bigint AS n, NULL::bigint AS m
        FROM s
        UNION ALL
        SELECT CASE WHEN t.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END, t.name, '', 0, t.relkind::text,
            CASE WHEN t.relispartition THEN (
                SELECT p.relname::text FROM pg_catalog.pg_inherits h JOIN pg_catalog.pg_class p ON p.oid = h.inhparent
                WHERE h.inhrelid = t.oid LIMIT 1
            ) END,
            CASE WHEN t.relkind NOT IN ('v', 'm') THEN NULL
                WHEN $3 IS NULL THEN pg_catalog.pg_get_viewdef(t.oid) ELSE '' END, NULL, '',
            CASE WHEN t.reltuples < 0 OR t.relkind = 'v'
                OR t.reltuples = 0 AND t.relpages = 0 AND current_setting('server_version_num')::integer < 140000
                THEN NULL ELSE t.reltuples::bigint END,
            CASE WHEN NOT $2::boolean OR t.relkind IN ('v', 'f') THEN NULL
                WHEN t.relkind = 'p' THEN (
                    SELECT coalesce(sum(pg_catalog.pg_total_relation_size(p.relid)), 0)::bigint
                    FROM pg_catalog.pg_partition_tree(t.oid) AS p WHERE p.isleaf
                )
                ELSE pg_catalog.pg_total_relation_size(t.oid) END
        FROM t
        UNION ALL
        SELECT 'column', t.name, a.attname::text, a.attnum, pg_catalog.format_type(a.atttypid, a.atttypmod),
            pg_catalog.pg_get_expr(d.adbin, d.adrelid), l.collname::text,
            CASE WHEN n.nspname = 'pg_catalog' THEN b.typname::text END,
            y.typtype::text || a.attgenerated::text || upper(a.attidentity::text)
                || CASE WHEN a.attnotnull THEN '!' ELSE '' END
                || CASE WHEN d.oid IS NOT NULL AND EXISTS (
                    SELECT FROM pg_catalog.pg_depend o
                        JOIN pg_catalog.pg_class q ON q.oid = o.objid AND q.relkind = 'S'
                    WHERE o.classid = 'pg_catalog.pg_class'::regclass
                        AND o.refclassid = 'pg_catalog.pg_class'::regclass
                        AND o.refobjid = t.oid AND o.refobjsubid = a.attnum AND o.deptype = 'a'
                ) THEN '#' ELSE '' END,
            NULL, NULL
        FROM t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
            JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
            JOIN pg_catalog.pg_type b ON b.oid = CASE WHEN y.typtype = 'd' THEN y.typbasetype ELSE y.oid END
            JOIN pg_catalog.pg_namespace n ON n.oid = b.typnamespace
            LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
            LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation AND a.attcollation <> y.typcollation
        UNION ALL
        SELECT 'check', t.name, f.conname::text, 0, pg_catalog.pg_get_expr(f.conbin, f.conrelid), a.attname::text, NULL,
            NULL, '', NULL, NULL
        FROM t JOIN pg_catalog.pg_constraint f ON f.conrelid = t.oid AND f.contype = 'c'
            LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND f.conkey = ARRAY[a.attnum]
                AND starts_with(f.conname::text, '\(DatabaseSchema.Check.namePrefix)')
        UNION ALL
        SELECT CASE f.contype WHEN 'p' THEN 'primary key' WHEN 'u' THEN 'unique' ELSE 'foreign key' END,
            t.name, f.conname::text, k.position, a.attname::text, b.attname::text, r.relname::text,
            CASE WHEN r.relnamespace <> s.oid THEN n.nspname::text END,
            f.confdeltype::text || f.confupdtype::text, NULL, NULL
        FROM s CROSS JOIN t JOIN pg_catalog.pg_constraint f ON f.conrelid = t.oid AND f.contype IN ('p', 'u', 'f')
            CROSS JOIN LATERAL generate_series(1, cardinality(f.conkey)) AS k (position)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[k.position]
            LEFT JOIN pg_catalog.pg_class r ON r.oid = f.confrelid AND f.contype = 'f'
            LEFT JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
            LEFT JOIN pg_catalog.pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = f.confkey[k.position]
        UNION ALL
        SELECT 'index', t.name, c.relname::text, k.position, a.attname::text,
            CASE WHEN a.attname IS NULL THEN pg_catalog.pg_get_indexdef(c.oid, k.position, false) END,
            pg_catalog.pg_get_expr(i.indpred, i.indrelid), m.amname::text,
            CASE WHEN i.indisunique THEN 'u' ELSE '' END || CASE WHEN i.indisvalid THEN 'v' ELSE '' END
                || CASE WHEN k.position > i.indnkeyatts THEN 'i'
                    ELSE CASE WHEN i.indoption[k.position - 1] & 1 = 1 THEN 'd' ELSE '' END
                        || CASE WHEN i.indoption[k.position - 1] & 2 = 2 THEN 'f' ELSE '' END
                        || coalesce('c' || l.collname::text, '') END,
            NULL, NULL
        FROM t JOIN pg_catalog.pg_index i ON i.indrelid = t.oid
            JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
            JOIN pg_catalog.pg_am m ON m.oid = c.relam
            CROSS JOIN LATERAL generate_series(1, i.indnatts) AS k (position)
            LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[k.position - 1]
            LEFT JOIN pg_catalog.pg_collation l ON k.position <= i.indnkeyatts
                AND l.oid = i.indcollation[k.position - 1] AND l.oid <> a.attcollation
        WHERE NOT EXISTS (
            SELECT FROM pg_catalog.pg_constraint f
            WHERE f.conrelid = t.oid AND f.conindid = i.indexrelid AND f.contype IN ('p', 'u')
        )
        UNION ALL
        SELECT 'trigger', t.name, g.tgname::text, 0, p.prosrc, NULL, NULL, NULL,
            CASE WHEN p.oid IS NOT NULL AND g.tgenabled <> 'A'
                AND starts_with(g.tgname::text, '\(LogTrigger.namePrefix)') THEN 'i' ELSE '' END, NULL, NULL
        FROM t JOIN pg_catalog.pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
            LEFT JOIN pg_catalog.pg_proc p ON p.oid = g.tgfoid AND $3 IS NOT NULL
                AND starts_with(g.tgname::text, '\(DeleteRuleDefinition.namePrefix)')
        UNION ALL
        SELECT 'trigger column', t.name, g.tgname::text, a.attnum, a.attname::text, NULL, NULL, NULL, '', NULL, NULL
        FROM t JOIN pg_catalog.pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
            JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_trigger'::regclass AND d.objid = g.oid
                AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = t.oid
            JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid AND a.attnum > 0
        WHERE $3 IS NOT NULL AND starts_with(g.tgname::text, '\(DeleteRuleDefinition.namePrefix)')
        UNION ALL
        SELECT 'enum', y.typname::text, e.enumlabel::text,
            row_number() OVER (PARTITION BY y.oid ORDER BY e.enumsortorder)::integer, NULL, NULL, NULL, NULL, '', NULL,
            NULL
        FROM s JOIN pg_catalog.pg_type y ON y.typnamespace = s.oid AND y.typtype = 'e' AND $3 IS NULL
            LEFT JOIN pg_catalog.pg_enum e ON e.enumtypid = y.oid
        UNION ALL
        SELECT 'domain', y.typname::text, '', 0, pg_catalog.format_type(y.typbasetype, y.typtypmod), y.typdefault, NULL,
            NULL, CASE WHEN y.typnotnull THEN '!' ELSE '' END, NULL, NULL
        FROM s JOIN pg_catalog.pg_type y ON y.typnamespace = s.oid AND y.typtype = 'd' AND $3 IS NULL
        UNION ALL
        SELECT 'domain check', y.typname::text, f.conname::text, 0, pg_catalog.pg_get_expr(f.conbin, 0), NULL, NULL,
            NULL, '', NULL, NULL
        FROM s JOIN pg_catalog.pg_type y ON y.typnamespace = s.oid AND y.typtype = 'd' AND $3 IS NULL
            JOIN pg_catalog.pg_constraint f ON f.contypid = y.oid AND f.contype = 'c'
        ORDER BY 4
        """)
}

/// A row of the statement above.
struct SchemaCatalogRow: Sendable {
    let kind, owner, name: String
    let texts: [String?]
    let flags: String
    let numbers: [Int?]

    init(_ cells: UnsafePointer<Cell>) {
        func text(_ column: Int) -> String? {
            cells[column].isNull ? nil : String(decoding: cells[column].bytes, as: UTF8.self)
        }
        (kind, owner, name) = (text(0) ?? "", text(1) ?? "", text(2) ?? "")
        texts = (4..<8).map(text)
        flags = text(8) ?? ""
        numbers = (9..<11).map { cells[$0].isNull ? nil : Int(cells[$0].integer) }
    }
}
