import Foundation
@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastSQLite

struct SchemaTests {
    private func schema(
        _ statements: [String], includingSizes: Bool = false
    ) async throws -> DatabaseSchema {
        try await withWriter { connection async throws in
            for sql in statements { try await connection.execute(sql) }
            return try await connection.schema(.all(of: nil, includingSizes: includingSizes), timeout: nil)
        }
    }

    @Test func `a database without tables has an empty schema`() async throws {
        #expect(try await schema([]) == DatabaseSchema(name: "main"))
    }

    @Test func `STRICT, WITHOUT ROWID and kinds of keys are told apart`() async throws {
        let schema = try await schema([
            "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, x ANY) STRICT",
            "CREATE TABLE b (id INTEGER PRIMARY KEY, x)",
            "CREATE TABLE c (id INT PRIMARY KEY)",
            "CREATE TABLE d (k TEXT COLLATE NOCASE, n INTEGER, PRIMARY KEY (n, k)) STRICT, WITHOUT ROWID",
            "CREATE TABLE e (id INTEGER PRIMARY KEY DESC)",
            "CREATE TABLE f (id INTEGER, CONSTRAINT f_key PRIMARY KEY (id))",
        ])
        #expect(schema.tables.map(\.isStrict) == [true, false, false, true, false, false])
        #expect(schema.tables.map(\.isStoredByKey) == [false, false, false, true, false, false])
        #expect(schema.tables.map(\.columns[0].identity) == [.autoincrement, .rowID, nil, nil, nil, .rowID])
        #expect(schema.tables.map(\.columns[0].isNullable) == [false, false, true, false, true, false])
        #expect(schema.tables.map(\.primaryKey?.columns) == [["id"], ["id"], ["id"], ["n", "k"], ["id"], ["id"]])
        #expect(schema.tables.map(\.primaryKey?.name) == [nil, nil, nil, nil, nil, "f_key"])
        #expect(schema.tables[3].columns.map(\.keyPosition) == [1, 0])
        #expect(schema.tables[3].columns.map(\.collation) == ["NOCASE", nil])
        #expect(schema.tables[1].columns[1].typeName == "")
        #expect(schema.tables[1].columns[1].type == nil)
    }

