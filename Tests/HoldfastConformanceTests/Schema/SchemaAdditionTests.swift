import EngineProvisions
import Foundation
import HoldfastConformance
import HoldfastPostgres
import HoldfastSQLite
import Testing

@_spi(Driver) @testable import Holdfast

/// Additions whose SQL is one engine's own.
@Suite struct SchemaAdditionTests {
    private struct Page: TableObject {
        var id: Int64?
        var title: String

        static let tableMapping = TableMapping<Page>(
            type: "Page", table: "page",
            describe: { table in
                table.key("id", \.id)
                table.property("title", \.title)
            },
            decode: { row in Page(id: try row.decode(at: 0), title: try row.decode(at: 1)) })
    }

    private func schema(_ mark: String = "new") -> Schema {
        Schema(
            Page.self,
            adding: [
                .table("page_text", engine: .sqlite, "CREATE VIRTUAL TABLE page_text USING fts5(title)"),
                .trigger(
                    "page_note", of: "page", engine: .sqlite,
                    SQLFragment(
                        unsafe: """
                            CREATE TRIGGER page_note AFTER INSERT ON page BEGIN
                            INSERT INTO page_text (title) VALUES (NEW.title || '\(mark)'); END
                            """)),
                .extension("plpgsql", engine: .postgres),
                .table("page_text", engine: .postgres, "CREATE TABLE page_text (title text)"),
                .function(
                    "page_copy", engine: .postgres,
                    SQLFragment(
                        unsafe: """
                            CREATE OR REPLACE FUNCTION page_copy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                            INSERT INTO page_text (title) VALUES (NEW.title || '\(mark)'); RETURN NULL; END $$
                            """)),
                .trigger(
                    "page_note", of: "page", engine: .postgres,
                    "CREATE TRIGGER page_note AFTER INSERT ON page FOR EACH ROW EXECUTE FUNCTION page_copy()"),
            ])
    }

    @Test(arguments: SchemaEngine.available)
    func `triggers, functions and tables for full text are made, missed and made anew`(
        engine: SchemaEngine
    ) async throws {
        // Triggers that write into a table for full text run in trusted schemas only.
        let directory = FileManager.default.temporaryDirectory.path
        let provision: any ConformanceProvision =
            engine == .sqlite ? SQLiteProvision(directory: directory, trustsSchema: true) : engine.provision
        let home = try await provision.makeDatabase()
        let db = try await Database.open(home.configuration)
        try await db.migrate(schema())
        #expect(try await db.migrate(schema()).isEmpty)
        #expect(try await db.drift(schema()).isEmpty)
        _ = try await db.insert(Page(title: "a "))

        #expect(try await db.drift(schema("newer")).count == 1)
        try await db.migrate(schema("newer"))
        #expect(try await db.migrate(schema("newer")).isEmpty)
        _ = try await db.insert(Page(title: "b "))
        let texts = try await db.sql("SELECT title FROM page_text ORDER BY title").fetch(as: String.self)
        #expect(texts == ["a new", "b newer"])

        let drop: SQLFragment =
            engine == .sqlite ? "DROP TRIGGER page_note" : "DROP TRIGGER page_note ON page"
        try await db.sql(drop).execute()
        let drift = try await db.drift(schema("newer"))
        #expect(drift.map(\.element) == [.addition(.trigger(table: "page"), name: "page_note")])
        #expect(drift.first?.description == "The trigger \"page_note\" of \"page\" is missing.")
        try await db.migrate(schema("newer"))
        #expect(try await db.drift(schema("newer")).isEmpty)
        try await db.close()
        try await home.destroy()
    }

    @Test func `an addition that the engine has none of is refused`() async throws {
        let home = try await SchemaEngine.sqlite.provision.makeDatabase()
        let db = try await Database.open(home.configuration)
        for addition in [SchemaAddition.extension("pg_trgm"), .function("slug", "CREATE FUNCTION slug()")] {
            let error = await #expect(throws: DatabaseError.self) {
                try await db.migrate(Schema(Page.self, adding: [addition]))
            }
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains("\"\(addition.name)\"") == true)
        }
        try await db.migrate(Schema(Page.self, adding: [.extension("pg_trgm", engine: .postgres)]))
        try await db.close()
        try await home.destroy()
    }

    /// Tables of the library as earlier versions of it have made them.
    @Test(arguments: SchemaEngine.available)
    func `versions and migrations that earlier versions of the library have noted are read`(
        engine: SchemaEngine
    ) async throws {
        let home = try await engine.provision.makeDatabase()
        let db = try await Database.open(home.configuration)
        let migration = Migration("1", .afterTypes) { $0.sql("UPDATE page SET title = 'a'") }
        func schema(_ version: Int, _ earliest: Int? = nil) -> Schema {
            Schema(Page.self, migrations: [migration], version: version, acceptsProgramsFrom: earliest)
        }
        try await db.migrate(schema(3))
        try await db.sql("ALTER TABLE holdfast_version DROP COLUMN accepts_from").execute()
        try await db.sql("ALTER TABLE holdfast_applied DROP COLUMN is_additive").execute()
        try await db.sql("DROP TABLE holdfast_past").execute()
        try await db.sql("DROP TABLE holdfast_addition").execute()
        #expect(try await db.acceptedSchemaVersions() == 3...3)
        #expect(try await db.migrate(schema(3)).isEmpty)
        #expect(try await db.schemaPlan(for: schema(4, 3)).isEmpty)
        try await db.migrate(schema(4, 3))
        #expect(try await db.acceptedSchemaVersions() == 3...4)
        #expect(try await db.migrate(schema(3)).isEmpty)
        try await db.close()
        try await home.destroy()
    }
}
