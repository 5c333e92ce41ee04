@_spi(Driver) import Holdfast

/// The statements by which the tables, views, indexes and triggers of a file were made.
struct SchemaTexts {
    /// An index or a trigger.
    struct Part {
        let name: String
        let sql: String
        let isTrigger: Bool
    }

    private(set) var tables: [String: String] = [:]
    private(set) var views: [(name: String, text: String)] = []
    private(set) var indexes: [String: String] = [:]
    /// The indexes and triggers in the order in which they were made, by their table in lower case: a trigger has the
    /// name as it was written.
    private var parts: [String: [Part]] = [:]

    init(_ reader: SchemaReader) throws {
        let sql = """
            SELECT name, type, sql, tbl_name FROM \(reader.schema).sqlite_schema
            WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \(reader.among("tbl_name COLLATE NOCASE")) ORDER BY rowid
            """
        for row in try reader.rows(sql, width: 4) {
            let (name, text) = (row[0].text, row[2].text)
            switch row[1].text {
            case "table": tables[name] = text
            case "view": views.append((name, text))
            case let type:
                let isTrigger = type == "trigger"
                if !isTrigger { indexes[name] = text }
                parts[row[3].text.lowercased(), default: []].append(Part(name: name, sql: text, isTrigger: isTrigger))
            }
        }
        guard let names = reader.names.map(Set.init) else { return }
        tables = tables.filter { names.contains($0.key) }
        views.removeAll { !names.contains($0.name) }
    }

    func triggers(of table: String) -> [Part] { (parts[table.lowercased()] ?? []).filter(\.isTrigger) }

    func dependents(of table: String) -> [DatabaseSchema.Dependent] {
        (parts[table.lowercased()] ?? []).map { .init(name: $0.name, sql: $0.sql, isTrigger: $0.isTrigger) }
    }
}
