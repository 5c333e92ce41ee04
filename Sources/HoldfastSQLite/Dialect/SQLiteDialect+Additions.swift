@_spi(Driver) import Holdfast

@_spi(Driver) extension SQLiteDialect {
    public func addition(_ kind: SchemaAddition.Kind, named name: String) -> AdditionSQL? {
        func query(_ type: String, of table: String? = nil) -> String {
            "SELECT 1 FROM main.sqlite_schema WHERE type = '\(type)' AND lower(name) = lower(\(quotedText(name)))"
                + (table.map { " AND lower(tbl_name) = lower(\(quotedText($0)))" } ?? "")
        }
        return switch kind {
        case .view: AdditionSQL(isThere: query("view"), drop: "DROP VIEW \(quoted(name))")
        case .table: AdditionSQL(isThere: query("table"))
        case .index(let table):
            AdditionSQL(isThere: query("index", of: table), drop: "DROP INDEX \(quoted(name))")
        case .trigger(let table):
            AdditionSQL(isThere: query("trigger", of: table), drop: "DROP TRIGGER \(quoted(name))")
        case .function, .extension, .rows, .other: nil
        }
    }
}
