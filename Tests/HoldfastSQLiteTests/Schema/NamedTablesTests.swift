@_spi(Driver) @testable import Holdfast
import Testing

@_spi(Driver) @testable import HoldfastSQLite

struct NamedTablesTests {
    @Test func `tables are described with keys, indexes and foreign keys`() async throws {
        try await withWriter { connection async throws in
            for sql in [
                """
                CREATE TABLE parent (
                    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, code text UNIQUE, name TEXT NOT NULL DEFAULT 'x'
                ) STRICT
                """,
                """
                CREATE TABLE pair (
                    b TEXT NOT NULL, a INTEGER NOT NULL, parent_id INTEGER REFERENCES parent, x INTEGER, y TEXT,
                    PRIMARY KEY (a, b), FOREIGN KEY (x, y) REFERENCES pair (a, b) ON DELETE CASCADE
                ) STRICT
                """,
                "CREATE INDEX pair_x ON pair (x, y DESC)",
                "CREATE UNIQUE INDEX pair_lower ON pair (lower(b), a) WHERE x IS NOT NULL",
                "CREATE VIEW a_view AS SELECT 1",
                "INSERT INTO parent (code) VALUES ('x')",
                "CREATE TRIGGER holdfast_pair AFTER DELETE ON pair BEGIN SELECT 1; END",
                "CREATE TRIGGER other AFTER DELETE ON PAIR BEGIN SELECT 1; END",
            ] { try await connection.execute(sql) }

            let snapshot = try await connection.tables(["pair", "parent", "absent", "a_view", "PARENT"])
            #expect(snapshot.tables.keys.sorted() == ["a_view", "pair", "parent"])
            let parent = try #require(snapshot.tables["parent"])
            #expect(parent.keyColumns == ["id"])
            #expect(
                parent.columns.map { "\($0.name) \($0.typeName)\($0.isNullable ? "" : " !")" } == [
                    "id INTEGER !", "code TEXT", "name TEXT !",
                ])
            #expect(parent.columns.map(\.hasDefault) == [false, false, true])
            #expect(parent.columns[2].defaultExpression == "'x'")
            #expect(parent.uniqueConstraints == [.init(columns: ["code"])])
            #expect(parent.indexes.isEmpty && parent.foreignKeys.isEmpty)
            #expect(parent.hasRows)
            let pair = try #require(snapshot.tables["pair"])
            #expect(pair.keyColumns == ["a", "b"])
            #expect(pair.columns.map(\.name) == ["b", "a", "parent_id", "x", "y"])
            #expect(pair.indexes.map(\.name) == ["pair_lower", "pair_x"])
            #expect(pair.indexes[0].expressionColumns == ["b", "a", "x"])
            #expect(pair.indexes[0].columns == nil && pair.indexes[0].isUnique)
            #expect(pair.indexes[1].columns == ["x", "y"] && pair.indexes[1].expressionColumns.isEmpty)
            #expect(
                Set(pair.foreignKeys) == [
                    .init(columns: ["x", "y"], table: "pair", targetColumns: ["a", "b"], onDelete: .cascade),
                    .init(columns: ["parent_id"], table: "parent", targetColumns: ["id"]),
                ]
            )
            #expect(!pair.hasRows)
            #expect(pair.triggers == ["holdfast_pair", "other"] && pair.ownTriggers == ["holdfast_pair"])
            #expect(pair.dependents.map(\.name) == ["pair_x", "pair_lower", "holdfast_pair", "other"])
        }
    }

    @Test func `what is never NULL is told so`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE rowid_key (id INTEGER PRIMARY KEY)")
            try await connection.execute("CREATE TABLE text_key (id TEXT PRIMARY KEY)")
            try await connection.execute("CREATE TABLE quirk (id INTEGER PRIMARY KEY DESC)")
            try await connection.execute("CREATE TABLE no_rowid (id TEXT PRIMARY KEY, g INTEGER AS (1)) WITHOUT ROWID")
            let tables = try await connection.tables(["rowid_key", "text_key", "quirk", "no_rowid"]).tables
            #expect(tables["rowid_key"]?.columns[0].isNullable == false)
            #expect(tables["text_key"]?.columns[0].isNullable == true)
            #expect(tables["quirk"]?.columns[0].isNullable == true)
            #expect(tables["no_rowid"]?.columns[0].isNullable == false)
            #expect(tables["no_rowid"]?.columns[1].generated?.expression == "1")
            #expect(tables["no_rowid"]?.columns[1].hasDefault == true)
        }
    }

    @Test func `a thousand tables with awkward names are told together`() async throws {
        let names = (0..<1000).map { "table \"\($0)\" 'é; --" }
        try await withWriter { connection async throws in
            try await connection.execute("BEGIN IMMEDIATE")
            for name in names {
                try await connection.execute(
                    "CREATE TABLE \(SQLiteDialect().quoted(name)) (\"a \"\"b\"\"\" TEXT) STRICT"
                )
            }
            try await connection.execute("COMMIT")
            try await connection.execute("INSERT INTO \(SQLiteDialect().quoted(names[999])) VALUES ('x')")
            let tables = try await connection.tables(names + ["none"]).tables
            #expect(tables.count == 1000)
            #expect(tables.values.allSatisfy { $0.columns.map(\.name) == ["a \"b\""] })
            #expect(tables.values.filter(\.hasRows).map(\.name) == [names[999]])
        }
    }

    @Test func `tables are described inside a transaction, and by a reader`() async throws {
        let database = try TestDatabase()
        let (writer, reader) = (try await database.writer(), try await database.reader())
        try await writer.execute("BEGIN IMMEDIATE")
        try await writer.execute("CREATE TABLE t (x)")
        #expect(try await writer.tables(["t"]).tables.count == 1)
        #expect(writer.transactionStatus == .open)
        #expect(try await reader.tables(["t"]).tables.isEmpty)
        try await writer.execute("COMMIT")
        #expect(try await reader.tables(["t"]).tables.count == 1)
        #expect(try await reader.tables([]).tables.isEmpty)
        #expect(reader.transactionStatus == .idle)
        await reader.close()
        await writer.close()
        await database.driver.shutdown()
    }
}
