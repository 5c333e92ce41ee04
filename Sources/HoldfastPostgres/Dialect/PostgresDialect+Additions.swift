@_spi(Driver) import Holdfast

@_spi(Driver) extension PostgresDialect {
    public func addition(_ kind: SchemaAddition.Kind, named name: String) -> AdditionSQL? {
        func relation(_ kinds: String) -> String {
            """
            SELECT 1 FROM pg_catalog.pg_class AS c WHERE c.relname = \(quotedText(name)) AND c.relkind IN (\(kinds))
            AND c.relnamespace = (SELECT n.oid FROM pg_catalog.pg_namespace AS n WHERE n.nspname = current_schema())
            """
        }
        switch kind {
        case .view: return AdditionSQL(isThere: relation("'v'"), drop: "DROP VIEW \(quoted(name))")
        case .table: return AdditionSQL(isThere: relation("'r', 'p', 'f', 'm'"))
        case .index(let table):
            let isOfTable = """
                AND EXISTS (SELECT 1 FROM pg_catalog.pg_index AS i WHERE i.indexrelid = c.oid AND i.indisvalid
                AND i.indrelid = pg_catalog.to_regclass(\(quotedText(quoted(table)))))
                """
            return AdditionSQL(
                isThere: "\(relation("'i', 'I'")) \(isOfTable)", drop: "DROP INDEX \(quoted(name))")
        case .trigger(let table):
            return AdditionSQL(
                isThere: """
                    SELECT 1 FROM pg_catalog.pg_trigger AS t WHERE t.tgname = \(quotedText(name)) AND NOT t.tgisinternal
                    AND t.tgrelid = pg_catalog.to_regclass(\(quotedText(quoted(table))))
                    """,
                drop: "DROP TRIGGER \(quoted(name)) ON \(quoted(table))")
        case .function:
            return AdditionSQL(
                isThere: """
                    SELECT 1 FROM pg_catalog.pg_proc AS p WHERE p.proname = \(quotedText(name)) AND p.pronamespace
                    = (SELECT n.oid FROM pg_catalog.pg_namespace AS n WHERE n.nspname = current_schema())
                    """,
                drop: "DROP FUNCTION \(quoted(name))")
        case .extension:
            return AdditionSQL(
                isThere: "SELECT 1 FROM pg_catalog.pg_extension AS e WHERE e.extname = \(quotedText(name))",
                create: "CREATE EXTENSION IF NOT EXISTS \(quoted(name))")
        case .rows, .other: return nil
        }
    }
}