    @Test func `names, expressions and constraints are read as they are written`() async throws {
        let schema = try await schema([
            """
            CREATE TABLE "a ""b"", c" ( -- CHECK (no), "x" integer
                [odd name] integer /* , y */ DEFAULT (1 + (2)) CONSTRAINT "is odd" CHECK ([odd name] % 2 = 1),
                `größe` VARCHAR(20) NOT NULL UNIQUE COLLATE RTRIM DEFAULT 'a, (b',
                "check" DECIMAL(10, 2) CONSTRAINT c2 REFERENCES nowhere ON DELETE SET DEFAULT,
                twice GENERATED ALWAYS AS ("check" * 2), thrice integer AS ("check" * 3) STORED,
                CONSTRAINT u UNIQUE ("check", `größe`) CHECK ("check" <> ')')
                FOREIGN KEY (twice) REFERENCES other (x) ON UPDATE RESTRICT
            )
            """,
            "CREATE TABLE other (x PRIMARY KEY)",
            "ALTER TABLE other ADD COLUMN y TEXT CHECK (y <> '') DEFAULT 'z' REFERENCES other",
            "CREATE TRIGGER \"the Trigger\" AFTER DELETE ON other BEGIN SELECT 1; END",
        ])
        let table = try #require(schema.table("a \"b\", c"))
        #expect(table.columns.map(\.name) == ["odd name", "größe", "check", "twice", "thrice"])
        #expect(table.columns.map(\.typeName) == ["INTEGER", "VARCHAR(20)", "DECIMAL(10, 2)", "", "INTEGER"])
        #expect(table.columns.map(\.type) == [.int64, .text, .decimal, nil, .int64])
        #expect(table.columns.map(\.defaultExpression) == ["1 + (2)", "'a, (b'", nil, nil, nil])
        #expect(table.columns.map(\.collation) == [nil, "RTRIM", nil, nil, nil])
        #expect(table.columns[3].generated == .init(expression: "\"check\" * 2", isStored: false))
        #expect(table.columns[4].generated == .init(expression: "\"check\" * 3", isStored: true))
        #expect(
            table.checks == [
                .init(name: "is odd", expression: "[odd name] % 2 = 1"), .init(expression: "\"check\" <> ')'"),
            ])
        #expect(
            table.uniqueConstraints.sorted { $0.columns.count < $1.columns.count } == [
                .init(columns: ["größe"]), .init(name: "u", columns: ["check", "größe"]),
            ])
        #expect(table.foreignKeys.map(\.name) == ["c2", nil])
        #expect(table.foreignKeys.map(\.table) == ["nowhere", "other"])
        #expect(table.foreignKeys.map(\.targetColumns) == [[], ["x"]])
        #expect(table.foreignKeys.map(\.onDelete) == [.setDefault, .noAction])
        #expect(table.foreignKeys.map(\.onUpdate) == [.noAction, .restrict])
        let other = try #require(schema.table("other"))
        #expect(other.checks == [.init(expression: "y <> ''")])
        #expect(other.foreignKeys.map(\.targetColumns) == [["x"]])
        #expect(other.triggers == ["the Trigger"])
    }

    @Test func `indexes have terms, directions, collations and conditions`() async throws {
        let schema = try await schema([
            "CREATE TABLE t (a TEXT COLLATE NOCASE, b, \"on\" UNIQUE)",
            """
            CREATE UNIQUE INDEX "x where" ON "t" (
                a, a COLLATE BINARY DESC, b || ', (' COLLATE NOCASE ASC, lower("on") COLLATE NOCASE DESC
            ) WHERE b > '(' AND a IS NOT NULL -- all
            """,
        ])
        let table = try #require(schema.table("t"))
        #expect(table.uniqueConstraints == [.init(columns: ["on"])])
        let index = try #require(table.indexes.first)
        #expect(table.indexes.count == 1 && index.name == "x where" && index.isUnique)
        #expect(index.terms.map(\.column) == ["a", "a", nil, nil])
        #expect(index.terms.map(\.expression) == [nil, nil, "b || ', (' COLLATE NOCASE", "lower(\"on\")"])
        #expect(index.terms.map(\.isDescending) == [false, true, false, true])
        #expect(index.terms.map(\.isNullsFirst) == [true, false, true, false])
        #expect(index.terms.map(\.collation) == [nil, "BINARY", nil, "NOCASE"])
        #expect(index.condition == "b > '(' AND a IS NOT NULL")
        #expect(index.columns == nil)
    }

    @Test func `views and virtual tables that can't be read keep nothing from being described`() async throws {
        let schema = try await schema([
            "CREATE TABLE t (a INTEGER, b)",
            "CREATE VIEW v (\"as\", y) AS SELECT a, b FROM t WHERE b = ' AS '",
            "CREATE TABLE gone (a)",
            "CREATE VIEW broken AS SELECT a FROM gone",
            "DROP TABLE gone",
            "CREATE VIRTUAL TABLE words USING fts5(body)",
        ])
        #expect(schema.views.map(\.name) == ["broken", "v"])
        #expect(schema.views[0].columns == [])
        #expect(schema.views[1].columns.map(\.name) == ["as", "y"])
        #expect(schema.views[1].definition == "SELECT a, b FROM t WHERE b = ' AS '")
        #expect(schema.table("words")?.kind == .virtual)
        #expect(schema.table("words")?.columns.map(\.name) == ["body"])
        #expect(schema.table("words_content")?.kind == .shadow)
        #expect(schema.table("t")?.kind == .ordinary)
    }

    @Test func `estimates come from ANALYZE, and sizes if they are asked for`() async throws {
        let fill = [
            "CREATE TABLE t (a INTEGER PRIMARY KEY, b)", "CREATE INDEX t_b ON t (b) WHERE b < 3",
            "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500) INSERT INTO t SELECT x, x FROM n",
            "CREATE TABLE empty (a)",
        ]
        let before = try await schema(fill)
        #expect(before.table("t")?.rowEstimate == nil && before.table("t")?.bytes == nil)
        let after = try await schema(fill + ["ANALYZE"], includingSizes: true)
        #expect(after.tables.map(\.name) == ["empty", "t"])
        #expect(after.table("t")?.rowEstimate == 500)
        if let bytes = after.table("t")?.bytes { #expect(bytes > 4096) }
    }

    @Test func `an attached file has a schema of its own`() async throws {
        let other = try TestDirectory()
        try await Database.withDatabase(.sqlite(path: other.path)) { db in
            try await db.sql("CREATE TABLE theirs (id INTEGER PRIMARY KEY, t TEXT REFERENCES theirs)").execute()
        }
        let directory = try TestDirectory()
        try await Database.withDatabase(.sqlite(path: directory.path)) { db in
            try await db.sql("CREATE TABLE ours (a)").execute()
            try await db.transaction { tx in
                try await tx.sql("ATTACH \(other.path) AS \"the other\"").execute()
                let schema = try await tx.schema("the other")
                #expect(schema.name == "the other" && schema.tables.map(\.name) == ["theirs"])
                #expect(schema.tables[0].foreignKeys.map(\.targetColumns) == [["id"]])
                #expect(try await tx.schema().tables.map(\.name) == ["ours"])
            }
            await #expect(throws: DatabaseError.self) { try await db.schema("the other") }
        }
    }

    @Test(arguments: [
        "", "CREATE", "CREATE TABLE t (", "CREATE TABLE t (a CHECK (", "(()", "[", "\"", "'", "/*", "--", "a))b(",
        ",,(",
    ])
    func `no text makes the readers fail`(text: String) {
        _ = TableText(text)
        _ = IndexText(text)
        _ = viewQuery(text)
        for end in text.indices {
            _ = (TableText(String(text[..<end])), IndexText("CREATE INDEX i ON t " + text[end...]))
        }
    }
}
