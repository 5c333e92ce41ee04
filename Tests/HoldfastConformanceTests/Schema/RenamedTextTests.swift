import Testing

@_spi(Driver) @testable import Holdfast

/// What a dialect says of the texts of indexes and triggers after a rename is what the engine makes of them.
@Suite struct RenamedTextTests {
    private static let texts = [
        "CREATE INDEX plain ON note (title)",
        "CREATE INDEX \"quoted\" ON \"note\"(\"title\" COLLATE NOCASE DESC, [rank])",
        "CREATE UNIQUE INDEX partial ON Note (Title) WHERE title <> 'title' AND rank > 1 -- title",
        "CREATE INDEX computed ON note (lower(title), rank + length(title))",
        "CREATE INDEX named_title ON note (rank)",
        "CREATE INDEX elsewhere ON other (title)",
        "CREATE TRIGGER unrelated AFTER INSERT ON note BEGIN DELETE FROM other WHERE id = 1; END",
        "CREATE TRIGGER related AFTER UPDATE OF title ON note BEGIN UPDATE other SET title = NEW.title; END",
    ]

    @Test(arguments: [
        SchemaChange.renameTable("note", to: "memo"), .renameColumn("title", table: "note", to: "head line"),
    ])
    func `texts after a rename are those of the engine`(change: SchemaChange) async throws {
        try await RelationDatabase.with(.sqlite) { database in
            let dialect = database.driver.dialect
            try await database.run(
                "CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, rank INTEGER)",
                "CREATE TABLE other (id INTEGER PRIMARY KEY, title TEXT)")
            for sql in Self.texts { try await database.run(sql) }
            let before = try await database.connection.tables(["note", "other"])
            switch change {
            case .renameTable(let table, let name): try await database.run("ALTER TABLE \(table) RENAME TO \"\(name)\"")
            case .renameColumn(let column, let table, let name):
                try await database.run("ALTER TABLE \(table) RENAME COLUMN \(column) TO \"\(name)\"")
            default: return
            }
            let after = try await database.connection.tables(["note", "memo", "other"]).tables.values
                .flatMap(\.dependents)
            var unknown: [String] = []
            for (table, snapshot) in before.tables {
                for dependent in snapshot.dependents {
                    guard let renamed = dialect.renamed(dependent, of: table, by: change) else {
                        unknown.append(dependent.name)
                        continue
                    }
                    #expect(after.first { $0.name == renamed.name }?.sql == renamed.sql)
                }
            }
            // Each names the table; only one names the column.
            #expect(Set(unknown) == (change.renamesTable ? ["unrelated", "related"] : ["related"]))
        }
    }
}

extension SchemaChange {
    fileprivate var renamesTable: Bool {
        if case .renameTable = self { true } else { false }
    }
}
