@_spi(Driver) import Holdfast
import Testing

@_spi(Driver) @testable import HoldfastSQLite

struct SnapshotTests {
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
                "CREATE TRIGGER other AFTER DELETE ON pair BEGIN SELECT 1; END",
            ] { try await connection.execute(sql) }

            let snapshot = try await connection.snapshot(of: ["pair", "parent", "absent", "a_view", "PARENT"])
            #expect(snapshot.tables.keys.sorted() == ["a_view", "pair", "parent"])
            #expect(
                snapshot.tables["parent"]
                    == TableSnapshot(
                        name: "parent",
                        columns: [
                            .init(name: "id", typeName: "INTEGER", isNullable: false, hasDefault: false),
                            .init(name: "code", typeName: "TEXT", isNullable: true, hasDefault: false),
                            .init(
                                name: "name", typeName: "TEXT", isNullable: false, hasDefault: true, defaultSQL: "'x'"),
                        ],
                        primaryKey: ["id"],
                        indexes: [
                            .init(
                                name: "sqlite_autoindex_parent_1",
                                columns: ["code"],
                                isUnique: true,
                                isPartial: false
                            )
                        ],
                        foreignKeys: [],
                        hasRows: true
                    )
            )
            let pair = try #require(snapshot.tables["pair"])
            #expect(pair.primaryKey == ["a", "b"])
            #expect(pair.columns.map(\.name) == ["b", "a", "parent_id", "x", "y"])
            var lower = IndexSnapshot(name: "pair_lower", columns: ["", "a"], isUnique: true, isPartial: true)
            lower.expressionColumns = ["b", "a", "x"]
            #expect(
                pair.indexes == [
                    lower,
                    .init(name: "pair_x", columns: ["x", "y"], isUnique: false, isPartial: false),
                ]
            )
            #expect(
                Set(pair.foreignKeys) == [
                    .init(columns: ["x", "y"], table: "pair", targetColumns: ["a", "b"], onDelete: .cascade),
                    .init(columns: ["parent_id"], table: "parent", targetColumns: ["id"]),
                ]
            )
            #expect(!pair.hasRows)
            #expect(pair.deleteRules == ["holdfast_pair"])
        }
    }

    @Test func `what is never NULL is told so`() async throws {
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE rowid_key (id INTEGER PRIMARY KEY)")
            try await connection.execute("CREATE TABLE text_key (id TEXT PRIMARY KEY)")
            try await connection.execute("CREATE TABLE quirk (id INTEGER PRIMARY KEY DESC)")
            try await connection.execute("CREATE TABLE no_rowid (id TEXT PRIMARY KEY, g INTEGER AS (1)) WITHOUT ROWID")
            let tables = try await connection.snapshot(of: ["rowid_key", "text_key", "quirk", "no_rowid"]).tables
            #expect(tables["rowid_key"]?.columns[0].isNullable == false)
            #expect(tables["text_key"]?.columns[0].isNullable == true)
            #expect(tables["quirk"]?.columns[0].isNullable == true)
            #expect(tables["no_rowid"]?.columns[0].isNullable == false)
            #expect(
                tables["no_rowid"]?.columns[1]
                    == .init(name: "g", typeName: "INTEGER", isNullable: true, hasDefault: true)
            )
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
            let tables = try await connection.snapshot(of: names + ["none"]).tables
            #expect(tables.count == 1000)
            #expect(tables.values.allSatisfy { $0.columns.map(\.name) == ["a \"b\""] })
            #expect(tables.values.filter(\.hasRows).map(\.name) == [names[999]])
        }
    }

    @Test func `a snapshot can be taken inside a transaction, and by a reader`() async throws {
        let database = try TestDatabase()
        let (writer, reader) = (try await database.writer(), try await database.reader())
        try await writer.execute("BEGIN IMMEDIATE")
        try await writer.execute("CREATE TABLE t (x)")
        #expect(try await writer.snapshot(of: ["t"]).tables.count == 1)
        #expect(writer.transactionStatus == .open)
        #expect(try await reader.snapshot(of: ["t"]).tables.isEmpty)
        try await writer.execute("COMMIT")
        #expect(try await reader.snapshot(of: ["t"]).tables.count == 1)
        #expect(try await reader.snapshot(of: []).tables.isEmpty)
        #expect(reader.transactionStatus == .idle)
        await reader.close()
        await writer.close()
        await database.driver.shutdown()
    }
}
