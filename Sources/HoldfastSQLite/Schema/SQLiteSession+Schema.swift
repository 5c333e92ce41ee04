@_spi(Driver) import Holdfast

extension SQLiteSession {
    /// How many tables are asked for at once, below the limit of the terms of a compound SELECT.
    private static let tablesAtOnce = 400

    /// Tables and views as the engine describes them, all at one moment.
    func schema(_ request: SchemaRequest) throws -> DatabaseSchema {
        try atOneMoment {
            switch request {
            case .all(let name, let includingSizes):
                return try SchemaReader(session: self, name: name ?? "main").schema(includingSizes: includingSizes)
            case .tables(let names):
                var schema = DatabaseSchema(name: "main")
                for start in stride(from: 0, to: names.count, by: Self.tablesAtOnce) {
                    let portion = Array(names[start..<min(start + Self.tablesAtOnce, names.count)])
                    let part = try SchemaReader(session: self, name: "main", names: portion).schema()
                    schema.tables += part.tables
                    schema.views += part.views
                }
                return schema
            }
        }
    }
}
